import HomeKitPairing
import Testing
import TuttiCryptography

@Suite("Failed attempts at a secret")
struct PairingAttemptsTests {
    @Test("ten attempts are free, then each doubles the wait up to 64 s")
    func backOff() {
        var attempts = PairingAttempts()
        var now = Duration.seconds(1000)
        for _ in 0..<10 {
            #expect(attempts.refusal(at: now) == nil)
            attempts.fail(at: now)
        }
        #expect(attempts.refusal(at: now) == nil)
        for seconds: UInt64 in [1, 2, 4, 8, 16, 32, 64, 64, 64] {
            attempts.fail(at: now)
            #expect(attempts.refusal(at: now) == .backOff(seconds: seconds))
            #expect(attempts.refusal(at: now + .milliseconds(1)) == .backOff(seconds: seconds))
            let end = now + .seconds(Int64(seconds))
            #expect(attempts.refusal(at: end - .milliseconds(1)) == .backOff(seconds: 1))
            #expect(attempts.refusal(at: end) == nil)
            now = end
        }
    }

    @Test("a hundred attempts block for an hour, and then one at a time is allowed")
    func tooMany() {
        var attempts = PairingAttempts()
        var now = Duration.zero
        for _ in 0..<100 {
            attempts.fail(at: now)
            now += .seconds(64)
        }
        now -= .seconds(64)
        #expect(attempts.refusal(at: now) == .tooManyTries)
        #expect(attempts.refusal(at: now + .seconds(3599)) == .tooManyTries)
        now += .seconds(3600)
        #expect(attempts.refusal(at: now) == nil)
        attempts.fail(at: now)
        #expect(attempts.refusal(at: now) == .backOff(seconds: 1))
    }

    @Test("a successful attempt resets the count")
    func success() {
        var attempts = PairingAttempts()
        for _ in 0..<15 { attempts.fail(at: .zero) }
        attempts.succeed(at: .zero)
        #expect(attempts == PairingAttempts())
        #expect(attempts.refusal(at: .zero) == nil)
    }

    /// Makes one whole attempt on a connection of its own.
    static func attempt(
        _ password: String, at accessory: PairSetupAccessory, _ attempts: inout PairingAttempts,
        time: Duration = .zero
    ) -> PairingError? {
        var accessory = accessory
        var controller = PairSetupController(password: password)
        var body = controller.start()
        while true {
            switch accessory.receive(body, at: time, counting: &attempts) {
            case .send(let reply):
                guard case .send(let next) = try? controller.receive(reply) else { return .unavailable }
                body = next
            case .refused(_, because: let error): return error
            case .paired, .introduced: return nil
            }
        }
    }

    @Test("the accessory counts password guesses over all connections")
    func password() {
        var attempts = PairingAttempts()
        let accessory = PairSetupAccessory(password: "right")
        for _ in 0..<11 {
            #expect(Self.attempt("wrong", at: accessory, &attempts) == .authenticationFailed)
        }
        #expect(Self.attempt("right", at: accessory, &attempts) == .backOff(seconds: 1))
        #expect(Self.attempt("right", at: accessory, &attempts, time: .seconds(1)) == nil)
        #expect(attempts.count == 0)
    }

    @Test("a proof for a challenge from before the back-off is not examined during it")
    func parallel() throws {
        var attempts = PairingAttempts()
        var accessory = PairSetupAccessory(password: "right")
        var controller = PairSetupController(password: "right")
        guard
            case .send(let challenge) = accessory.receive(
                controller.start(), at: .zero, counting: &attempts),
            case .send(let proof) = try controller.receive(challenge)
        else {
            Issue.record("no challenge")
            return
        }
        for _ in 0..<11 { attempts.fail(at: .zero) }
        #expect(
            accessory.receive(proof, at: .zero, counting: &attempts)
                == .refused(reply: [6, 1, 4, 7, 1, 3, 8, 1, 1], because: .backOff(seconds: 1)))
    }

    @Test("the common password is never refused, and cannot lock out others")
    func openSpeaker() {
        var attempts = PairingAttempts()
        let accessory = PairSetupAccessory(lasting: Ends.lasting())
        for _ in 0..<12 { _ = Self.attempt("wrong", at: accessory, &attempts) }
        #expect(attempts.count == 0)
        for _ in 0..<12 { attempts.fail(at: .zero) }
        #expect(Self.attempt("3939", at: accessory, &attempts) == nil)
        // The PIN is unaffected.
        var guarded = accessory
        guard
            case .refused(_, because: .backOff) = guarded.receive(
                [6, 1, 1, 0, 1, 0], at: .zero, counting: &attempts)
        else {
            Issue.record("a PIN may be guessed")
            return
        }
    }

    @Test("an invalid proof is not a guess")
    func malformed() {
        var attempts = PairingAttempts()
        var accessory = PairSetupAccessory(password: "right")
        for body: [UInt8] in [
            [], [6], [6, 1, 3], [6, 1, 1, 0, 1, 0], [6, 1, 1, 0x13, 1, 0x10], [6, 1, 3],
        ] {
            _ = accessory.receive(body, at: .zero, counting: &attempts)
        }
        #expect(attempts.count == 0)
    }
}
