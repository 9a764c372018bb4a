/// The status and headers of a response.
package struct WebHead: Sendable {
    /// The HTTP status code.
    package var status = 0
    /// Header fields; names in lower case.
    package var headers: [(name: String, value: String)] = []

    /// Creates a head of a status and headers, in this order.
    package init(status: Int, headers: [(name: String, value: String)] = []) {
        self.status = status
        self.headers = headers
    }

    /// Returns the first value of a field; the name must be in lower case.
    package subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The declared length of the body.
    var contentLength: Int64? { self["content-length"].flatMap(Self.length) }

    /// Whether the server declares support for range requests.
    var acceptsRanges: Bool { self["accept-ranges"]?.lowercased() == "bytes" }

    /// The identifier of this version of the resource: a strong `ETag`, or the date.
    var validator: String? {
        if let tag = self["etag"], tag.hasPrefix("\""), tag.utf8.count < 1024 { return tag }
        return self["last-modified"].flatMap { $0.utf8.count < 128 ? $0 : nil }
    }

    var isEncoded: Bool {
        guard let encoding = self["content-encoding"]?.lowercased() else { return false }
        return encoding != "identity" && !encoding.isEmpty
    }

    /// Whether the body is compressed more than once. No server needs that, and it turns a few KiB into
    /// terabytes.
    var isEncodedTwice: Bool {
        let names = headers.filter { $0.name == "content-encoding" }.flatMap {
            $0.value.split(separator: ",")
        }
        return names.count { String($0).trimmed.lowercased() != "identity" } > 1
    }

    /// Whether the response is an endless radio stream.
    var isRadio: Bool {
        headers.contains { $0.name.hasPrefix("icy-") }
            || self["server"]?.lowercased().hasPrefix("icecast") == true && contentLength == nil
    }

    /// Bytes of sound between two titles of a radio stream; `nil` if there are none, or no plausible number.
    var titleInterval: Int? {
        self["icy-metaint"].flatMap { Int($0) }.flatMap { (1...16 << 20).contains($0) ? $0 : nil }
    }

    /// The bytes in the response, and the total.
    var contentRange: ContentRange? { self["content-range"].flatMap(ContentRange.init) }

    static func length(_ text: some StringProtocol) -> Int64? {
        Int64(text).flatMap { $0 >= 0 && $0 < 1 << 60 ? $0 : nil }
    }
}

/// A parsed `Content-Range` header: the bytes in a response, and the total.
///
/// Layout: `bytes 0-499/1234`, `bytes 0-499/*`, `bytes */1234`. Source: RFC 9110, 14.4.
struct ContentRange: Hashable {
    /// The first byte; `nil` if the requested range is not available.
    var first: Int64?
    var last: Int64?
    /// The total length; `nil` if the server does not declare it.
    var total: Int64?

    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] != "*" {
            guard let total = WebHead.length(parts[1]) else { return nil }
            self.total = total
        }
        if parts[0] == "*" { return }
        let ends = parts[0].split(separator: "-")
        guard ends.count == 2, let first = WebHead.length(ends[0]), let last = WebHead.length(ends[1]),
            first <= last
        else { return nil }
        (self.first, self.last) = (first, last)
    }
}

/// A parser that assembles response heads from their lines, within limits.
struct WebHeadParser {
    static let byteLimit = 64 << 10
    static let lineLimit = 256
    /// The most heads for one request: redirects and interim responses.
    static let headLimit = 2 * WebLimits.redirects + 4

    private var head: WebHead?
    private var byteCount = 0
    private var lineCount = 0
    private var headCount = 0

    /// Parses one line, including its end.
    ///
    /// - Returns: The head, if this line ends it.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(WebError) -> WebHead? {
        byteCount += line.count
        lineCount += 1
        if byteCount > Self.byteLimit || lineCount > Self.lineLimit { throw .endlessHead }
        // Text that is not valid UTF-8 is usually old Latin-1.
        let bytes = Array(line)
        let text =
            (String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
            .trimmed
        if text.isEmpty { return end() }
        if head == nil || text.hasPrefix("HTTP/") {
            try begin(text)
        } else if let colon = text.firstIndex(of: ":") {
            let name = text[..<colon].lowercased()
            head?.headers.append((name, String(text[text.index(after: colon)...]).trimmed))
        }
        return nil
    }

    private mutating func begin(_ text: String) throws(WebError) {
        headCount += 1
        (byteCount, lineCount) = (text.utf8.count, 1)
        if headCount > Self.headLimit { throw .endlessHead }
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count > 1, let status = Int(words[1]), (100..<1000).contains(status) else {
            throw .badAnswer("it is not HTTP")
        }
        head = WebHead(status: status)
    }

    private mutating func end() -> WebHead? {
        let whole = head
        head = nil
        return whole
    }
}

extension String {
    /// The text without leading and trailing white space.
    var trimmed: String {
        var rest = unicodeScalars[...]
        while let first = rest.first, first.properties.isWhitespace { rest = rest.dropFirst() }
        while let last = rest.last, last.properties.isWhitespace { rest = rest.dropLast() }
        return String(String.UnicodeScalarView(rest))
    }
}
