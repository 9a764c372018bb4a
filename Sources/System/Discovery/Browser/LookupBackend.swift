import CTuttiAvahi
import TuttiSystemIO

/// A way to ask the network: through the system's daemon, or with our own mDNS stack in this process. Both
/// backends call back with the same arguments, on the thread of their loop.
protocol LookupBackend: AnyObject {
    /// Whether TXT records come with their last string first.
    var reversesTXT: Bool { get }

    /// Starts to browse for one service type; ends with ``close()``.
    ///
    /// - Returns: Whether browsing started.
    func browse(
        _ kind: ServiceKind, interface: Int32, callback: AvahiServiceBrowserCallback,
        context: UnsafeMutableRawPointer
    ) -> Bool

    /// Starts to follow one service on one path; returns `nil` on failure.
    func resolve(
        _ id: ServiceID, on path: ServiceTable.Path, callback: AvahiServiceResolverCallback,
        context: UnsafeMutableRawPointer
    ) -> OpaquePointer?

    /// Stops a resolver of ``resolve(_:on:callback:context:)``. Never called after ``close()``.
    func stopResolving(_ resolver: OpaquePointer)

    /// Frees everything at once; no callback follows.
    func close()
}

extension IPAddress.Family {
    /// The number of this protocol in avahi.
    var avahiProtocol: AvahiProtocol {
        switch self {
        case .v4: AvahiProtocol(AVAHI_PROTO_INET)
        case .v6: AvahiProtocol(AVAHI_PROTO_INET6)
        }
    }

    init?(avahiProtocol: AvahiProtocol) {
        switch Int(avahiProtocol) {
        case AVAHI_PROTO_INET: self = .v4
        case AVAHI_PROTO_INET6: self = .v6
        default: return nil
        }
    }
}

/// The avahi values for both families and all interfaces.
enum AvahiAny {
    static let transport = AvahiProtocol(AVAHI_PROTO_UNSPEC)
    static let interface = AvahiIfIndex(AVAHI_IF_UNSPEC)
    static let lookupFlags = AvahiLookupFlags(rawValue: 0)
}

extension DiscoveryError {
    init(operation: String, code: Int32) {
        let reason = avahi_strerror(code).map { String(cString: $0) } ?? "unknown error"
        self = .unavailable(operation: operation, code: code, reason: reason)
    }
}
