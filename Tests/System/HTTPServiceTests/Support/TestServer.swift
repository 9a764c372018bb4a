import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiHTTPService

/// A running server on a free port of the loopback interface.
struct TestServer {
    let server: HTTPServer
    let address: SocketAddress

    init(
        limits: HTTPLimits = HTTPLimits(), at address: IPAddress = .loopbackV4,
        handler: @escaping HTTPServer.Handler = TestServer.echo
    ) async throws {
        server = HTTPServer(limits: limits, handler: handler)
        self.address = try await server.start(on: [SocketAddress(address, port: 0)])[0]
    }

    func client() throws -> TestClient { try TestClient(address) }

    /// Waits until the server's numbers are as wanted: they change on its thread, which tells nobody.
    func waitForStatistics(_ isWanted: @escaping @Sendable (HTTPStatistics) -> Bool) async -> Bool {
        for _ in 0..<100_000 {
            if isWanted(server.statistics) { return true }
            // A whole exchange: the thread has been through its loop.
            _ = try? await client().ask("GET", "/probe")
        }
        return false
    }

    /// Answers with the method, the path, the query and the body.
    static let echo: HTTPServer.Handler = { request in
        let query = request.target.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let line = "\(request.method.rawValue) \(request.path) \(query) "
        return HTTPResponse(type: "text/plain", body: Array(line.utf8) + request.body)
    }
}
