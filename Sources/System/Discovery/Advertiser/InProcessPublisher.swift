import CTuttiAvahi

/// A publisher with its own mDNS stack in this process, for machines without avahi-daemon.
final class InProcessPublisher: PublishBackend {
    private let server: OpaquePointer
    let announcesHost = false

    /// - Parameter interfaceName: The only interface to use; all interfaces if `nil`.
    init(poll: UnsafePointer<AvahiPoll>, interfaceName: String?) throws(DiscoveryError) {
        // A daemon that we cannot reach, or another program like this one, may announce the host's own name
        // and addresses. Speakers bring their own names.
        server = try InProcessServer.make(poll, interfaceName, isPublishing: true)
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
