import Foundation

/// The recorded samples under `Tests/Support/TestSupport/Vectors`.
package enum Vectors {
    /// The decoded JSON of one file, e.g. `"airplay/tlv8.json"`.
    package static func json(_ path: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appendingPathComponent(path)))
    }

    package static func dictionary(_ path: String) throws -> [String: Any] {
        guard let value = try json(path) as? [String: Any] else { throw CocoaError(.coderReadCorrupt) }
        return value
    }

    /// Parses a string of hexadecimal digits; spaces are skipped.
    package static func bytes(hex: String) -> [UInt8] {
        let digits = hex.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Vectors")
}
