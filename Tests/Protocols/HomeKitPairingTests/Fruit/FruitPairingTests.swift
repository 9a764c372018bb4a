import Testing
import TuttiCryptography
import TuttiTestSupport

@testable import HomeKitPairing

@Suite("The pairing of Apple TVs before HomeKit")
struct FruitPairingTests {
    static let identity = PairingIdentity(
        identifier: "1122334455667788", key: try! Ed25519SigningKey(Array(1...32)))

    private static func pair(
        _ accessory: inout FruitAccessory, pin: String
    ) throws -> FruitPairSetupController.Step {
        var controller = FruitPairSetupController(pin: pin, identity: identity)
        var step = FruitPairSetupController.Step.send(controller.start())
        while case .send(let message) = step {
            step = try controller.receive(try accessory.receive(message))
        }
        return step
    }

    @Test("a controller with the right PIN becomes known, and is verified on every later connection")
    func wholeProcedure() throws {
        var accessory = try FruitAccessory(pin: "4711")
        #expect(try Self.pair(&accessory, pin: "4711") == .introduced)
        #expect(accessory.controllers == ["1122334455667788": Self.identity.key.verifyingKey])
        for _ in 0..<2 {
            var controller = FruitPairVerifyController(identity: Self.identity)
            let first = try accessory.receive(controller.start())
            guard case .send(let answer) = try controller.receive(first) else {
                Issue.record("no answer")
                return
            }
            #expect(try controller.receive(try accessory.receive(answer)) == .verified)
        }
    }

    @Test("a wrong PIN is refused by the accessory, and an accessory without the PIN by the controller")
    func wrongPIN() throws {
        var accessory = try FruitAccessory(pin: "4711")
        #expect(throws: SRPError.wrongProof) { try Self.pair(&accessory, pin: "4712") }
        #expect(accessory.controllers.isEmpty)

        var controller = FruitPairSetupController(pin: "4711", identity: Self.identity)
        _ = try controller.receive(try accessory.receive(controller.start()))
        var reply = FruitPairingMessage()
        reply.proof = [UInt8](repeating: 1, count: 20)
        #expect(throws: PairingError.accessoryNotAuthentic) { try controller.receive(reply) }
        #expect(throws: PairingError.notInProgress) { try controller.receive(reply) }
    }

    @Test("an unknown controller is not verified")
    func unknown() throws {
        var accessory = try FruitAccessory(pin: "4711")
        var controller = FruitPairVerifyController(identity: Self.identity)
        let start = controller.start()
        #expect(throws: FruitAccessory.Refused.self) { try accessory.receive(start) }
    }

    private static let replies: [(String, FruitPairingMessage, PairingError)] = [
        ("nothing", FruitPairingMessage(), .missing(.salt)),
        ("no key", message { $0.salt = [1] }, .missing(.publicKey)),
        ("a key of zeros", message { ($0.salt, $0.publicKey) = ([1], [0, 0]) }, .invalidPublicKey),
        (
            "an endless key", message { ($0.salt, $0.publicKey) = ([1], [UInt8](repeating: 7, count: 9000)) },
            .invalidPublicKey
        ),
    ]

    private static func message(_ change: (inout FruitPairingMessage) -> Void) -> FruitPairingMessage {
        var message = FruitPairingMessage()
        change(&message)
        return message
    }

    @Test("an impossible challenge ends the procedure with its reason", arguments: replies.indices)
    func challenge(index: Int) {
        let (name, reply, error) = Self.replies[index]
        var controller = FruitPairSetupController(pin: "4711", identity: Self.identity)
        _ = controller.start()
        #expect(throws: error, "\(name)") { try controller.receive(reply) }
        #expect(throws: PairingError.notInProgress) { try controller.receive(reply) }
    }

    @Test("a reply to pair-verify of another length, or with an impossible key, ends the procedure")
    func verifyReplies() {
        for count in 0..<200 where count != 96 {
            var controller = FruitPairVerifyController(identity: Self.identity)
            _ = controller.start()
            #expect(throws: PairingError.self) {
                try controller.receive([UInt8](repeating: 9, count: count))
            }
            #expect(throws: PairingError.notInProgress) { try controller.receive([]) }
        }
        var controller = FruitPairVerifyController(identity: Self.identity)
        _ = controller.start()
        #expect(throws: PairingError.invalidPublicKey) {
            try controller.receive([UInt8](repeating: 0, count: 96))
        }
    }

    @Test("printing the values shows no key and no PIN")
    func redacted() {
        #expect("\(Self.identity)" == "PairingIdentity(redacted)")
        let (cipher, _) = FruitPairing.setupCipher([1, 2, 3])
        #expect("\(cipher)" == "AES128(redacted)")
    }
}

/// Messages computed by another implementation, byte for byte.
@Suite("Computed messages of the pairing of Apple TVs before HomeKit")
struct ComputedFruitPairingTests {
    let vector: [String: Any]

    init() throws { vector = try Vectors.dictionary("pairing/fruit.json") }

    func bytes(_ name: String) throws -> [UInt8] {
        Vectors.bytes(hex: try #require(vector[name] as? String))
    }

    @Test("both ends of pair-setup match")
    func setup() throws {
        let user = try #require(vector["user"] as? String)
        let pin = try #require(vector["pin"] as? String)
        let identity = PairingIdentity(identifier: user, key: try Ed25519SigningKey(bytes("seed")))
        var controller = FruitPairSetupController(
            pin: pin, identity: identity, privateValue: try bytes("seed"))
        var accessory = try FruitAccessory(pin: pin, salt: bytes("salt"), privateValue: bytes("b"))
        let first = controller.start()
        #expect(first.method == "pin" && first.user == user)
        let challenge = try accessory.receive(first)
        #expect(challenge.publicKey == (try bytes("B")))
        guard case .send(let proof) = try controller.receive(challenge) else {
            Issue.record("no proof")
            return
        }
        #expect(try proof.publicKey == bytes("A") && proof.proof == bytes("M1"))
        let confirmation = try accessory.receive(proof)
        #expect(confirmation.proof == (try bytes("M2")))
        guard case .send(let introduction) = try controller.receive(confirmation) else {
            Issue.record("no introduction")
            return
        }
        #expect(try introduction.sealedKey == bytes("epk") && introduction.tag == bytes("authTag"))
        #expect(try controller.receive(try accessory.receive(introduction)) == .introduced)
    }

    @Test("both messages of the controller in pair-verify match")
    func verify() throws {
        let identity = PairingIdentity(
            identifier: try #require(vector["user"] as? String), key: try Ed25519SigningKey(bytes("seed")))
        var controller = FruitPairVerifyController(
            identity: identity, agreement: try Curve25519KeyAgreement(privateKey: bytes("seed")))
        #expect(controller.start() == (try bytes("verify_1")))
        let reply = try bytes("verify_accessory_public") + bytes("verify_reply_rest")
        #expect(try controller.receive(reply) == .send(bytes("verify_3")))
        #expect(try controller.receive([]) == .verified)
    }
}
