import Testing
import TuttiCryptography
import TuttiTestSupport

@testable import HomeKitPairing

/// Messages computed by another implementation of the formulas, byte for byte.
@Suite("Computed messages of persistent pairing")
struct ComputedPairingTests {
    let vector: [String: Any]

    init() throws { vector = try Vectors.dictionary("pairing/lasting.json") }

    func bytes(_ name: String) throws -> [UInt8] {
        Vectors.bytes(hex: try #require(vector[name] as? String))
    }

    func identity(_ end: String) throws -> PairingIdentity {
        PairingIdentity(
            identifier: try #require(vector["\(end)_identifier"] as? String),
            key: try Ed25519SigningKey(bytes("\(end)_private_key")))
    }

    @Test("both ends of pair-verify match")
    func verify() throws {
        let known = try identity("controller").publicHalf
        let agreement = try Curve25519KeyAgreement(privateKey: bytes("verify_accessory_private"))
        var accessory = PairVerifyAccessory(identity: try identity("accessory")) {
            $0 == known.identifier ? known : nil
        }
        var controller = PairVerifyController(
            identity: try identity("controller"), accessory: try identity("accessory").publicHalf,
            agreement: try Curve25519KeyAgreement(privateKey: bytes("verify_controller_private")))
        let secret = try SharedSecret(bytes("verify_secret"))
        #expect(controller.start() == (try bytes("verify_M1")))
        #expect(
            try accessory.receive(bytes("verify_M1"), newKeyAgreement: { agreement })
                == .send(bytes("verify_M2")))
        #expect(try controller.receive(bytes("verify_M2")) == .send(bytes("verify_M3")))
        #expect(
            try accessory.receive(bytes("verify_M3"))
                == .verified(reply: bytes("verify_M4"), secret, known))
        #expect(try controller.receive(bytes("verify_M4")) == .verified(secret))
        let keys = secret.controlKeys(for: .controller)
        #expect(keys.sending.bytes == (try bytes("control_write")))
        #expect(keys.receiving.bytes == (try bytes("control_read")))
    }

    @Test("messages 5 and 6 of pair-setup match")
    func setup() throws {
        let introduction = PairSetupIntroduction(try SharedSecret(bytes("setup_session_key")))
        for (role, end, message) in [
            (PairingRole.controller, "controller", "setup_M5"), (.accessory, "accessory", "setup_M6"),
        ] {
            let identity = try identity(end)
            #expect(introduction.message(from: role, identity) == (try bytes(message)))
            let list = try TLV8(exactly: bytes(message))
            #expect(try introduction.peer(role, in: list) == identity.publicHalf)
        }
    }
}
