/// The answer to an HTTP/1.0 request, read piece by piece: a status, a few fields, and the bytes after them.
///
/// A value; the requests are of HTTP/1.0 so that no server cuts its answer into chunks.
struct AnswerReader {
    /// The head of an answer.
    struct Head: Equatable, Sendable {
        let status: Int
        /// The length of the body; `nil` for all until the end of the connection.
        let length: Int?
    }

    /// An answer that is not one of HTTP.
    struct Malformed: Error {}

    /// Bytes of the head: the service sends a few hundred.
    static let headLimit = 65_536

    private(set) var head: Head?
    private var pending: [UInt8] = []

    /// Takes bytes cut anywhere, and returns those of the body.
    mutating func receive(_ bytes: [UInt8]) throws -> [UInt8] {
        if head != nil { return bytes }
        pending += bytes
        guard let end = pending.firstRange(of: Array("\r\n\r\n".utf8)) else {
            guard pending.count <= Self.headLimit else { throw Malformed() }
            return []
        }
        head = try Self.head(pending[..<end.lowerBound])
        defer { pending = [] }
        return Array(pending[end.upperBound...])
    }

    private static func head(_ bytes: ArraySlice<UInt8>) throws -> Head {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]),
            (100...599).contains(status)
        else { throw Malformed() }
        var length: Int?
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            guard let number = Int(parts[1].filter { $0 != " " }), number >= 0 else { throw Malformed() }
            length = number
        }
        return Head(status: status, length: length)
    }
}
