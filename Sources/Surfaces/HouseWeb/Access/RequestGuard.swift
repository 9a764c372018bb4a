import TuttiHTTPService
import TuttiSystemIO

/// The rules that keep pages of other sites from using a browser to control the house.
package struct RequestGuard: Sendable, Hashable {
    /// The names that clients may ask for, in lower case; addresses and `localhost` are always allowed.
    package let hostNames: Set<String>

    /// Makes the rules.
    ///
    /// - Parameters:
    ///   - hostName: This machine's name; also allowed without its domain, and with `.local`.
    ///   - others: Further names, such as that of a proxy.
    package init(hostName: String, others: [String] = []) {
        let own = hostName.lowercased()
        let short = own.split(separator: ".").first.map(String.init) ?? own
        hostNames = Set(([own, short, short + ".local", "localhost"] + others.map { $0.lowercased() }))
            .subtracting(["", ".local"])
    }

    /// Returns why a request is refused; `nil` if it is not.
    package func refusal(of request: HTTPRequest) -> Problem? {
        guard let host = request.headers["Host"]?.lowercased(), let name = Self.name(of: host) else {
            return .invalid("The request needs a Host field with a name or an address.")
        }
        guard IPAddress(name) != nil || hostNames.contains(name) else {
            return Problem(
                status: 421, code: "wrongHost",
                detail: "This service does not accept the name “\(name.prefix(80))”. Use its address, or"
                    + " add the name to the configuration.")
        }
        if request.method.isSafe { return nil }
        let origins = request.headers.all("Origin")
        guard origins.count <= 1, origins.allSatisfy({ Self.authority(of: $0.lowercased()) == host }) else {
            return Problem(
                status: 403, code: "wrongOrigin",
                detail: "A page of another web site must not control this house.")
        }
        return nil
    }

    /// Returns the name or address of `NAME`, `NAME:PORT` or `[ADDRESS]:PORT`, without a dot at the end.
    static func name(of host: String) -> String? {
        guard let endpoint = HostField(host) else { return nil }
        return endpoint.name
    }

    /// Returns the part of an origin after its scheme.
    private static func authority(of origin: String) -> String? {
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return String(origin.dropFirst(scheme.count))
        }
        return nil
    }
}

/// The value of a `Host` field.
private struct HostField {
    let name: String

    init?(_ text: String) {
        let port: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            name = String(text[text.index(after: text.startIndex)..<end])
            port = text[text.index(after: end)...]
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            let withDot = text[..<end]
            name = String(withDot.hasSuffix(".") ? withDot.dropLast() : withDot)
            port = text[end...]
        }
        guard !name.isEmpty, port.isEmpty || (port.hasPrefix(":") && UInt16(port.dropFirst()) != nil) else {
            return nil
        }
    }
}
