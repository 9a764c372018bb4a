import TuttiSystemIO

/// Addresses of files, as desktops have them.
package enum FileAddress {
    /// Returns `file://…` of an absolute path.
    package static func address(ofPath path: String) -> String {
        "file://"
            + PercentCoding.encode(path) {
                PercentCoding.isUnreserved($0) || "/!$&'()*+,;=:@".utf8.contains($0)
            }
    }

    /// Returns the path of a file of this machine; `nil` for another address.
    package static func path(of address: String) -> String? {
        // Bytes and not characters: a slash and a combining mark after it are one character.
        let bytes = address.utf8
        guard lowercased(bytes.prefix(5)) == "file:" else { return nil }
        var rest = bytes.dropFirst(5)
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let host = rest.prefix { $0 != UInt8(ascii: "/") }
            guard host.isEmpty || lowercased(host) == "localhost" else { return nil }
            rest = rest.dropFirst(host.count)
        }
        guard rest.first == UInt8(ascii: "/"), let path = PercentCoding.decode(Substring(rest)),
            !path.contains(0)
        else { return nil }
        return String(validating: path, as: UTF8.self)
    }

    /// Returns an address of the web without a user's name and password.
    package static func withoutUser(_ address: String) -> String {
        let bytes = Array(address.utf8)
        guard let colon = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }) else {
            return address
        }
        let start = colon + 3
        let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return address }
        return String(decoding: bytes[..<start] + bytes[(at + 1)...], as: UTF8.self)
    }

    private static func lowercased(_ bytes: Substring.UTF8View) -> String {
        String(decoding: bytes, as: UTF8.self).lowercased()
    }
}
