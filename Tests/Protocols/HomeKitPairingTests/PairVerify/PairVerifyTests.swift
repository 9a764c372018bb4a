import HomeKitPairing
import Synchronization
import Testing
import TuttiCryptography
import TuttiTestSupport
import TuttiWire

@Suite("Pair-verify")
struct PairVerifyTests {
    static func accessory(knowing peers: [PairedPeer] = [Ends.controller.publicHalf]) -> PairVerifyAccessory {
        PairVerifyAccessory(identity: Ends.accessory) { identifier in
            peers.first { $0.identifier == identifier }
        }
    }

    static func controller(
        _ identity: PairingIdentity = Ends.controller, at accessory: PairedPeer = Ends.accessory.publicHalf
    ) -> PairVerifyController {
        PairVerifyController(identity: identity, accessory: accessory)
    }

    /// Runs the four messages as far as they get.
    static func run(
        _ controller: inout PairVerifyController, _ accessory: inout PairVerifyAccessory
    ) throws(PairingError) -> (ours: SharedSecret, theirs: SharedSecret?, peer: PairedPeer?) {
        var body = controller.start()
        var theirs: (SharedSecret, PairedPeer)?
        while true {
            let reply: [UInt8]
            switch accessory.receive(body) {
            case .send(let body), .refused(reply: let body, because: _): reply = body
            case .verified(reply: let body, let secret, let peer): (reply, theirs) = (body, (secret, peer))
            }
            switch try controller.receive(reply) {
            case .send(let next): body = next
            case .verified(let secret): return (secret, theirs?.0, theirs?.1)
            }
        }
    }

    @Test("both ends have the secret, and the keys match")
    func roles() throws {
        var controller = Self.controller()
        var accessory = Self.accessory()
        let (ours, theirs, peer) = try Self.run(&controller, &accessory)
        #expect(ours.bytes.count == 32)
        #expect(ours == theirs)
        #expect(peer == Ends.controller.publicHalf)
        var sender = SecureChannel(keys: ours.controlKeys(for: .controller))
        var receiver = SecureChannel(keys: try #require(theirs).controlKeys(for: .accessory))
        #expect(try receiver.open(sender.seal([1, 2, 3])) == [1, 2, 3])
    }

    @Test("an unknown controller gets error 2, and may then pair and verify on the same connection")
    func unknown() throws {
        let known = Mutex([PairedPeer]())
        var accessory = PairVerifyAccessory(identity: Ends.accessory) { identifier in
            known.withLock { $0.first { $0.identifier == identifier } }
        }
        var stranger = Self.controller()
        #expect(throws: PairingError.authenticationFailed) { try Self.run(&stranger, &accessory) }
        var pairing = PINPairing()
        _ = try pairing.run()
        let peer = try #require(pairing.known)
        known.withLock { $0 = [peer] }
        var controller = Self.controller()
        let (ours, theirs, _) = try Self.run(&controller, &accessory)
        #expect(ours == theirs)
    }

    static let liars: [(String, PairingIdentity)] = [
        (
            "a stranger under a known name",
            Ends.identity("C0FFEE00-0000-4000-8000-000000000002", filler: 9)
        ),
        ("a known key under another name", Ends.identity("somebody", filler: 2)),
        ("a stranger", Ends.stranger),
    ]

    @Test("an impostor is refused with error 2", arguments: liars)
    func liar(name: String, identity: PairingIdentity) throws {
        var accessory = Self.accessory()
        var controller = Self.controller(identity)
        guard case .send(let second) = accessory.receive(controller.start()),
            case .send(let third) = try controller.receive(second)
        else {
            Issue.record("no keys")
            return
        }
        #expect(
            accessory.receive(third)
                == .refused(reply: [6, 1, 4, 7, 1, 2], because: .authenticationFailed))
    }

