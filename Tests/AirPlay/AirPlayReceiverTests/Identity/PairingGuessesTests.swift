import HomeKitPairing
import Testing
import TuttiSystemIO

@testable import AirPlayReceiver

@Suite("Guess limits by origin")
struct PairingGuessesTests {
    private let guesser = IPAddress(192, 0, 2, 66)
    private let owner = IPAddress(192, 0, 2, 1)

    private func refusal(_ guesses: inout PairingGuesses, _ sender: IPAddress?, _ seconds: Int)
        -> PairingError?
    {
        guesses.count(of: sender) { $0.refusal(at: .seconds(seconds)) }
    }

    @Test("a guesser locks out only itself")
    func own() {
        var guesses = PairingGuesses()
        var taken = 0
        for second in 0..<600 where refusal(&guesses, guesser, second) == nil {
            guesses.count(of: guesser) { $0.fail(at: .seconds(second)) }
            taken += 1
        }
        #expect((11...30).contains(taken))
        let refusal1 = refusal(&guesses, guesser, 600)
        #expect(refusal1 != nil)
        let refusal2 = refusal(&guesses, owner, 600)
        #expect(refusal2 == nil)
    }

    @Test("hundreds of addresses share one budget; a peer that knew the secret before is admitted")
    func many() {
        var guesses = PairingGuesses()
        guesses.count(of: owner) { $0.succeed(at: .zero) }
        var taken = 0
        for second in 0..<3600 {
            let address = IPAddress(10, 0, UInt8(second >> 8), UInt8(second & 255))
            guard refusal(&guesses, address, second) == nil else { continue }
            guesses.count(of: address) { $0.fail(at: .seconds(second)) }
            taken += 1
        }
        #expect(taken <= PairingGuesses.strangersBurst + PairingGuesses.strangersPerHour + 1)
        #expect(guesses.senderCount <= PairingGuesses.senderLimit)
        while refusal(&guesses, guesser, 3600) == nil {
            guesses.count(of: guesser) { $0.fail(at: .seconds(3600)) }
        }
        guard case .backOff(let seconds?) = refusal(&guesses, guesser, 3600) else {
            Issue.record("a stranger is not asked to wait")
            return
        }
        #expect((1...18).contains(seconds))
        let refusal3 = refusal(&guesses, owner, 3600)
        #expect(refusal3 == nil)
        // A peer's own errors count against it alone.
        for _ in 0..<11 { guesses.count(of: owner) { $0.fail(at: .seconds(3600)) } }
        let refusal4 = refusal(&guesses, owner, 3600)
        #expect(refusal4 == .backOff(seconds: 1))
    }

    @Test(
        "all addresses of one IPv6 network count as one guesser; a neighbour that knows the secret does not")
    func network() throws {
        var guesses = PairingGuesses()
        let neighbour = try #require(IPAddress("2001:db8::1"))
        guesses.count(of: neighbour) { $0.succeed(at: .zero) }
        var taken = 0
        for number in 0..<100 {
            let address = try #require(IPAddress("2001:db8::ff:\(number)"))
            guard refusal(&guesses, address, 0) == nil else { continue }
            guesses.count(of: address) { $0.fail(at: .zero) }
            taken += 1
        }
        #expect(taken == PairingAttempts.freeCount + 1)
        let refusal5 = refusal(&guesses, neighbour, 0)
        #expect(refusal5 == nil)
    }
}
