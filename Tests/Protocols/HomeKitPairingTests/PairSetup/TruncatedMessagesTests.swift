import HomeKitPairing
import Testing
import TuttiCryptography
import TuttiTestSupport

/// Every prefix of every message, and mutated messages, given to both roles in every phase.
@Suite("Truncated and mutated messages never trap")
struct TruncatedMessagesTests {
    /// The ends before the first message, before the second exchange, and the four messages.
    struct Exchange {
        let idleController: PairSetupController
        let idleAccessory = PairSetupAccessory()
        let controllerAwaitingProof: PairSetupController
        let accessoryAwaitingProof: PairSetupAccessory
        let messages: [[UInt8]]

        init() throws {
            var controller = PairSetupController()
            var accessory = idleAccessory
            let first = controller.start()
            idleController = controller
            guard case .send(let second) = accessory.receive(first),
                case .send(let third) = try controller.receive(second)
            else { throw PairingError.unavailable }
            controllerAwaitingProof = controller
            accessoryAwaitingProof = accessory
            guard case .paired(reply: let fourth, _) = accessory.receive(third) else {
                throw PairingError.unavailable
            }
            messages = [first, second, third, fourth]
        }

        /// Gives a body to both roles in both phases; all but the right one must fail.
        func successes(with body: [UInt8]) -> Int {
            var count = 0
            for var controller in [idleController, controllerAwaitingProof]
            where (try? controller.receive(body)) != nil {
                count += 1
            }
            for var accessory in [idleAccessory, accessoryAwaitingProof] {
                if case .refused(let reply, _) = accessory.receive(body) {
                    #expect((try? TLV8(exactly: reply))?[.error]?.count == 1)
                } else {
                    count += 1
                }
            }
            return count
        }
    }

    @Test("every truncation is safe")
    func truncations() throws {
        let exchange = try Exchange()
        // The first message is valid for an accessory in either phase.
        #expect(exchange.messages.map(exchange.successes) == [2, 1, 1, 1])
        for (index, message) in exchange.messages.enumerated() {
            for count in 0..<message.count {
                // A public key cut between its fragments is still a key, which makes the accessory's
                // proof wrong; the controller cannot know yet.
                let isShortKey = index == 1 && count == message.count - 131
                #expect(
                    exchange.successes(with: Array(message.prefix(count))) == (isShortKey ? 1 : 0),
                    "message \(index + 1), \(count) bytes")
            }
        }
    }

    @Test("mutated bytes are safe", arguments: 0..<200)
    func changes(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let exchange = try Exchange()
        for (index, message) in exchange.messages.enumerated() {
            var body = message
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<body.count, using: &random)
                body[place] = UInt8.random(in: 0...255, using: &random)
            }
            let successes = exchange.successes(with: body)
            // A mutated challenge is detected by the proofs, which cover every byte of it; a mutated
            // proof at once.
            if index >= 2, body != message { #expect(successes == 0) }
        }
    }
}
