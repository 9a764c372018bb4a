import TuttiHouse
import TuttiTestSupport

@testable import TuttiHouseWeb

/// An open surface on a free port of this machine, with fakes behind it.
struct TestSurface {
    let surface: WebSurface
    let house = FakeHouse()
    let library = FakeLibrary()
    let access: AccessControl
    let port: UInt16

    init(trustsLocal: Bool = true, demo: (any DemoControlling)? = nil, tokens: String? = nil) async throws {
        access = try AccessControl(path: tokens)
        var configuration = Self.configuration
        configuration.trustsLocal = trustsLocal
        surface = WebSurface(configuration: configuration, library: library, access: access, demo: demo)
        try await surface.start(house)
        port = surface.addresses.first?.port ?? 0
    }

    /// The settings for a free port.
    static var configuration: WebSurface.Configuration {
        var configuration = WebSurface.Configuration(hostName: "hall.example.org", version: "1.2")
        configuration.addresses = configuration.addresses.prefix(1).map { address in
            var free = address
            free.port = 0
            return free
        }
        return configuration
    }

    /// Asks the interface, on a connection of its own.
    func ask(
        _ method: String, _ path: String, _ body: String? = nil, headers: [String] = ["Host: localhost"]
    ) async throws -> WebResponse {
        try await WebClient(port: port).ask(method, "/api/v1" + path, body, headers: headers)
    }
}

extension Recorder {
    /// Waits until the value is as wanted.
    func reach(_ what: String, _ isWanted: @escaping @Sendable (Value) -> Bool) async throws {
        _ = try await wait(for: what) { isWanted($0) ? true : nil }
    }
}