    @Test(
        "another accessory than the known one is refused",
        arguments: [
            Ends.stranger.publicHalf,
            Ends.identity("0d1c5b6a-0000-4000-8000-000000000001", filler: 9).publicHalf,
            Ends.identity("another", filler: 1).publicHalf,
        ])
    func wrongAccessory(expected: PairedPeer) {
        var controller = Self.controller(at: expected)
        var accessory = Self.accessory()
        #expect(throws: PairingError.accessoryNotAuthentic) { try Self.run(&controller, &accessory) }
        #expect(throws: PairingError.notInProgress) { try controller.receive([6, 1, 4]) }
    }

    static let firsts: [(String, [UInt8], state: UInt8, code: UInt8, PairingError)] = [
        ("empty", [], 2, 1, .emptyBody),
        ("no state", [3, 1, 1], 2, 1, .unexpectedState(expected: 1, received: nil)),
        ("the end at once", [6, 1, 3, 5, 1, 1], 4, 1, .unexpectedState(expected: 1, received: 3)),
        ("no key", [6, 1, 1], 2, 1, .missing(.publicKey)),
        ("a short key", [6, 1, 1, 3, 1, 9], 2, 2, .invalidPublicKey),
        (
            "a key that makes the secret zero",
            [6, 1, 1, 3, 32] + [UInt8](repeating: 0, count: 32), 2, 2, .invalidPublicKey
        ),
    ]

    @Test("an invalid first message is refused", arguments: firsts)
    func badStart(name: String, body: [UInt8], state: UInt8, code: UInt8, error: PairingError) throws {
        var accessory = Self.accessory()
        #expect(accessory.receive(body) == .refused(reply: [6, 1, state, 7, 1, code], because: error))
        var controller = Self.controller()
        #expect(try Self.run(&controller, &accessory).theirs != nil)
    }

    @Test("mutated, truncated, repeated and foreign messages verify nobody")
    func hostile() throws {
        var first = Self.accessory()
        var controller = Self.controller()
        guard case .send(let second) = first.receive(controller.start()) else { return }
        let before = controller
        guard case .send(let third) = try controller.receive(second) else { return }
        for index in third.indices {
            var changed = third
            changed[index] ^= 0x10
            for body in [changed, Array(third.prefix(index))] {
                var accessory = first
                guard case .refused = accessory.receive(body), case .refused = accessory.receive(third) else {
                    Issue.record("byte \(index)")
                    continue
                }
            }
        }
        for index in second.indices {
            var changed = second
            changed[index] ^= 0x10
            for body in [changed, Array(second.prefix(index))] {
                var end = before
                #expect(throws: PairingError.self) { try end.receive(body) }
                #expect(throws: PairingError.notInProgress) { try end.receive(second) }
            }
        }
        var other = Self.accessory()
        var another = Self.controller()
        _ = other.receive(another.start())
        guard case .refused(_, because: .authenticationFailed) = other.receive(third) else {
            Issue.record("a message of another connection")
            return
        }
        guard case .verified = first.receive(third), case .refused = first.receive(third) else {
            Issue.record("the right one, once")
            return
        }
    }

    @Test("every exchange has another secret")
    func fresh() throws {
        var secrets: [SharedSecret] = []
        for _ in 0..<2 {
            var controller = Self.controller()
            var accessory = Self.accessory()
            secrets.append(try Self.run(&controller, &accessory).ours)
        }
        #expect(secrets[0] != secrets[1])
    }

    @Test("random bytes never trap, in either phase", arguments: 0..<100)
    func noise(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var accessory = Self.accessory()
        for round in 0..<4 {
            if round == 2 {
                var controller = Self.controller()
                _ = accessory.receive(controller.start())
            }
            let count = Int.random(in: 0...200, using: &random)
            let body =
                [6, 1, UInt8.random(in: 0...4, using: &random)]
                + (0..<count).map { _ in UInt8.random(in: 0...8, using: &random) }
            if case .verified = accessory.receive(body) { Issue.record("verified noise") }
        }
    }
}
