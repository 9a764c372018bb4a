import Foundation
import TuttiCommandLineInterface
import TuttiServiceHost
import TuttiSystemIO

/// A place where a service may listen.
enum ServiceAddress: Hashable, Sendable {
    /// A socket of this machine.
    case socket(String)
    /// A name or an address, and a port of TCP.
    case tcp(host: String, port: UInt16)

    static let usualPort: UInt16 = 8321
    /// The socket of the service that the package installs: only root and the service's user see it.
    static let machineSocket = "/var/lib/tutti/control.sock"

    /// The spelling for messages and for the file of the token.
    var text: String {
        switch self {
        case .socket(let path): path
        case .tcp(let host, let port):
            (host.contains(":") ? "[\(host)]" : host) + (port == Self.usualPort ? "" : ":\(port)")
        }
    }

    /// The value of the field `Host`.
    var authority: String {
        switch self {
        case .socket: "localhost"
        case .tcp(let host, let port): (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
        }
    }

    /// Parses `HOST[:PORT]`, the address of the page, or the path of a socket.
    init?(_ text: String) {
        var text = text
        if text.hasPrefix("http://") {
            text.removeFirst("http://".count)
            if text.hasSuffix("/") { text.removeLast() }
            guard !text.hasPrefix("/") else { return nil }
        }
        if text.hasPrefix("/") {
            self = .socket(text)
        } else if let endpoint = EndpointText(text, defaultPort: Self.usualPort), Self.isHost(endpoint.host) {
            self = .tcp(host: endpoint.host, port: endpoint.port)
        } else {
            return nil
        }
    }

    private init(_ web: HouseSettings.Web) {
        for case .address(let address) in web.addresses {
            self = .tcp(host: "\(address)", port: web.port)
            return
        }
        self = .tcp(host: "127.0.0.1", port: web.port)
    }

    /// Whether a text can be a host in the line of a request.
    private static func isHost(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F && $0 != "/" }
    }

    /// Returns the sockets to try: that of the service of these settings, then that of the machine's service, where this
    /// user sees one and has named no configuration file.
    static func sockets(
        of settings: HouseSettings, config: String?, machine: String = machineSocket
    ) -> [ServiceAddress] {
        let own = HouseService.socketPath(settings)
        let isAlone = config != nil || own == machine || !FileManager.default.fileExists(atPath: machine)
        return isAlone ? [.socket(own)] : [.socket(own), .socket(machine)]
    }

    /// Returns the places to try, in this order: that of `--host` or `TUTTI_HOST` alone; else the sockets of this
    /// user's service and of the machine's, then the port of a service of this machine, which may trust its users.
    static func candidates(
        host: String?, config: String?, environment: [String: String]
    ) throws(RemoteFailure) -> [ServiceAddress] {
        if let text = host ?? environment["TUTTI_HOST"].flatMap({ $0.isEmpty ? nil : $0 }) {
            guard let address = ServiceAddress(text) else {
                throw RemoteFailure(
                    .usage,
                    "\(Printable.text(text)) is not an address: --host takes a name, NAME:PORT, or the path of a socket."
                )
            }
            return [address]
        }
        let settings: HouseSettings
        do throws(ConfigurationError) {
            settings = try HouseSettings.read(path: config, environment: environment).settings
        } catch {
            guard config == nil else {
                throw RemoteFailure(.configuration, error.lines.joined(separator: "\n"))
            }
            return [.tcp(host: "127.0.0.1", port: usualPort)]
        }
        let web = settings.web.enabled ? [ServiceAddress(settings.web)] : []
        return sockets(of: settings, config: config) + web
    }
}
