import Foundation

/// One item of the metadata stream that shairport-sync writes, so that the tools of its users go on working.
///
/// XML of a fixed shape: type and code as eight hexadecimal digits, the data in base64 on a line of its own.
struct MetadataItem: Equatable {
    /// `core` for what came from the sender's library, `ssnc` for what the speaker itself has to tell.
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
