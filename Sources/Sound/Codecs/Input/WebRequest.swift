/// Headers for the server of an address; ignored for files.
package struct WebRequest: Hashable, Sendable {
    /// The `User-Agent` header; `nil` for Tutti's own.
    package var userAgent: String?
    /// Cookies in the syntax of the `Set-Cookie` header: name, value and attributes.
    package var cookies: [String]

    /// Creates a request.
    package init(userAgent: String? = nil, cookies: [String] = []) {
        self.userAgent = userAgent
        self.cookies = cookies
    }
}
