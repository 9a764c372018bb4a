import HomeKitPairing
import Synchronization
import Testing
import TuttiCryptography
import TuttiWire

/// Two ends that remember each other.
enum Ends {
    static let accessory = identity("0d1c5b6a-0000-4000-8000-000000000001", filler: 1)
    static let controller = identity("C0FFEE00-0000-4000-8000-000000000002", filler: 2)
    static let stranger = identity("5747A9E4-0000-4000-8000-000000000003", filler: 3)

    static func identity(_ name: String, filler: UInt8) -> PairingIdentity {
        let bytes = [UInt8](repeating: filler, count: Ed25519SigningKey.byteCount)
        guard let key = try? Ed25519SigningKey(bytes) else { fatalError("32 bytes are a key") }
        return PairingIdentity(identifier: name, key: key)
    }

    static func lasting(pin: String? = "1234") -> PairSetupAccessory.Lasting {
        PairSetupAccessory.Lasting(identity: accessory) { pin }
    }
}

/// The results of both ends after the last message of pair-setup with a PIN.
struct PINPairing {
    var accessory = PairSetupAccessory(lasting: Ends.lasting())
    var controller = PairSetupPINController(pin: "1234", identity: Ends.controller)
    /// All messages, requests and answers.
    var messages: [[UInt8]] = []
    var known: PairedPeer?

    /// Continues until the controller is done.
    mutating func run() throws(PairingError) -> PairedPeer {
        var request = controller.start()
        while true {
            messages.append(request)
            let reply: [UInt8]
            switch accessory.receive(request) {
            case .send(let body), .refused(reply: let body, because: _), .paired(reply: let body, _):
                reply = body
            case .introduced(reply: let body, let peer): (reply, known) = (body, peer)
            }
            messages.append(reply)
            switch try controller.receive(reply) {
            case .send(let body): request = body
            case .introduced(let peer): return peer
            }
        }
    }
}

@Suite("Pair-setup with a PIN")
struct PINPairSetupTests {
    @Test("both ends know each other afterwards")
    func roles() throws {
        var pairing = PINPairing()
        let accessory = try pairing.run()
        #expect(accessory == Ends.accessory.publicHalf)
        #expect(pairing.known == Ends.controller.publicHalf)
        #expect(pairing.messages.count == 6)
        let states = try pairing.messages.map { try TLV8(exactly: $0)[.state] }
        #expect(states == [[1], [2], [3], [4], [5], [6]])
        // Without flags, as HomeKit's controllers send it.
        #expect(pairing.messages[0] == [6, 1, 1, 0, 1, 0])
    }

    @Test("only the proofs reveal the peers")
    func sealed() throws {
        var pairing = PINPairing()
        _ = try pairing.run()
        for message in pairing.messages.suffix(2) {
            let list = try TLV8(exactly: message)
            #expect(list.items.map(\.tag) == [.state, .encryptedData])
            #expect(!Self.contains(message, Ends.controller.identifier))
            #expect(!Self.contains(message, Ends.accessory.key.verifyingKey.bytes))
        }
    }

