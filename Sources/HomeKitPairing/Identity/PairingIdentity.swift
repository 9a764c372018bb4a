public import Cryptography

/// Who one end of a lasting pairing is: its name and its long-term key pair.
///
/// Source: HomeKit Accessory Protocol. An AirPlay receiver gives its `pi` as the name and advertises the
/// public half as `pk`.
public struct PairingIdentity: Sendable, Redacted {
    /// The name as it travels, 1 ... ``PairedPeer/identifierByteLimit`` bytes.
    public let identifier: [UInt8]
    /// Signs what this end says of itself.
    public let key: Ed25519SigningKey

    /// - Parameter identifier: One of ours, e.g. a UUID; 1 ... ``PairedPeer/identifierByteLimit`` bytes of
    ///   UTF-8.
    public init(identifier: String, key: Ed25519SigningKey) {
        let bytes = Array(identifier.utf8)
        precondition((1...PairedPeer.identifierByteLimit).contains(bytes.count), "an impossible identifier")
        self.identifier = bytes
        self.key = key
    }

    /// What the other end keeps of this one.
    public var publicHalf: PairedPeer { PairedPeer(known: identifier, key: key.verifyingKey) }

    /// The signature by which this end shows that it has the key.
    ///
    /// - Parameters:
    ///   - prefix: What comes before the identifier in the signed bytes.
    ///   - suffix: What comes behind it.
    func signature(over prefix: [UInt8], _ suffix: [UInt8]) -> [UInt8] {
        do {
            return try key.signature(for: prefix + identifier + suffix)
        } catch {
            // Only a libcrypto without memory or without the algorithm.
            preconditionFailure("cannot sign: \(error)")
        }
    }
}
