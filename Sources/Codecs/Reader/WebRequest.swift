/// What is told to the server of an address; files do not look at it.
public struct WebRequest: Hashable, Sendable {
    /// The program's name for itself; `nil` is Tutti's.
    public var userAgent: String?
    /// As in the header `Set-Cookie`: name, value and what they are for.
    public var cookies: [String]

    public init(userAgent: String? = nil, cookies: [String] = []) {
        self.userAgent = userAgent
        self.cookies = cookies
    }
}
