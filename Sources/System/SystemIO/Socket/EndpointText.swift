/// A typed `HOST[:PORT]`: a host name, IPv4, or IPv6 with or without brackets.
package struct EndpointText: Equatable, Sendable {
    /// A name, or an address without brackets; may include a scope.
    package let host: String
    /// 1 ... 65535.
    package let port: UInt16

    /// Parses a text as a user typed it.
    ///
    /// - Returns: `nil` without a host, or with a port outside 1 ... 65535.
    package init?(_ text: String, defaultPort: UInt16) {
        guard let (host, portText) = Self.split(text), !host.isEmpty else { return nil }
        guard let portText else {
            self.host = host
            port = defaultPort
            return
        }
        guard portText.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(portText), port > 0 else {
            return nil
        }
        self.host = host
        self.port = port
    }

    /// Returns the port of a text that is an address with a number outside 1 ... 65535; `nil` for any other text.
    package static func excessivePort(of text: String) -> String? {
        guard case (let host, let port?)? = split(text), IPAddress(host) != nil, !port.isEmpty,
            port.allSatisfy({ $0.isASCII && $0.isNumber }), UInt16(port) ?? 0 == 0
        else { return nil }
        return port
    }

    private static func split(_ text: String) -> (host: String, port: String?)? {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let host = String(text[text.index(after: text.startIndex)..<end])
            let rest = text[text.index(after: end)...]
            if rest.isEmpty { return (host, nil) }
            return rest.first == ":" ? (host, String(rest.dropFirst())) : nil
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return (text, nil)
        case 2: return (String(parts[0]), String(parts[1]))
        // Bare IPv6: the whole text is the address.
        default: return (text, nil)
        }
    }
}
