/// A web address with its host, for messages and comparisons. libcurl parses the address by itself.
package struct WebAddress: Hashable, Sendable {
    /// The address as given.
    package let text: String
    /// The host without port, user and password.
    package let host: String

    /// The most bytes of an address; longer addresses are rejected.
    static let lengthLimit = 8192

    /// Parses an address.
    ///
    /// - Throws: ``WebError`` if the text is no valid `http` or `https` address.
    package init(_ text: String) throws(WebError) {
        let start = text.prefix(8).lowercased()
        let schemeLength = start.hasPrefix("http://") ? 7 : start.hasPrefix("https://") ? 8 : 0
        guard schemeLength > 0, text.utf8.count <= Self.lengthLimit,
            !text.unicodeScalars.contains(where: { $0.value <= 32 || $0.value == 127 })
        else { throw .invalidAddress }
        let authority = text.dropFirst(schemeLength).prefix { !"/?#".contains($0) }
        let server = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let host =
            server.hasPrefix("[")
            ? server.dropFirst().prefix { $0 != "]" } : server.prefix { $0 != ":" }
        guard !host.isEmpty else { throw .invalidAddress }
        self.text = text
        self.host = String(host)
    }

    /// Returns the address without user and password, for display.
    package static func withoutCredentials(_ text: String) -> String {
        guard let scheme = text.range(of: "://") else { return text }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return text }
        return String(text[..<scheme.upperBound] + rest[rest.index(after: at)...])
    }
}

extension String {
    /// Returns the first occurrence of a short text.
    fileprivate func range(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
            start = index(after: start)
        }
        return nil
    }
}
