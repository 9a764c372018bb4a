public import Cryptography

/// The other end of a lasting pairing, as it is kept: its name and its public key.
public struct PairedPeer: Hashable, Sendable {
    /// Most bytes of an identifier. Peers use UUIDs of 36 characters or device ids of 17.
    public static let identifierByteLimit = 64

    /// The name as it travels; UTF-8 by the standard, and taken as bytes.
    public let identifier: [UInt8]
    /// What checks the peer's signatures.
    public let key: Ed25519VerifyingKey

    /// - Returns: `nil` for an identifier without bytes or with more than ``identifierByteLimit``.
    public init?(identifier: [UInt8], key: Ed25519VerifyingKey) {
        guard (1...Self.identifierByteLimit).contains(identifier.count) else { return nil }
        self.init(known: identifier, key: key)
    }

    init(known identifier: [UInt8], key: Ed25519VerifyingKey) {
        self.identifier = identifier
        self.key = key
    }

    /// Whether the holder of the key signed these bytes with the peer's identifier between them.
    func signed(_ signature: [UInt8], over prefix: [UInt8], _ suffix: [UInt8]) -> Bool {
        key.isValid(signature: signature, for: prefix + identifier + suffix)
    }
}

extension PairedPeer: CustomStringConvertible {
    /// The identifier in printable ASCII, other bytes as `?`.
    public var description: String {
        String(decoding: identifier.map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }
}

extension PairedPeer {
    /// Reads identifier and public key of a message.
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
