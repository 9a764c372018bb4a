import CTuttiAvahi

/// A publisher with its own mDNS stack in this process, for machines without avahi-daemon.
final class InProcessPublisher: PublishBackend {
    private let server: OpaquePointer
    let announcesHost = false

    /// - Parameter interfaceName: The only interface to use; all interfaces if `nil`.
    init(poll: UnsafePointer<AvahiPoll>, interfaceName: String?) throws(DiscoveryError) {
        // By itself the stack prints to standard error, once per interface without an IPv6 route.
        avahi_set_log_function { _, _ in }
        var configuration = AvahiServerConfig()
        avahi_server_config_init(&configuration)
        defer { avahi_server_config_free(&configuration) }
        // A daemon that we cannot reach, or another program like this one, may announce the host's own name
        // and addresses. Speakers bring their own names.
        configuration.publish_addresses = 0
        configuration.publish_hinfo = 0
        configuration.publish_workstation = 0
        configuration.publish_domain = 0
        configuration.enable_wide_area = 0
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

    var lastError: Int32 { avahi_server_errno(server) }

    func makeGroup(context: UnsafeMutableRawPointer) -> OpaquePointer? {
        avahi_s_entry_group_new(server, serverGroupChanged, context)
    }

    func add(
        _ service: AdvertisedService, name: String, host: String?, interface: Int32, to group: OpaquePointer
    ) -> Int32 {
        withAvahiList(service.txt) {
            avahi_server_add_service_strlst(
                server, group, interface, AvahiAny.transport, AvahiAny.publishFlags, name,
                service.kind.rawValue, nil, host, service.port, $0)
        }
    }

    func add(_ address: HostAddress, host: String, to group: OpaquePointer) -> Int32 {
        var value = address.avahi
        return avahi_server_add_address(
            server, group, address.interface, AvahiAny.transport, AvahiAny.withoutReverse, host, &value)
    }

    func commit(_ group: OpaquePointer) -> Int32 { avahi_s_entry_group_commit(group) }

    func updateTXT(
        of service: AdvertisedService, name: String, interface: Int32, in group: OpaquePointer
    ) -> Int32 {
        withAvahiList(service.txt) {
            avahi_server_update_service_txt_strlst(
                server, group, interface, AvahiAny.transport, AvahiAny.publishFlags, name,
                service.kind.rawValue, nil, $0)
        }
    }

    func reset(_ group: OpaquePointer) { avahi_s_entry_group_reset(group) }

    func free(_ group: OpaquePointer) { avahi_s_entry_group_free(group) }

    func close() { avahi_server_free(server) }
}

private func serverGroupChanged(
    _ server: OpaquePointer?, _ group: OpaquePointer?, _ state: AvahiEntryGroupState,
    _ context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    Unmanaged<Registration>.fromOpaque(context).takeUnretainedValue().groupChanged(state)
}
