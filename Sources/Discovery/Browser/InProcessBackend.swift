internal import CAvahi

/// A whole mDNS stack in this process, for machines without avahi-daemon. It publishes nothing.
final class InProcessBackend: LookupBackend {
    private let server: OpaquePointer
    let reversesTXT = true

    /// - Parameter interfaceName: the only interface to use; all of them when `nil`.
    init(poll: UnsafePointer<AvahiPoll>, interfaceName: String?) throws(DiscoveryError) {
        // The stack would print to standard error by itself, once per interface without an IPv6 route.
        avahi_set_log_function { _, _ in }
        var configuration = AvahiServerConfig()
        avahi_server_config_init(&configuration)
        defer { avahi_server_config_free(&configuration) }
        Self.publishNothing(&configuration)
        if let interfaceName {
            configuration.allow_interfaces = avahi_string_list_add(
                configuration.allow_interfaces, interfaceName)
        }
        var code: Int32 = 0
        guard let server = avahi_server_new(poll, &configuration, nil, nil, &code) else {
            throw DiscoveryError(operation: "avahi_server_new", code: code)
        }
        self.server = server
    }

    /// Beside a daemon on the same host, address records of our own would collide with its.
    private static func publishNothing(_ configuration: inout AvahiServerConfig) {
        configuration.publish_addresses = 0
        configuration.publish_hinfo = 0
        configuration.publish_workstation = 0
        configuration.publish_domain = 0
        configuration.disable_publishing = 1
        configuration.enable_wide_area = 0
    }

    func browse(
        _ kind: ServiceKind, interface: Int32, callback: AvahiServiceBrowserCallback,
        context: UnsafeMutableRawPointer
    ) -> Bool {
        avahi_s_service_browser_new(
            server, interface, AvahiAny.transport, kind.rawValue, nil, AvahiAny.lookupFlags, callback, context
        )
            != nil
    }

    func resolve(
        _ id: ServiceID, on path: ServiceTable.Path, callback: AvahiServiceResolverCallback,
        context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        avahi_s_service_resolver_new(
            server, path.interface, path.transport.avahiProtocol, id.name, id.kind.rawValue, id.domain,
            path.family.avahiProtocol, AvahiAny.lookupFlags, callback, context)
    }

    func stopResolving(_ resolver: OpaquePointer) {
        avahi_s_service_resolver_free(resolver)
    }

    func close() {
        avahi_server_free(server)
    }
}
