/// The fields of a `WWW-Authenticate` or `Authorization` header of HTTP Digest access authentication.
///
/// Source: RFC 2617, 3.2. A field may be quoted or not; a quoted one ends at the next quote.
package struct DigestFields: Sendable, Equatable {
    /// The limit of a header's bytes. Receivers send some 100.
    package static let byteLimit = 2048

    private var values: [String: String] = [:]

    /// Reads the fields after `Digest`.
    ///
    /// - Returns: `nil` for another scheme, and for a header above ``byteLimit``.
    package init?(_ header: String) {
        let scheme = "digest "
        guard header.utf8.count <= Self.byteLimit, header.lowercased().hasPrefix(scheme) else { return nil }
        var rest = header.dropFirst(scheme.count)
        // PipeWire 0.3 names the scheme twice (*observed*).
        if rest.lowercased().hasPrefix(scheme) { rest = rest.dropFirst(scheme.count) }
        while let equals = rest.firstIndex(of: "=") {
            let key = rest[..<equals].filter { $0 != " " && $0 != "," }.lowercased()
            rest = rest[rest.index(after: equals)...]
            let value: Substring
            if rest.first == "\"" {
                rest = rest.dropFirst()
                let end = rest.firstIndex(of: "\"") ?? rest.endIndex
                value = rest[..<end]
                rest = rest[end...].dropFirst()
            } else {
                let end = rest.firstIndex(of: ",") ?? rest.endIndex
                value = rest[..<end]
                rest = rest[end...]
            }
            values[key] = String(value)
        }
    }

    /// The value of a field, by its name in lower case.
    package subscript(name: String) -> String? { values[name] }
}
