import CTuttiAvahi

/// A lookup backend that asks the system's avahi-daemon, over D-Bus.
final class DaemonBackend: LookupBackend {
    private let client: OpaquePointer
    let reversesTXT = false

    /// Fails at once if no daemon answers.
    ///
    /// - Parameter stateChanged: Called with `context`, for the first time before the initialiser returns.
    init(
        poll: UnsafePointer<AvahiPoll>, stateChanged: AvahiClientCallback, context: UnsafeMutableRawPointer
    ) throws(DiscoveryError) {
        var code: Int32 = 0
        guard
            let client = avahi_client_new(poll, AvahiClientFlags(rawValue: 0), stateChanged, context, &code)
        else { throw DiscoveryError(operation: "avahi_client_new", code: code) }
        self.client = client
    }

    func browse(
        _ kind: ServiceKind, interface: Int32, callback: AvahiServiceBrowserCallback,
        context: UnsafeMutableRawPointer
    ) -> Bool {
        avahi_service_browser_new(
            client, interface, AvahiAny.transport, kind.rawValue, nil, AvahiAny.lookupFlags, callback, context
        )
            != nil
    }

    func resolve(
        _ id: ServiceID, on path: ServiceTable.Path, callback: AvahiServiceResolverCallback,
        context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        avahi_service_resolver_new(
            client, path.interface, path.transport.avahiProtocol, id.name, id.kind.rawValue, id.domain,
            path.family.avahiProtocol, AvahiAny.lookupFlags, callback, context)
    }

    func stopResolving(_ resolver: OpaquePointer) {
        avahi_service_resolver_free(resolver)
    }

    func close() {
        avahi_client_free(client)
    }
}