    static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }

    @Test("a wrong PIN ends at message 4; the next attempt may be right")
    func wrongPIN() throws {
        var pairing = PINPairing()
        pairing.controller = PairSetupPINController(pin: "4321", identity: Ends.controller)
        #expect(throws: PairingError.authenticationFailed) { try pairing.run() }
        #expect(pairing.messages.last == [6, 1, 4, 7, 1, 2])
        #expect(pairing.known == nil)
        pairing.controller = PairSetupPINController(pin: "1234", identity: Ends.controller)
        #expect(try pairing.run() == Ends.accessory.publicHalf)
    }

    @Test("the PIN is requested for each attempt, and never for a transient one")
    func asked() throws {
        let asked = Mutex(0)
        let lasting = PairSetupAccessory.Lasting(identity: Ends.accessory) {
            asked.withLock { $0 += 1 }
            return "1234"
        }
        var accessory = PairSetupAccessory(lasting: lasting)
        _ = accessory.receive([6, 1, 1, 0, 1, 0, 0x13, 1, 0x10])
        #expect(asked.withLock { $0 } == 0)
        _ = accessory.receive([6, 1, 1, 0, 1, 0])
        _ = accessory.receive([6, 1, 1, 0, 1, 0, 0x13, 4, 0, 0, 0, 0])
        #expect(asked.withLock { $0 } == 2)
    }

    static let unavailable: [(String, PairSetupAccessory, [UInt8], PairingError)] = [
        (
            "no PIN is offered", PairSetupAccessory(), [6, 1, 1, 0, 1, 0],
            .unsupportedProcedure(method: 0, flags: 0)
        ),
        (
            "no PIN now", PairSetupAccessory(lasting: Ends.lasting(pin: nil)), [6, 1, 1, 0, 1, 0],
            .unavailable
        ),
        (
            "transient where a PIN is needed", PairSetupAccessory(password: nil, lasting: Ends.lasting()),
            [6, 1, 1, 0, 1, 0, 0x13, 1, 0x10], .unsupportedProcedure(method: 0, flags: 16)
        ),
        (
            "Apple's own authentication", PairSetupAccessory(lasting: Ends.lasting()), [6, 1, 1, 0, 1, 1],
            .unsupportedProcedure(method: 1, flags: 0)
        ),
    ]

    @Test("a method that is not offered is unavailable", arguments: unavailable)
    func refuses(name: String, accessory: PairSetupAccessory, body: [UInt8], error: PairingError) {
        var accessory = accessory
        #expect(
            accessory.receive(body) == .refused(reply: [6, 1, 2, 7, 1, 6], because: error))
    }

    @Test("transient pairing is unaffected")
    func transientToo() throws {
        var accessory = PairSetupAccessory(lasting: Ends.lasting())
        var controller = PairSetupController()
        let (ours, theirs) = try PairSetupRolesTests.pair(&controller, &accessory)
        #expect(ours == theirs)
    }

    @Test("a controller that cannot be stored gets the error in message 6")
    func full() throws {
        var accessory = PairSetupAccessory(lasting: Ends.lasting())
        var controller = PairSetupPINController(pin: "1234", identity: Ends.controller)
        let request = try Self.introduction(&controller, &accessory)
        guard case .introduced = accessory.receive(request),
            case .refused(let reply, _) = accessory.refuse(request, because: .tooManyPeers)
        else {
            Issue.record("not introduced")
            return
        }
        #expect(reply == [6, 1, 6, 7, 1, 4])
        #expect(throws: PairingError.tooManyPeers) { try controller.receive(reply) }
    }

    /// Runs the first four messages; returns the fifth.
    static func introduction(
        _ controller: inout PairSetupPINController, _ accessory: inout PairSetupAccessory
    ) throws -> [UInt8] {
        var body = controller.start()
        for _ in 0..<2 {
            guard case .send(let reply) = accessory.receive(body),
                case .send(let next) = try controller.receive(reply)
            else { throw PairingError.unavailable }
            body = next
        }
        return body
    }

    @Test("a mutated or repeated message 5 registers nobody")
    func changedIntroduction() throws {
        var first = PairSetupAccessory(lasting: Ends.lasting())
        var controller = PairSetupPINController(pin: "1234", identity: Ends.controller)
        let request = try Self.introduction(&controller, &first)
        for index in request.indices {
            var changed = request
            changed[index] ^= 0x40
            var accessory = first
            guard case .refused(let reply, _) = accessory.receive(changed) else {
                Issue.record("byte \(index)")
                continue
            }
            #expect((try? TLV8(exactly: reply))?[.error]?.count == 1)
            // The attempt is over; the right message comes too late.
            guard
                case .refused(_, because: .unexpectedState(expected: 1, received: 5)) =
                    accessory.receive(request)
            else {
                Issue.record("goes on after byte \(index)")
                continue
            }
        }
        for count in request.indices {
            var accessory = first
            guard case .refused = accessory.receive(Array(request.prefix(count))) else {
                Issue.record("\(count) bytes")
                continue
            }
        }
        guard case .introduced = first.receive(request) else {
            Issue.record("the right one")
            return
        }
        guard case .refused(_, because: .unexpectedState(expected: 1, received: 5)) = first.receive(request)
        else {
            Issue.record("taken twice")
            return
        }
    }

    @Test("message 5 of another exchange is refused")
    func foreignIntroduction() throws {
        var first = PairSetupAccessory(lasting: Ends.lasting())
        var second = PairSetupAccessory(lasting: Ends.lasting())
        var one = PairSetupPINController(pin: "1234", identity: Ends.controller)
        var other = PairSetupPINController(pin: "1234", identity: Ends.controller)
        let request = try Self.introduction(&one, &first)
        _ = try Self.introduction(&other, &second)
        #expect(
            second.receive(request)
                == .refused(reply: [6, 1, 6, 7, 1, 2], because: .authenticationFailed))
    }

    @Test("a mutated or truncated message 6 is refused")
    func changedAnswer() throws {
        var accessory = PairSetupAccessory(lasting: Ends.lasting())
        var controller = PairSetupPINController(pin: "1234", identity: Ends.controller)
        let request = try Self.introduction(&controller, &accessory)
        guard case .introduced(let reply, _) = accessory.receive(request) else { return }
        for index in reply.indices {
            var end = controller
            var changed = reply
            changed[index] ^= 0x40
            #expect(throws: PairingError.self) { try end.receive(changed) }
            #expect(throws: PairingError.notInProgress) { try end.receive(reply) }
            end = controller
            #expect(throws: PairingError.self) { try end.receive(Array(reply.prefix(index))) }
        }
        #expect(try controller.receive(reply) == .introduced(Ends.accessory.publicHalf))
    }

    @Test("SRP values with leading zero bytes are the same to both ends")
    func manyTimes() throws {
        // Salts, keys and secrets are new each time; one in a hundred begins with a zero byte unless
        // that is prevented.
        for _ in 0..<20 {
            var pairing = PINPairing()
            #expect(try pairing.run() == Ends.accessory.publicHalf)
        }
    }

    @Test("neither end prints its secrets")
    func redacted() throws {
        let secret = "\(Ends.accessory.key.bytes)".dropFirst().dropLast()
        var pairing = PINPairing()
        _ = try pairing.run()
        let texts = [
            "\(Ends.accessory)", "\(pairing.accessory)", "\(pairing.controller)",
            String(reflecting: Ends.accessory), "\(Ends.lasting())",
        ]
        for text in texts { #expect(!text.contains(secret) && !text.contains("1234")) }
    }

    @Test("a PIN has four digits, the first not 0")
    func pin() {
        for _ in 0..<100 {
            let pin = PairingPIN.random()
            #expect(pin.utf8.count == 4)
            #expect(!pin.hasPrefix("0"))
            #expect(pin.utf8.allSatisfy { (0x30...0x39).contains($0) })
        }
    }
}
