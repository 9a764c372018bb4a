/// The client of SRP-6a, which knows the password: the controller in HomeKit pairing.
///
/// Source: RFC 5054.
package struct SRPClient<Hash: HashFunction>: Sendable, Redacted {
    private let formulas: SRPFormulas<Hash>
    private let userName: [UInt8]
    private let password: [UInt8]

    /// Creates a client with this password; it keeps no state between exchanges.
    package init(
        group: SRPGroup, userName: [UInt8], password: [UInt8], keyForm: SRPKeyForm = .hash
    ) {
        formulas = SRPFormulas(group: group, keyForm: keyForm)
        self.userName = userName
        self.password = password
    }

    /// Answers the server's salt and public key B with a new private value.
    ///
    /// Retries until A and S have as many significant bytes as N: implementations differ in how they hash
    /// shorter values (*observed*), and then agree only in about 254 of 256 runs. Costs a few modular powers,
    /// some milliseconds with 3072 bits.
    ///
    /// - Throws: ``SRPError/invalidPublicKey`` for a B that is zero modulo N or longer than N.
    package func respond(
        salt: [UInt8], serverPublicKey: [UInt8]
    ) throws(SRPError) -> SRPClientExchange {
        var generator = SecureRandomGenerator()
        return try respond(salt: salt, serverPublicKey: serverPublicKey, using: &generator)
    }

    /// Answers like ``respond(salt:serverPublicKey:)``, with another source of random numbers, for tests.
    package func respond(
        salt: [UInt8], serverPublicKey: [UInt8], using generator: inout some RandomNumberGenerator
    ) throws(SRPError) -> SRPClientExchange {
        var attempt = 1
        while true {
            let value = generator.bytes(count: SRPLimits.privateValueByteCount)
            let (exchange, isFullLength) = try exchange(
                salt: salt, serverPublicKey: serverPublicKey, privateValue: value)
            if isFullLength || attempt == SRPLimits.maximumAttempts { return exchange }
            attempt += 1
        }
    }

    /// Answers like ``respond(salt:serverPublicKey:)``, with this private value a, for published examples.
    package func respond(
        salt: [UInt8], serverPublicKey: [UInt8], privateValue: [UInt8]
    ) throws(SRPError) -> SRPClientExchange {
        try exchange(salt: salt, serverPublicKey: serverPublicKey, privateValue: privateValue).exchange
    }

    private func exchange(
        salt: [UInt8], serverPublicKey: [UInt8], privateValue: [UInt8]
    ) throws(SRPError) -> (exchange: SRPClientExchange, isFullLength: Bool) {
        let theirs = try formulas.checked(publicKey: serverPublicKey)
        let ours = formulas.power(privateValue)
        let secret = formulas.clientSecret(
            serverPublicKey: theirs,
            privateKey: formulas.privateKey(salt: salt, userName: userName, password: password),
            privateValue: privateValue,
            scrambler: formulas.scrambler(clientPublicKey: ours, serverPublicKey: theirs))
        let sessionKey = formulas.sessionKey(secret: secret)
        let proof = formulas.clientProof(
            userName: userName, salt: salt, clientPublicKey: ours, serverPublicKey: theirs,
            sessionKey: sessionKey)
        let expected = formulas.serverProof(
            clientPublicKey: ours, clientProof: proof, sessionKey: sessionKey)
        let exchange = SRPClientExchange(
            publicKey: ours, proof: proof, unconfirmedKey: sessionKey, expectedServerProof: expected)
        return (exchange, formulas.isFullLength(ours) && formulas.isFullLength(secret))
    }
}

/// The values that the client sends, and those that it then expects.
package struct SRPClientExchange: Sendable, Redacted {
    /// The public key A, big-endian, without leading zeros.
    package let publicKey: [UInt8]
    /// The proof M1.
    package let proof: [UInt8]

    let unconfirmedKey: [UInt8]
    let expectedServerProof: [UInt8]

    /// Returns the session key K, once the server has proven that it has K, too. Compares in constant time.
    ///
    /// - Throws: ``SRPError/wrongProof`` when the proof differs.
    package func sessionKey(serverProof: [UInt8]) throws(SRPError) -> [UInt8] {
        guard constantTimeEqual(serverProof, expectedServerProof) else { throw .wrongProof }
        return unconfirmedKey
    }
}

extension RandomNumberGenerator {
    mutating func bytes(count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}
