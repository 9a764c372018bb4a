import Testing
import TuttiCryptography
import TuttiTestSupport

@Suite("Every value of a recorded pairing")
struct RecordedPairingValuesTests {
    let formulas = SRPFormulas<SHA512>(group: .rfc5054Bits3072)
    let recording: [String: Any]

    init() throws {
        recording = try Vectors.dictionary("airplay/pairing-transient.json")
    }

    func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](hex: try #require(recording[name] as? String))
    }

    func text(_ name: String) throws -> [UInt8] {
        Array(try #require(recording[name] as? String).utf8)
    }

    @Test("x, k, A, u, S and K match")
    func values() throws {
        #expect(
            try formulas.privateKey(
                salt: bytes("salt"), userName: text("username"), password: text("pin")) == bytes("x"))
        #expect(try formulas.multiplier == bytes("k"))
        #expect(try formulas.power(bytes("a")) == bytes("A"))
        #expect(
            try formulas.scrambler(clientPublicKey: bytes("A"), serverPublicKey: bytes("B")) == bytes("u"))
        #expect(
            try formulas.clientSecret(
                serverPublicKey: bytes("B"), privateKey: bytes("x"), privateValue: bytes("a"),
                scrambler: bytes("u")) == bytes("S"))
        #expect(try formulas.sessionKey(secret: bytes("S")) == bytes("K_session_key"))
    }

    @Test("both proofs match")
    func proofs() throws {
        #expect(
            try formulas.clientProof(
                userName: text("username"), salt: bytes("salt"), clientPublicKey: bytes("A"),
                serverPublicKey: bytes("B"), sessionKey: bytes("K_session_key"))
                == bytes("client_proof_M1"))
        #expect(
            try formulas.serverProof(
                clientPublicKey: bytes("A"), clientProof: bytes("client_proof_M1"),
                sessionKey: bytes("K_session_key")) == bytes("server_proof_M2"))
    }

    @Test("the client repeats the recorded messages")
    func client() throws {
        let client = SRPClient<SHA512>(
            group: .rfc5054Bits3072, userName: try text("username"), password: try text("pin"))
        let sent = try client.respond(
            salt: bytes("salt"), serverPublicKey: bytes("B"), privateValue: bytes("a"))
        #expect(sent.publicKey == (try bytes("A")))
        #expect(sent.proof == (try bytes("client_proof_M1")))
        #expect(try sent.sessionKey(serverProof: bytes("server_proof_M2")) == bytes("K_session_key"))
    }
}
