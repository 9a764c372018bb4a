import Glibc
import TuttiSystemIO

/// A message bus of the machine or of a user's session.
package enum BusAddress: Hashable, Sendable {
    /// The bus of the user's session.
    case session
    /// The bus of the machine.
    case system
    /// A bus at an address in D-Bus's spelling, such as `unix:path=/run/bus`.
    case address(String)

    /// The name for sentences.
    package var name: String {
        switch self {
        case .session: "the session bus"
        case .system: "the system bus"
        case .address(let address): "the bus at \(address)"
        }
    }

    /// The address, from the environment or where systems have the bus; `nil` if there is none to try.
    ///
    /// The environment is read even by a program with capabilities, to which libsystemd would deny it: only
    /// addresses of sockets are used, so that no variable can make this program start another one.
    package var resolved: String? { resolved { getenv($0).map { String(cString: $0) } } }

    func resolved(_ variable: (String) -> String?) -> String? {
        switch self {
        case .session:
            Self.sockets(variable("DBUS_SESSION_BUS_ADDRESS"))
                ?? variable("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? Self.path($0 + "/bus") : nil }
        case .system:
            Self.sockets(variable("DBUS_SYSTEM_BUS_ADDRESS")) ?? Self.path("/run/dbus/system_bus_socket")
        case .address(let address):
            Self.sockets(address)
        }
    }

    /// Whether the bus can be there: its socket exists, or its address tells of no file.
    package var mayExist: Bool {
        guard let resolved else { return false }
        return resolved.split(separator: ";").contains { entry in
            guard let path = Self.file(of: entry) else { return true }
            return access(path, F_OK) == 0
        }
    }

    /// Keeps those entries of a list of addresses that name sockets of this machine; `nil` for none.
    private static func sockets(_ addresses: String?) -> String? {
        let entries = (addresses ?? "").split(separator: ";").filter { $0.hasPrefix("unix:") }
        return entries.isEmpty ? nil : entries.joined(separator: ";")
    }

    private static func path(_ path: String) -> String { "unix:path=" + escaped(path) }

    /// Returns the path of the socket in `unix:path=…`; `nil` for other addresses.
    private static func file(of entry: Substring) -> String? {
        let pairs = entry.dropFirst("unix:".count).split(separator: ",")
        guard let pair = pairs.first(where: { $0.hasPrefix("path=") }) else { return nil }
        return unescaped(pair.dropFirst("path=".count))
    }

    private static func escaped(_ text: String) -> String {
        PercentCoding.encode(text) { byte in
            // Unlike in addresses of the web, D-Bus encodes the tilde.
            PercentCoding.isUnreserved(byte) && byte != UInt8(ascii: "~") || "/\\".utf8.contains(byte)
        }
    }

    /// Returns a text without percent signs; a text with a broken one as it is.
    private static func unescaped(_ text: Substring) -> String {
        PercentCoding.decode(text).map { String(decoding: $0, as: UTF8.self) } ?? String(text)
    }
}
