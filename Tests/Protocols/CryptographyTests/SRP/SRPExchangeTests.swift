import Testing
import TuttiCryptography

@Suite("SRP, both sides")
struct SRPExchangeTests {
    static let userName = Array("Pair-Setup".utf8)
    static let password = Array("3939".utf8)

    static func client(password: [UInt8] = password) -> SRPClient<SHA512> {
        SRPClient(group: .rfc5054Bits3072, userName: userName, password: password)
    }

    static func server() -> SRPServer<SHA512> {
        SRPServer(group: .rfc5054Bits3072, userName: userName, password: password)
    }

    @Test("both sides agree on a key of one digest")
    func agree() throws {
        let server = Self.server()
        let sent = try Self.client().respond(salt: server.salt, serverPublicKey: server.publicKey)
        let answer = try server.verify(clientPublicKey: sent.publicKey, clientProof: sent.proof)
        #expect(answer.sessionKey.count == 64)
        #expect(try sent.sessionKey(serverProof: answer.proof) == answer.sessionKey)
    }

    @Test("another password, user name or salt yields a wrong proof")
    func wrongPassword() throws {
        let server = Self.server()
        let other = SRPClient<SHA512>(
            group: .rfc5054Bits3072, userName: Array("Pair-Setuq".utf8), password: Self.password)
        let sent = [
            try Self.client(password: Array("3938".utf8))
                .respond(salt: server.salt, serverPublicKey: server.publicKey),
            try other.respond(salt: server.salt, serverPublicKey: server.publicKey),
            try Self.client().respond(salt: server.salt + [0], serverPublicKey: server.publicKey),
        ]
        for sent in sent {
            #expect(throws: SRPError.wrongProof) {
                try server.verify(clientPublicKey: sent.publicKey, clientProof: sent.proof)
            }
        }
    }

    @Test("a mutated or truncated proof is refused on either side")
    func changedProof() throws {
        let server = Self.server()
        let sent = try Self.client().respond(salt: server.salt, serverPublicKey: server.publicKey)
        let answer = try server.verify(clientPublicKey: sent.publicKey, clientProof: sent.proof)
        for index in answer.proof.indices {
            var proof = answer.proof
            proof[index] ^= 1
            #expect(throws: SRPError.wrongProof) { try sent.sessionKey(serverProof: proof) }
            #expect(throws: SRPError.wrongProof) {
                try sent.sessionKey(serverProof: Array(answer.proof.prefix(index)))
            }
        }
        #expect(throws: SRPError.wrongProof) {
            try server.verify(clientPublicKey: sent.publicKey, clientProof: sent.proof.dropLast())
        }
    }

    static let modulus = SRPGroup.rfc5054Bits3072.modulus
    static let badKeys: [(String, [UInt8])] = [
        ("nothing", []),
        ("zero", [0]),
        ("384 zeros", [UInt8](repeating: 0, count: 384)),
        ("N", modulus),
        ("N with a zero in front", [0] + modulus),
        // The highest bit of N is set, so that twice N has one byte more.
        ("2·N", [1] + modulus.indices.map { modulus[$0] << 1 | (modulus.dropFirst($0 + 1).first ?? 0) >> 7 }),
        ("longer than N", [1] + [UInt8](repeating: 0, count: 384)),
        ("much longer", [UInt8](repeating: 0xFF, count: 5000)),
    ]

    @Test("a public key of zero ends the exchange", arguments: badKeys)
    func badKey(name: String, key: [UInt8]) throws {
        let server = Self.server()
        #expect(throws: SRPError.invalidPublicKey) {
            try server.verify(clientPublicKey: key, clientProof: [UInt8](repeating: 0, count: 64))
        }
        #expect(throws: SRPError.invalidPublicKey) {
            try Self.client().respond(salt: server.salt, serverPublicKey: key)
        }
    }

    @Test("no secret is printed")
    func redacted() throws {
        let server = Self.server()
        let sent = try Self.client().respond(salt: server.salt, serverPublicKey: server.publicKey)
        for text in ["\(server)", "\(Self.client())", "\(sent)", String(reflecting: sent)] {
            #expect(text.contains("redacted"))
            #expect(text.count < 60)
        }
    }
}
