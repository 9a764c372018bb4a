/// A strong entity tag: the name of one version of a body (RFC 9110, 8.8.3).
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The text between the quotes.
    package let text: String

    /// Names the tag of a version that has a name. Keeps only characters that a tag may have.
    package init(_ text: String) {
        self.text = String(
            decoding: text.utf8.filter { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }

    /// Makes the tag of bytes: a 64-bit FNV-1a hash and the length. Distinguishes versions, but does not detect forgeries.
    package init(of bytes: [UInt8]) {
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        self.init(String(hash, radix: 16) + "-" + String(bytes.count, radix: 16))
    }

    /// The tag as it is in headers.
    package var description: String { "\"\(text)\"" }

    /// Whether an `If-None-Match` field names this tag, also as a weak one, or any with `*`.
    package func matches(ifNoneMatch field: String) -> Bool {
        field.split(separator: ",").contains { part in
            let tag = part.trimmingPrefix { $0 == " " || $0 == "\t" }
            let strong = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
            return tag.first == "*" || strong.hasPrefix(description)
        }
    }
}

extension HTTPResponse {
    /// Adds the tag, and omits the body if the client has this version (status 304).
    package func tagged(_ tag: EntityTag, for request: HTTPRequest) -> HTTPResponse {
        var response = self
        response.headers["ETag"] = tag.description
        if request.method == .get || request.method == .head,
            request.headers.all("If-None-Match").contains(where: tag.matches(ifNoneMatch:))
        {
            response.status = 304
            response.body = .bytes([])
        }
        return response
    }
}
