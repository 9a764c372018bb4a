internal import Cryptography
import Foundation

/// The form in which a ``SpeakerIdentity`` is kept: JSON that a person can read.
struct IdentityFile: Codable {
    var version = 1
    let deviceID: String
    let publicID: String
    let publicSystemID: String
    /// 64 hexadecimal digits. The secret of the file.
    let privateKey: String

    init(_ identity: SpeakerIdentity) {
        deviceID = identity.deviceID
        publicID = identity.publicID
        publicSystemID = identity.publicSystemID
        privateKey = Hex.text(identity.key.bytes)
    }

    /// - Returns: `nil` when it is no identity.
    var identity: SpeakerIdentity? {
        guard version == 1, let bytes = Hex.bytes(privateKey), let key = try? Ed25519SigningKey(bytes) else {
            return nil
        }
        return SpeakerIdentity(
            deviceID: deviceID, publicID: publicID, publicSystemID: publicSystemID, key: key)
    }
}

/// Bytes as hexadecimal digits.
enum Hex {
    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// - Returns: `nil` for anything but an even number of digits.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

/// JSON with stable bytes, for files that are compared.
enum StableJSON {
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Our own values of strings and numbers; they always have a JSON form.
        return Array((try? encoder.encode(value)) ?? Data()) + [0x0A]
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
        try? JSONDecoder().decode(type, from: Data(bytes))
    }
}
