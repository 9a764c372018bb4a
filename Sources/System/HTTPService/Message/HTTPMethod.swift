/// The methods that handlers see; the server itself refuses all others.
package enum HTTPMethod: String, Hashable, Sendable, CaseIterable {
    /// Reads a resource.
    case get = "GET"
    /// Reads a resource's headers.
    case head = "HEAD"
    /// Starts an action, or makes a resource below this one.
    case post = "POST"
    /// Sets a resource or a value.
    case put = "PUT"
    /// Changes a part of a resource.
    case patch = "PATCH"
    /// Removes a resource.
    case delete = "DELETE"
    /// Asks for the methods of a resource.
    case options = "OPTIONS"

    /// Whether the method only reads.
    package var isSafe: Bool { self == .get || self == .head || self == .options }
}
