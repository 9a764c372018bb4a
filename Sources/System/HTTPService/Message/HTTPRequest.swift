import TuttiSystemIO

/// A whole request of a client.
package struct HTTPRequest: Sendable {
    /// The method.
    package var method: HTTPMethod
    /// The path and the query.
    package var target: RequestTarget
    /// The header fields.
    package var headers: HTTPHeaders
    /// The body; empty if there is none.
    package var body: [UInt8]
    /// The client's address.
    package var peer: SocketAddress

    /// Makes a request.
    package init(
        method: HTTPMethod, target: RequestTarget, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
        peer: SocketAddress
    ) {
        (self.method, self.target, self.headers) = (method, target, headers)
        (self.body, self.peer) = (body, peer)
    }

    /// Whether the client runs on this machine.
    package var isLocal: Bool { peer.address.block.isLoopback }

    /// The segments of the path.
    package var path: [String] { target.segments }
}
