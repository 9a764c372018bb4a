/// What is told to the server of an address; files do not look at it.
public struct WebRequest: Hashable, Sendable {
    /// The program's name for itself; `nil` is the library's own.
    public var userAgent: String?
    /// As in the header `Set-Cookie`: name, value and what they are for.
    public var cookies: [String]

    public init(userAgent: String? = nil, cookies: [String] = []) {
        self.userAgent = userAgent
        self.cookies = cookies
    }

    /// The library's options and their values. A line break would end the header and begin another one, so
    /// what has one is left out.
    var options: [(name: String, value: String)] {
        func isOneLine(_ text: String) -> Bool { !text.unicodeScalars.contains { $0.value < 32 } }
        var options: [(name: String, value: String)] = []
        if let userAgent, isOneLine(userAgent) { options.append(("user_agent", userAgent)) }
        let cookies = cookies.filter(isOneLine)
        if !cookies.isEmpty { options.append(("cookies", cookies.joined(separator: "\n"))) }
        return options
    }
}
