import CTuttiAvahi

/// An mDNS stack in this process, of avahi's core, for machines without avahi-daemon.
enum InProcessServer {
    /// Makes a server that publishes nothing of the host by itself.
    ///
    /// - Parameters:
    ///   - interfaceName: The only interface to use; all interfaces if `nil`.
    ///   - isPublishing: Whether the server can publish the caller's own records.
    static func make(
        _ poll: UnsafePointer<AvahiPoll>, _ interfaceName: String?, isPublishing: Bool
    ) throws(DiscoveryError) -> OpaquePointer {
        // By itself the stack prints to standard error, once per interface without an IPv6 route.
        avahi_set_log_function { _, _ in }
        var configuration = AvahiServerConfig()
        avahi_server_config_init(&configuration)
        defer { avahi_server_config_free(&configuration) }
        configuration.publish_addresses = 0
        configuration.publish_hinfo = 0
        configuration.publish_domain = 0
        configuration.enable_wide_area = 0
        configuration.publish_workstation = 0
        configuration.disable_publishing = isPublishing ? 0 : 1
        if let interfaceName {
            configuration.allow_interfaces = avahi_string_list_add(
                configuration.allow_interfaces, interfaceName)
        }
        var code: Int32 = 0
        guard let server = avahi_server_new(poll, &configuration, nil, nil, &code) else {
            throw DiscoveryError(operation: "avahi_server_new", code: code)
        }
        return server
    }
}
