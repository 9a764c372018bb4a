import HomeKitPairing
import Testing
import TuttiCryptography
import TuttiTestSupport

@Suite("A recorded transient pair-setup")
struct RecordedPairSetupTests {
    let recording: [String: Any]

    init() throws {
        recording = try Vectors.dictionary("airplay/pairing-transient.json")
    }

    func bytes(_ name: String) throws -> [UInt8] {
        Vectors.bytes(hex: try #require(recording[name] as? String))
    }

    @Test("the controller repeats the recorded messages and reaches the same secret")
    func controller() throws {
        var controller = PairSetupController(
            password: PairSetup.transientPassword, privateValue: try bytes("a"))
        #expect(controller.start() == (try bytes("M1_request_tlv")))
        #expect(try controller.receive(bytes("M2_response_tlv")) == .send(bytes("M3_request_tlv")))
        let secret = try SharedSecret(bytes("K_session_key"))
        #expect(try controller.receive(bytes("M4_response_tlv")) == .paired(secret))
    }

    @Test("every message has the recorded values")
    func messages() throws {
        let challenge = try TLV8(exactly: bytes("M2_response_tlv"))
        #expect(challenge[.salt] == (try bytes("salt")))
        #expect(challenge[.publicKey] == (try bytes("B")))
        let proof = try TLV8(exactly: bytes("M3_request_tlv"))
        #expect(proof[.publicKey] == (try bytes("A")))
        #expect(proof[.proof] == (try bytes("client_proof_M1")))
        #expect(try TLV8(exactly: bytes("M4_response_tlv"))[.proof] == bytes("server_proof_M2"))
        for name in ["M1_request_tlv", "M2_response_tlv", "M3_request_tlv", "M4_response_tlv"] {
            #expect(try TLV8(exactly: bytes(name)).encoded == bytes(name))
        }
    }

    @Test("another private value does not fit the recorded answer")
    func otherPrivateValue() throws {
        var controller = PairSetupController()
        _ = controller.start()
        _ = try controller.receive(bytes("M2_response_tlv"))
        #expect(throws: PairingError.accessoryNotAuthentic) {
            try controller.receive(bytes("M4_response_tlv"))
        }
    }
}
