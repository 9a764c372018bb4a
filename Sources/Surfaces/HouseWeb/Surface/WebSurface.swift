import Synchronization
import TuttiHouse
import TuttiHTTPService
import TuttiSystemIO

/// The house in a browser, and for programs: pages, a JSON interface, and a stream of events.
///
/// The interface is described at `/docs` and `/api/v1/openapi.json`, both generated from the routes.
package final class WebSurface: ControlSurface {
    /// The settings of the surface.
    package struct Configuration: Sendable, Hashable {
        /// The port that the usual addresses have.
        package static let usualPort: UInt16 = 8_321

        /// The addresses to listen on. The default addresses are reachable only from this machine.
        package var addresses = [
            SocketAddress(.loopbackV4, port: usualPort), SocketAddress(.loopbackV6, port: usualPort),
        ]
        /// The name of the house, as pages and programs show it.
        package var name: String
        /// This machine's name; clients may use it as the host.
        package var hostName: String
        /// Further host names that clients may use, such as the name of a proxy.
        package var otherHostNames: [String] = []
        /// Whether programs on this machine need no token. Turn this off behind a proxy on this machine.
        package var trustsLocal = true
        /// Whether clients on other machines need no token either.
        package var isOpen = false
        /// A socket on this machine to listen on as well; the permissions of its file decide who may connect.
        package var socketPath: String?
        /// The folder for sounds that clients send for announcements, until the house has played them; `nil`
        /// takes none.
        package var uploadFolder: String?
        /// The word for logs.
        package var surfaceName = "web"
        /// The program's version.
        package var version: String

        /// Makes the usual settings.
        package init(hostName: String, version: String) {
            (name, self.hostName, self.version) = (hostName, hostName, version)
        }
    }

    private struct Running {
        let server: HTTPServer
        let addresses: [SocketAddress]
    }

    package var name: String { configuration.surfaceName }
    private let configuration: Configuration
    private let library: any LibraryReading
    private let access: AccessControl
    private let demo: (any DemoControlling)?
    private let hub = EventHub()
    private let running = Mutex<Running?>(nil)

    /// Makes a surface that is not open yet.
    ///
    /// - Parameters:
    ///   - access: The devices that may control the house; ``AccessControl/makeCode()`` gives another one access.
    ///   - demo: The rooms of a demonstration; `nil` without one.
    package init(
        configuration: Configuration, library: any LibraryReading, access: AccessControl,
        demo: (any DemoControlling)? = nil
    ) {
        (self.configuration, self.library) = (configuration, library)
        (self.access, self.demo) = (access, demo)
        // If nobody needs a token, there is nothing to revoke.
        if !configuration.isOpen { access.register(hub) }
    }

    /// The addresses that it listens at, with their actual ports; empty while it is closed.
    package var addresses: [SocketAddress] { running.withLock { $0?.addresses ?? [] } }

    /// The number of clients that listen to events.
    package var listenerCount: Int { hub.count }

    /// Listens at the addresses. A machine without IPv6 lacks those of all and of loopback, which is no
    /// error.
    ///
    /// - Throws: An error with a sentence for the user, such as for a port that is in use.
    package func start(_ house: any HouseControlling) async throws {
        let dispatch = RequestDispatch(
            context(name == "web" ? house : NamedOrigin(house, name)),
            guard: RequestGuard(hostName: configuration.hostName, others: configuration.otherHostNames))
        do {
            try await open(configuration.addresses, dispatch)
        } catch {
            let optional = [IPAddress.loopbackV6, .anyV6]
            let others = configuration.addresses.filter { !optional.contains($0.address) }
            guard error.cause.isAddressUnavailable, let address = error.address?.address,
                optional.contains(address),
                !others.isEmpty
            else { throw error }
            try await open(others, dispatch)
        }
    }

    package func houseDidChange(_ change: HouseChange) { hub.publish(change) }

    package func stop() async {
        hub.close()
        await running.withLock { $0.take() }?.server.stop()
    }

    private func open(
        _ addresses: [SocketAddress], _ dispatch: RequestDispatch
    ) async throws(HTTPServerError) {
        var limits = HTTPLimits()
        if configuration.uploadFolder != nil {
            limits.uploads = .init(path: AnnouncementRoutes.uploadPath, bodyBytes: UploadFolder.byteLimit)
        }
        let server = HTTPServer(limits: limits) { request in await dispatch.answer(request) }
        let bound = try await server.start(on: addresses, path: configuration.socketPath)
        running.withLock { $0 = Running(server: server, addresses: bound) }
    }

    private func context(_ house: any HouseControlling) -> ServiceContext {
        ServiceContext(
            house: house, library: library, access: access, hub: hub, demo: demo,
            about: AboutJSON(
                name: configuration.name, version: configuration.version, host: configuration.hostName,
                demo: demo == nil ? nil : true),
            trustsLocal: configuration.trustsLocal, isOpen: configuration.isOpen,
            uploads: configuration.uploadFolder.map { UploadFolder(path: $0) })
    }
}
