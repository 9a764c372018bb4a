import TuttiCryptography

/// The other end of a persistent pairing, as stored: its name and its public key.
package struct PairedPeer: Hashable, Sendable {
    /// The limit of an identifier's bytes. Peers use UUIDs of 36 characters or device IDs of 17.
    package static let identifierByteLimit = 64

    /// The name as encoded; UTF-8 by the standard, but treated as bytes.
    package let identifier: [UInt8]
    /// The key that verifies the peer's signatures.
    package let key: Ed25519VerifyingKey

    /// - Returns: `nil` for an identifier that is empty or longer than ``identifierByteLimit``.
    package init?(identifier: [UInt8], key: Ed25519VerifyingKey) {
        guard (1...Self.identifierByteLimit).contains(identifier.count) else { return nil }
        self.init(known: identifier, key: key)
    }

    init(known identifier: [UInt8], key: Ed25519VerifyingKey) {
        self.identifier = identifier
        self.key = key
    }

    /// Returns whether the holder of the key signed `prefix` ‖ the peer's identifier ‖ `suffix`.
    func signed(_ signature: [UInt8], over prefix: [UInt8], _ suffix: [UInt8]) -> Bool {
        key.isValid(signature: signature, for: prefix + identifier + suffix)
    }
}

extension PairedPeer: CustomStringConvertible {
    /// The identifier in printable ASCII, with `?` for other bytes.
    package var description: String {
        String(decoding: identifier.map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }
}

extension PairedPeer {
    /// Reads the identifier and the public key of a message.
    init(of message: TLV8) throws(PairingError) {
        let bytes = try PairingMessage.value(.publicKey, of: message)
        let identifier = try PairingMessage.value(.identifier, of: message)
        guard let key = try? Ed25519VerifyingKey(bytes) else { throw .invalidPublicKey }
        guard let peer = PairedPeer(identifier: identifier, key: key) else {
            throw .malformed(
                .outOfRange(field: "identifier byte count", value: UInt64(identifier.count)))
        }
        self = peer
    }
}
