import CTuttiAvahi

/// A publisher that announces through the system's avahi-daemon, over D-Bus.
final class DaemonPublisher: PublishBackend {
    private let client: OpaquePointer
    private var groups = ClientGroups()
    let announcesHost = true

    /// - Parameters:
    ///   - waits: Whether to wait for a missing daemon as long as there is a system bus; otherwise the
    ///     initialiser fails at once.
    ///   - stateChanged: Called with `context`, for the first time before the initialiser returns.
    init(
        poll: UnsafePointer<AvahiPoll>, waits: Bool, stateChanged: AvahiClientCallback,
        context: UnsafeMutableRawPointer
    ) throws(DiscoveryError) {
        var code: Int32 = 0
        let flags = waits ? AVAHI_CLIENT_NO_FAIL : AvahiClientFlags(rawValue: 0)
        guard let client = avahi_client_new(poll, flags, stateChanged, context, &code) else {
            throw DiscoveryError(operation: "avahi_client_new", code: code)
        }
        self.client = client
    }

    var lastError: Int32 { avahi_client_errno(client) }

    func makeGroup(context: UnsafeMutableRawPointer) -> OpaquePointer? {
        let group = avahi_entry_group_new(client, clientGroupChanged, context)
        if let group { groups.insert(group) }
        return group
    }

    func add(
        _ service: AdvertisedService, name: String, host: String?, interface: Int32, to group: OpaquePointer
    ) -> Int32 {
        withAvahiList(service.txt) {
            avahi_entry_group_add_service_strlst(
                group, interface, AvahiAny.transport, AvahiAny.publishFlags, name, service.kind.rawValue,
                nil, host, service.port, $0)
        }
    }

    func add(_ address: HostAddress, host: String, to group: OpaquePointer) -> Int32 {
        var value = address.avahi
        return avahi_entry_group_add_address(
            group, address.interface, AvahiAny.transport, AvahiAny.withoutReverse, host, &value)
    }

    func commit(_ group: OpaquePointer) -> Int32 { avahi_entry_group_commit(group) }

    func updateTXT(
        of service: AdvertisedService, name: String, interface: Int32, in group: OpaquePointer
    ) -> Int32 {
        withAvahiList(service.txt) {
            avahi_entry_group_update_service_txt_strlst(
                group, interface, AvahiAny.transport, AvahiAny.publishFlags, name, service.kind.rawValue,
                nil, $0)
        }
    }

    func reset(_ group: OpaquePointer) { avahi_entry_group_reset(group) }

    func free(_ group: OpaquePointer) { groups.free(group) }

    func close() {
        if groups.freeAll() { avahi_client_free(client) }
    }
}

private func clientGroupChanged(
    _ group: OpaquePointer?, _ state: AvahiEntryGroupState, _ context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    Unmanaged<Registration>.fromOpaque(context).takeUnretainedValue().groupChanged(state)
}
