import TuttiCryptography
import TuttiSystemIO

/// The stored form of a ``SpeakerIdentity``: human-readable JSON.
struct IdentityFile: Codable {
    var version = 1
    let deviceID: String
    let publicID: String
    let publicSystemID: String
    /// The private key, 64 hexadecimal digits: the secret of the file.
    let privateKey: String

    init(_ identity: SpeakerIdentity) {
        deviceID = identity.deviceID
        publicID = identity.publicID
        publicSystemID = identity.publicSystemID
        privateKey = Hex.text(identity.key.bytes)
    }

    /// - Returns: `nil` if a field is invalid or the version is unknown.
    var identity: SpeakerIdentity? {
        guard version == 1, let bytes = Hex.bytes(privateKey), let key = try? Ed25519SigningKey(bytes) else {
            return nil
        }
        return SpeakerIdentity(
            deviceID: deviceID, publicID: publicID, publicSystemID: publicSystemID, key: key)
    }
}
