/// What a server is told with every request. Lines with control characters are left out.
public struct WebOptions: Hashable, Sendable {
    /// The program's name; `nil` is Tutti's.
    public var userAgent: String?
    /// As in the header `Set-Cookie`: name, value and what they are for. Without a domain they are for the
    /// host of the first address only.
    public var cookies: [String]
    /// Takes compressed answers; for small texts.
    public var takesCompressed = false
    /// Asks radio stations for the titles of what they play.
    public var wantsTitles = false

    public init(userAgent: String? = nil, cookies: [String] = []) {
        self.userAgent = userAgent
        self.cookies = cookies
    }

    static let name = "Tutti"

    var agent: String { userAgent.flatMap { Self.isOneLine($0) ? $0 : nil } ?? Self.name }

    /// Lines for the library's cookie store.
    func cookieLines(host: String) -> [String] {
        cookies.filter(Self.isOneLine).map { cookie in
            let attributes = cookie.split(separator: ";").dropFirst()
            let hasDomain = attributes.contains {
                $0.drop { $0 == " " }.lowercased().hasPrefix("domain=")
            }
            return "Set-Cookie: " + cookie + (hasDomain || host.isEmpty ? "" : "; domain=\(host)")
        }
    }

    private static func isOneLine(_ text: String) -> Bool {
        !text.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
    }
}
