import Foundation

/// The text of a small file that somebody wrote with an unknown encoding.
enum PlainText {
    /// The most bytes of a cue sheet or a playlist; larger files are ignored.
    static let byteLimit = 1 << 20

    /// Decodes UTF-8, or UTF-16 with a byte order mark, else Latin-1.
    static func decode(_ bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return String(bytes: bytes, encoding: .utf16) ?? ""
        }
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
