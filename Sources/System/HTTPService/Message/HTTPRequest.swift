import TuttiSystemIO

/// A whole request of a client.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The path and the query.
    public var target: RequestTarget
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body; empty if there is none.
    public var body: [UInt8]
    /// The client's address.
    public var peer: SocketAddress

    /// Makes a request.
    public init(
        method: HTTPMethod, target: RequestTarget, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
        peer: SocketAddress
    ) {
        (self.method, self.target, self.headers) = (method, target, headers)
        (self.body, self.peer) = (body, peer)
    }

    /// Whether the client runs on this machine.
    public var isLocal: Bool { peer.address.block.isLoopback }

    /// The segments of the path.
    public var path: [String] { target.segments }
}
