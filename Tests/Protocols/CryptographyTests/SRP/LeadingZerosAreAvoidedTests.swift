import Testing
import TuttiCryptography
import TuttiTestSupport

/// The padding trap: A, B, S and the salt begin with a zero byte in one run of 256 each, and peers
/// hash such values in different ways.
@Suite("Leading zero bytes")
struct LeadingZerosAreAvoidedTests {
    static let group = SRPGroup.rfc5054Bits1024
    static let formulas = SRPFormulas<SHA1>(group: group)
    static let userName = Array("alice".utf8)
    static let password = Array("password123".utf8)

    static let client = SRPClient<SHA1>(group: group, userName: userName, password: password)

    static func server(salt: [UInt8], privateValue: [UInt8]) -> SRPServer<SHA1> {
        SRPServer(
            group: group, userName: userName, password: password, salt: salt, privateValue: privateValue)
    }

    /// A number as 32 bytes.
    static func privateValue(_ number: UInt32) -> [UInt8] {
        [1] + [UInt8](repeating: 0, count: 27)
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The first private values, counted up, that make a value short.
    static func first(where isShort: ([UInt8]) throws -> Bool) throws -> [UInt8] {
        for number in 0..<5_000 as Range<UInt32> where try isShort(privateValue(number)) {
            return privateValue(number)
        }
        throw NotFound()
    }

    struct NotFound: Error {}

    static func secret(a: [UInt8], server: SRPServer<SHA1>) -> [UInt8] {
        formulas.clientSecret(
            serverPublicKey: server.publicKey,
            privateKey: formulas.privateKey(salt: server.salt, userName: userName, password: password),
            privateValue: a,
            scrambler: formulas.scrambler(
                clientPublicKey: formulas.power(a), serverPublicKey: server.publicKey))
    }

    static func expectAgreement(a: [UInt8], _ server: SRPServer<SHA1>) throws {
        let sent = try client.respond(
            salt: server.salt, serverPublicKey: server.publicKey, privateValue: a)
        let answer = try server.verify(clientPublicKey: sent.publicKey, clientProof: sent.proof)
        #expect(try sent.sessionKey(serverProof: answer.proof) == answer.sessionKey)
    }

    @Test("with a short A both sides agree, and a padded A counts as the same")
    func shortA() throws {
        let server = Self.server(salt: [1, 2, 3], privateValue: Self.privateValue(77))
        let a = try Self.first { Self.formulas.power($0).count < 128 }
        try Self.expectAgreement(a: a, server)
        let sent = try Self.client.respond(
            salt: server.salt, serverPublicKey: server.publicKey, privateValue: a)
        let padded = [UInt8](repeating: 0, count: 128 - sent.publicKey.count) + sent.publicKey
        let answer = try server.verify(clientPublicKey: padded, clientProof: sent.proof)
        #expect(try sent.sessionKey(serverProof: answer.proof) == answer.sessionKey)
    }

    @Test("with a short B both sides agree, and a padded B counts as the same")
    func shortB() throws {
        let b = try Self.first { Self.server(salt: [1], privateValue: $0).publicKey.count < 128 }
        let server = Self.server(salt: [1], privateValue: b)
        try Self.expectAgreement(a: Self.privateValue(5), server)
        let padded = [0] + server.publicKey
        #expect(padded.count == 128)
        let sent = try Self.client.respond(
            salt: server.salt, serverPublicKey: padded, privateValue: Self.privateValue(5))
        let answer = try server.verify(clientPublicKey: sent.publicKey, clientProof: sent.proof)
        #expect(try sent.sessionKey(serverProof: answer.proof) == answer.sessionKey)
    }

    @Test("with a short S both sides agree, and K is the hash without the zeros")
    func shortS() throws {
        let server = Self.server(salt: [1], privateValue: Self.privateValue(6))
        let a = try Self.first { Self.secret(a: $0, server: server).count < 128 }
        try Self.expectAgreement(a: a, server)
        let secret = Self.secret(a: a, server: server)
        #expect(Self.formulas.sessionKey(secret: [0] + secret) == SHA1.hash(secret))
        #expect(SHA1.hash([0] + secret) != SHA1.hash(secret))
    }

    @Test("a salt is a string of bytes: a leading zero is part of it")
    func salt() throws {
        let server = Self.server(salt: [0, 7], privateValue: Self.privateValue(8))
        try Self.expectAgreement(a: Self.privateValue(9), server)
        let sent = try Self.client.respond(
            salt: [7], serverPublicKey: server.publicKey, privateValue: Self.privateValue(9))
        #expect(throws: SRPError.wrongProof) {
            try server.verify(clientPublicKey: sent.publicKey, clientProof: sent.proof)
        }
    }

    @Test("our client never sends a short A nor makes a short S")
    func clientChoosesAgain() throws {
        var server = SeededGenerator(seed: 1)
        let challenge = SRPServer<SHA1>(
            group: Self.group, userName: Self.userName, password: Self.password, using: &server)
        var choices = 0
        let runs = 400
        for seed in 0..<runs {
            var generator = CountingGenerator(SeededGenerator(seed: UInt64(seed)))
            let sent = try Self.client.respond(
                salt: challenge.salt, serverPublicKey: challenge.publicKey, using: &generator)
            choices += generator.count / 32
            #expect(sent.publicKey.count == 128)
        }
        // About one first choice in 128 is short; without one this test would prove nothing.
        #expect(choices > runs)
        #expect(choices < runs + 30)
    }

    @Test("our server never sends a short B nor a salt with a leading zero")
    func serverChoosesAgain() {
        var choices = 0
        let runs = 600
        for seed in 0..<runs {
            var generator = CountingGenerator(SeededGenerator(seed: UInt64(seed)))
            let server = SRPServer<SHA1>(
                group: Self.group, userName: Self.userName, password: Self.password, using: &generator)
            choices += (generator.count - 16) / 32
            #expect(server.publicKey.count == 128)
            #expect(server.salt.count == 16)
            #expect(server.salt.first != 0)
        }
        #expect(choices > runs)
        #expect(choices < runs + 30)
    }
}

/// Counts the numbers taken; one per byte of a private value.
struct CountingGenerator: RandomNumberGenerator {
    private var base: SeededGenerator
    private(set) var count = 0

    init(_ base: SeededGenerator) { self.base = base }

    mutating func next() -> UInt64 {
        count += 1
        return base.next()
    }
}
