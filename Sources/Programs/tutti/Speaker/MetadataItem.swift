import Foundation

/// An item of the metadata stream that shairport-sync defines, for compatibility with its users' tools.
///
/// XML of a fixed shape: type and code as eight hexadecimal digits each, the data in base64 on its own line.
struct MetadataItem: Equatable {
    /// The origin: `core` for data from the sender's library, `ssnc` for the speaker's own.
    let type: String
    /// Four ASCII characters.
    let code: String
    let data: [UInt8]

    init(_ type: String, _ code: String, _ data: [UInt8] = []) {
        self.type = type
        self.code = code
        self.data = data
    }

    init(_ type: String, _ code: String, _ text: String) { self.init(type, code, Array(text.utf8)) }

    var encoded: [UInt8] {
        let head =
            "<item><type>\(Self.hex(type))</type><code>\(Self.hex(code))</code><length>\(data.count)</length>"
        guard !data.isEmpty else { return Array("\(head)</item>\n".utf8) }
        let base64 = Data(data).base64EncodedString()
        return Array("\(head)\n<data encoding=\"base64\">\n\(base64)</data></item>\n".utf8)
    }

    private static func hex(_ code: String) -> String {
        code.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
