/// Headers for every request. Lines with control characters are dropped.
package struct WebOptions: Hashable, Sendable {
    /// The `User-Agent` header; `nil` for Tutti's own.
    package var userAgent: String?
    /// Cookies in the syntax of the `Set-Cookie` header: name, value and attributes. Without a domain, a
    /// cookie applies to the host of the first address only.
    package var cookies: [String]
    /// Whether to accept compressed responses; for small texts.
    package var takesCompressed = false
    /// Whether to ask radio stations for titles.
    package var wantsTitles = false

    /// Creates options.
    package init(userAgent: String? = nil, cookies: [String] = []) {
        self.userAgent = userAgent
        self.cookies = cookies
    }

    static let name = "Tutti"

    var agent: String { userAgent.flatMap { Self.isOneLine($0) ? $0 : nil } ?? Self.name }

    /// Returns lines for libcurl's cookie store.
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
