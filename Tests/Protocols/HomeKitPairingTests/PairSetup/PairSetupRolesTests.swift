import HomeKitPairing
import Testing
import TuttiCryptography
import TuttiTestSupport

@Suite("Transient pair-setup, both roles")
struct PairSetupRolesTests {
    /// Runs the two ends against each other.
    static func pair(
        _ controller: inout PairSetupController, _ accessory: inout PairSetupAccessory
    ) throws(PairingError) -> (SharedSecret, SharedSecret?) {
        var request = controller.start()
        var theirs: SharedSecret?
        while true {
            let reply: [UInt8]
            switch accessory.receive(request) {
            case .send(let body), .introduced(reply: let body, _),
                .refused(reply: let body, because: _):
                reply = body
            case .paired(reply: let body, let secret): (reply, theirs) = (body, secret)
            }
            switch try controller.receive(reply) {
            case .send(let body): request = body
            case .paired(let secret): return (secret, theirs)
            }
        }
    }

    @Test("both roles agree on a secret and on all keys", arguments: ["3939", "a longer password, grün"])
    func agree(password: String) throws {
        var controller = PairSetupController(password: password)
        var accessory = PairSetupAccessory(password: password)
        let (ours, theirs) = try Self.pair(&controller, &accessory)
        #expect(ours.bytes.count == 64)
        #expect(ours == theirs)
        var sender = SecureChannel(keys: ours.controlKeys(for: .controller))
        var receiver = SecureChannel(keys: try #require(theirs).controlKeys(for: .accessory))
        #expect(try receiver.open(sender.seal([1, 2, 3])) == [1, 2, 3])
        var events = SecureChannel(keys: try #require(theirs).eventKeys(for: .accessory))
        var listener = SecureChannel(keys: ours.eventKeys(for: .controller))
        #expect(try listener.open(events.seal([4])) == [4])
    }

    @Test("two pairings have different secrets")
    func fresh() throws {
        var secrets: [SharedSecret] = []
        for _ in 0..<2 {
            var controller = PairSetupController()
            var accessory = PairSetupAccessory()
            secrets.append(try Self.pair(&controller, &accessory).0)
        }
        #expect(secrets[0] != secrets[1])
    }

    @Test("a wrong password ends both, and the accessory accepts another attempt")
    func wrongPassword() throws {
        var accessory = PairSetupAccessory(password: "right")
        var wrong = PairSetupController(password: "wrong")
        #expect(throws: PairingError.authenticationFailed) { try Self.pair(&wrong, &accessory) }
        #expect(throws: PairingError.notInProgress) { try wrong.receive([6, 1, 4]) }
        var right = PairSetupController(password: "right")
        let (ours, theirs) = try Self.pair(&right, &accessory)
        #expect(ours == theirs)
    }

    @Test("the refusal of a wrong proof is state 4 with error 2")
    func refusal() throws {
        var accessory = PairSetupAccessory(password: "right")
        var controller = PairSetupController(password: "wrong")
        guard case .send(let challenge) = accessory.receive(controller.start()),
            case .send(let proof) = try controller.receive(challenge)
        else {
            Issue.record("no challenge")
            return
        }
        #expect(
            accessory.receive(proof)
                == .refused(reply: [6, 1, 4, 7, 1, 2], because: .authenticationFailed))
    }

    @Test("a first message starts over until both are paired")
    func startsAgain() throws {
        var accessory = PairSetupAccessory()
        var lost = PairSetupController()
        guard case .send = accessory.receive(lost.start()) else {
            Issue.record("no challenge")
            return
        }
        var controller = PairSetupController()
        _ = try Self.pair(&controller, &accessory)
        var late = PairSetupController()
        #expect(
            accessory.receive(late.start())
                == .refused(reply: [6, 1, 2, 7, 1, 1], because: .notInProgress))
    }

    @Test("neither role's values print their secrets")
    func redacted() throws {
        var accessory = PairSetupAccessory(password: "hidden-word")
        var controller = PairSetupController(password: "hidden-word")
        guard case .send(let challenge) = accessory.receive(controller.start()) else { return }
        _ = try controller.receive(challenge)
        for text in ["\(accessory)", "\(controller)"] {
            #expect(!text.contains("hidden-word"))
            #expect(!text.contains("104, 105"))
        }
    }
}
