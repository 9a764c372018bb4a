/// The arithmetic of SRP-6a, one function per value, in the standard's letters.
///
/// Integers are big-endian bytes; results carry no leading zero byte.
///
/// Source: RFC 5054, 2.5–2.6, and RFC 2945, 3, for the proofs. The padding is *observed* with AirPlay
/// receivers: to the length of N in k and u, nowhere else; the proofs and K are hashed over integers without
/// leading zero bytes.
package struct SRPFormulas<Hash: HashFunction>: Sendable {
    /// The group of both sides.
    package let group: SRPGroup
    private let keyForm: SRPKeyForm

    /// Creates the formulas of one group.
    package init(group: SRPGroup, keyForm: SRPKeyForm = .hash) {
        (self.group, self.keyForm) = (group, keyForm)
    }

    /// k = H(N ‖ pad(g))
    package var multiplier: [UInt8] {
        Hash.hash(group.modulus + padded([group.generator]))
    }

    /// x = H(s ‖ H(I ‖ ":" ‖ P)), with the salt unchanged.
    package func privateKey(salt: [UInt8], userName: [UInt8], password: [UInt8]) -> [UInt8] {
        Hash.hash(salt + Hash.hash(userName + [UInt8(ascii: ":")] + password))
    }

    /// g^exponent mod N: v from x, A from a.
    package func power(_ exponent: [UInt8]) -> [UInt8] {
        BigNumber([group.generator]).power(BigNumber(exponent), modulo: BigNumber(group.modulus)).bytes
    }

    /// B = (k·v + g^b) mod N
    package func serverPublicKey(verifier: [UInt8], privateValue: [UInt8]) -> [UInt8] {
        let modulus = BigNumber(group.modulus)
        let masked = BigNumber(multiplier).multiplied(by: BigNumber(verifier), modulo: modulus)
        return masked.adding(BigNumber(power(privateValue)), modulo: modulus).bytes
    }

    /// u = H(pad(A) ‖ pad(B))
    package func scrambler(clientPublicKey: [UInt8], serverPublicKey: [UInt8]) -> [UInt8] {
        Hash.hash(padded(clientPublicKey) + padded(serverPublicKey))
    }

    /// S = (B − k·g^x)^(a + u·x) mod N
    package func clientSecret(
        serverPublicKey: [UInt8], privateKey: [UInt8], privateValue: [UInt8], scrambler: [UInt8]
    ) -> [UInt8] {
        let modulus = BigNumber(group.modulus)
        let masked = BigNumber(multiplier).multiplied(by: BigNumber(power(privateKey)), modulo: modulus)
        let base = BigNumber(serverPublicKey).subtracting(masked, modulo: modulus)
        let exponent = BigNumber(scrambler).multiplied(by: BigNumber(privateKey))
            .adding(BigNumber(privateValue))
        return base.power(exponent, modulo: modulus).bytes
    }

    /// S = (A·v^u)^b mod N
    package func serverSecret(
        clientPublicKey: [UInt8], verifier: [UInt8], privateValue: [UInt8], scrambler: [UInt8]
    ) -> [UInt8] {
        let modulus = BigNumber(group.modulus)
        let blinded = BigNumber(verifier).power(BigNumber(scrambler), modulo: modulus)
        let base = BigNumber(clientPublicKey).multiplied(by: blinded, modulo: modulus)
        return base.power(BigNumber(privateValue), modulo: modulus).bytes
    }

    /// K = H(S), or H(S ‖ 0) ‖ H(S ‖ 1) with numbers of four bytes.
    package func sessionKey(secret: [UInt8]) -> [UInt8] {
        let secret = stripped(secret)
        return switch keyForm {
        case .hash: Hash.hash(secret)
        case .twoHashes: Hash.hash(secret + [0, 0, 0, 0]) + Hash.hash(secret + [0, 0, 0, 1])
        }
    }

    /// M1 = H((H(N) xor H(g)) ‖ H(I) ‖ s ‖ A ‖ B ‖ K), with the salt unchanged.
    package func clientProof(
        userName: [UInt8], salt: [UInt8], clientPublicKey: [UInt8], serverPublicKey: [UInt8],
        sessionKey: [UInt8]
    ) -> [UInt8] {
        let mixed = zip(Hash.hash(group.modulus), Hash.hash([group.generator])).map { $0 ^ $1 }
        return Hash.hash(
            mixed + Hash.hash(userName) + salt + stripped(clientPublicKey) + stripped(serverPublicKey)
                + sessionKey)
    }

    /// M2 = H(A ‖ M1 ‖ K)
    package func serverProof(
        clientPublicKey: [UInt8], clientProof: [UInt8], sessionKey: [UInt8]
    ) -> [UInt8] {
        Hash.hash(stripped(clientPublicKey) + clientProof + sessionKey)
    }

    /// Returns a peer's public key without leading zeros.
    ///
    /// - Throws: ``SRPError/invalidPublicKey`` when the key is a multiple of N, which would fix the secret,
    ///   or has more significant bytes than N.
    func checked(publicKey: [UInt8]) throws(SRPError) -> [UInt8] {
        let key = stripped(publicKey)
        guard key.count <= group.byteCount,
            !BigNumber(key).modulo(BigNumber(group.modulus)).isZero
        else { throw .invalidPublicKey }
        return key
    }

    /// Returns whether the value has as many significant bytes as N, so that all padding rules agree.
    func isFullLength(_ value: [UInt8]) -> Bool { value.count == group.byteCount }

    private func padded(_ value: [UInt8]) -> [UInt8] {
        let value = stripped(value)
        return [UInt8](repeating: 0, count: max(0, group.byteCount - value.count)) + value
    }

    private func stripped(_ value: [UInt8]) -> [UInt8] { Array(value.drop { $0 == 0 }) }
}

/// How the session key K follows from the shared value S.
package enum SRPKeyForm: Sendable, Hashable {
    /// K = H(S), as HomeKit.
    case hash
    /// K = H(S ‖ 0) ‖ H(S ‖ 1), each number in four bytes: the pairing of Apple TVs before HomeKit (*observed*).
    case twoHashes
}
