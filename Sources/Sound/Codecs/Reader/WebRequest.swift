/// Headers for the server of an address; ignored for files.
public struct WebRequest: Hashable, Sendable {
    /// The `User-Agent` header; `nil` for Tutti's own.
    public var userAgent: String?
    /// Cookies in the syntax of the `Set-Cookie` header: name, value and attributes.
    public var cookies: [String]

    /// Creates a request.
    public init(userAgent: String? = nil, cookies: [String] = []) {
        self.userAgent = userAgent
        self.cookies = cookies
    }
}
