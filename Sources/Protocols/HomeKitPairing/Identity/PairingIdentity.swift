import TuttiCryptography

/// The identity of one end of a persistent pairing: its name and its long-term key pair.
///
/// Source: HomeKit Accessory Protocol. An AirPlay receiver uses its `pi` as the name and advertises the
/// public half as `pk`.
package struct PairingIdentity: Sendable, Redacted {
    /// The name as encoded, 1 ... ``PairedPeer/identifierByteLimit`` bytes.
    package let identifier: [UInt8]
    /// The key that signs this end's messages.
    package let key: Ed25519SigningKey

    /// - Parameter identifier: Our own name, e.g. a UUID; 1 ... ``PairedPeer/identifierByteLimit`` bytes of UTF-8.
    package init(identifier: String, key: Ed25519SigningKey) {
        let bytes = Array(identifier.utf8)
        precondition((1...PairedPeer.identifierByteLimit).contains(bytes.count), "an impossible identifier")
        self.identifier = bytes
        self.key = key
    }

    /// The part that the other end stores.
    package var publicHalf: PairedPeer { PairedPeer(known: identifier, key: key.verifyingKey) }

    /// Returns the signature by which this end proves that it has the key.
    ///
    /// - Parameters:
    ///   - prefix: The signed bytes before the identifier.
    ///   - suffix: The signed bytes after the identifier.
    func signature(over prefix: [UInt8], _ suffix: [UInt8]) -> [UInt8] {
        do {
            return try key.signature(for: prefix + identifier + suffix)
        } catch {
            // Fails only on a libcrypto without memory or without the algorithm.
            preconditionFailure("cannot sign: \(error)")
        }
    }
}
