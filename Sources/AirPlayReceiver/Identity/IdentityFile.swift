internal import Cryptography
import Foundation

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

/// Hexadecimal coding of bytes.
enum Hex {
    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// - Returns: `nil` unless the text is an even number of hexadecimal digits.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

/// JSON with a stable byte representation, for files that are compared.
enum StableJSON {
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Cannot fail: the encoded types are ours and hold strings and numbers only.
        return Array((try? encoder.encode(value)) ?? Data()) + [0x0A]
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
        try? JSONDecoder().decode(type, from: Data(bytes))
    }
}
