/// The server of SRP-6a, which sends the challenge: the accessory in HomeKit pairing.
///
/// Use each value for one exchange only.
///
/// Source: RFC 5054.
package struct SRPServer<Hash: HashFunction>: Sendable, Redacted {
    /// The salt s, 16 random bytes.
    package let salt: [UInt8]
    /// The public key B, big-endian, without leading zeros.
    package let publicKey: [UInt8]

    private let formulas: SRPFormulas<Hash>
    private let userName: [UInt8]
    private let verifier: [UInt8]
    private let privateValue: [UInt8]

    /// Creates a server with a new salt and private value.
    ///
    /// The salt does not begin with a zero byte, and B has as many significant bytes as N: implementations
    /// differ in how they hash other values (*observed*).
    package init(group: SRPGroup, userName: [UInt8], password: [UInt8]) {
        var generator = SecureRandomGenerator()
        self.init(group: group, userName: userName, password: password, using: &generator)
    }

    /// Creates a server like `init(group:userName:password:)`, with another source of random numbers, for tests.
    package init(
        group: SRPGroup, userName: [UInt8], password: [UInt8],
        using generator: inout some RandomNumberGenerator
    ) {
        let first = UInt8.random(in: 1 ... .max, using: &generator)
        let salt = [first] + generator.bytes(count: SRPLimits.saltByteCount - 1)
        var attempt = 1
        while true {
            self.init(
                group: group, userName: userName, password: password, salt: salt,
                privateValue: generator.bytes(count: SRPLimits.privateValueByteCount))
            if formulas.isFullLength(publicKey) || attempt == SRPLimits.maximumAttempts { return }
            attempt += 1
        }
    }

    /// Creates a server with this salt and private value b, for published examples.
    package init(
        group: SRPGroup, userName: [UInt8], password: [UInt8], salt: [UInt8], privateValue: [UInt8],
        keyForm: SRPKeyForm = .hash
    ) {
        formulas = SRPFormulas(group: group, keyForm: keyForm)
        self.userName = userName
        self.salt = salt
        self.privateValue = privateValue
        verifier = formulas.power(
            formulas.privateKey(salt: salt, userName: userName, password: password))
        publicKey = formulas.serverPublicKey(verifier: verifier, privateValue: privateValue)
    }

    /// Checks the client's A and M1, in constant time.
    ///
    /// - Throws: ``SRPError/invalidPublicKey`` for an A that is zero modulo N or longer than N,
    ///   ``SRPError/wrongProof`` when the client does not know the password. Send no proof then.
    package func verify(
        clientPublicKey: [UInt8], clientProof: [UInt8]
    ) throws(SRPError) -> SRPServerExchange {
        let theirs = try formulas.checked(publicKey: clientPublicKey)
        let scrambler = formulas.scrambler(clientPublicKey: theirs, serverPublicKey: publicKey)
        let secret = formulas.serverSecret(
            clientPublicKey: theirs, verifier: verifier, privateValue: privateValue, scrambler: scrambler)
        let sessionKey = formulas.sessionKey(secret: secret)
        let expected = formulas.clientProof(
            userName: userName, salt: salt, clientPublicKey: theirs, serverPublicKey: publicKey,
            sessionKey: sessionKey)
        guard constantTimeEqual(clientProof, expected) else { throw .wrongProof }
        let proof = formulas.serverProof(
            clientPublicKey: theirs, clientProof: clientProof, sessionKey: sessionKey)
        return SRPServerExchange(sessionKey: sessionKey, proof: proof)
    }
}

/// The result for the server after a correct proof.
package struct SRPServerExchange: Sendable, Redacted {
    /// The session key K, as long as a digest, or as two.
    package let sessionKey: [UInt8]
    /// The proof M2, for the client.
    package let proof: [UInt8]
}
