import CTuttiAvahi
import TuttiSystemIO

/// A running search: its thread, its backend and the services seen so far.
///
/// Call ``start()`` first and ``stop()`` last, each once and never concurrently. Everything between runs on
/// the loop's thread.
final class BrowseSession: @unchecked Sendable {
    // Safe to share: `start` touches the variables before the loop's thread exists, then only callbacks on
    // that thread do, then `stop` after the thread has ended. Creating and joining the thread order the
    // three.
    private let loop: OpaquePointer
    private let interface: NetworkInterface?
    private let kinds: [ServiceKind]
    private let deliver: @Sendable ([DiscoveryEvent]) -> Void
    private var backend: (any LookupBackend)?
    private var lookups: [LookupKey: Lookup] = [:]
    private var table: ServiceTable
    private let preferred: PreferredNames

    private struct LookupKey: Hashable {
        let id: ServiceID
        let path: ServiceTable.Path
    }

    /// The maximum number of open lookups. A daemon grants a client 1,024 objects, and the browsers need
    /// some.
    private static let lookupLimit = 1000
    /// The lookups reserved, out of that maximum, for services requested by name.
    private static let preferredLookups = 100

    /// - Parameter deliver: Called on the loop's thread with the changes; must not block.
    init(
        interface: NetworkInterface?, kinds: [ServiceKind], preferring names: [String],
        deliver: @escaping @Sendable ([DiscoveryEvent]) -> Void
    ) throws(DiscoveryError) {
        guard let loop = avahi_threaded_poll_new() else {
            throw DiscoveryError(operation: "avahi_threaded_poll_new", code: Int32(AVAHI_ERR_NO_MEMORY))
        }
        self.loop = loop
        (self.interface, self.kinds) = (interface, kinds)
        preferred = PreferredNames(names)
        table = ServiceTable(preferring: preferred)
        self.deliver = deliver
    }

    /// Connects to the daemon, or opens our own stack, and starts to browse.
    ///
    /// May block on the system bus; call it where blocking is allowed.
    func start() throws(DiscoveryError) {
        do {
            try openBackend()
        } catch {
            avahi_threaded_poll_free(loop)
            throw error
        }
        avahi_threaded_poll_start(loop)
    }

    /// Ends the thread and frees everything. Do not call from `deliver`.
    func stop() {
        avahi_threaded_poll_stop(loop)
        closeBackend()
        avahi_threaded_poll_free(loop)
    }

    // MARK: Backend

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func openBackend() throws(DiscoveryError) {
        let poll: UnsafePointer<AvahiPoll> = avahi_threaded_poll_get(loop)
        do {
            backend = try DaemonBackend(poll: poll, stateChanged: daemonStateChanged, context: context)
        } catch {
            // A container usually has no daemon or no system bus.
            backend = try InProcessBackend(poll: poll, interfaceName: interface?.name)
        }
        for kind in kinds { try browse(kind) }
    }

    private func browse(_ kind: ServiceKind) throws(DiscoveryError) {
        let index = interface?.index ?? AvahiAny.interface
        let started = backend?.browse(
            kind, interface: index, callback: serviceBrowsed, context: context)
        guard started == true else {
            closeBackend()
            throw DiscoveryError(operation: "browse \(kind.rawValue)", code: Int32(AVAHI_ERR_FAILURE))
        }
    }

    private func closeBackend() {
        backend?.close()
        backend = nil
        lookups = [:]
    }

    /// Falls back to our own stack after the daemon stopped; the new stack finds everything again.
    fileprivate func daemonFailed() {
        guard backend is DaemonBackend else { return }
        closeBackend()
        deliver(table.removeAll())
        // Without a backend the search stays silent; the reader has seen that all services vanished.
        try? openBackend()
    }

    // MARK: Callbacks

    fileprivate func appeared(_ id: ServiceID, interface: Int32, transport: IPAddress.Family) {
        for family in Self.families(over: transport) {
            let path = ServiceTable.Path(interface: interface, transport: transport, family: family)
            startLookup(LookupKey(id: id, path: path))
        }
    }

    fileprivate func removed(_ id: ServiceID, interface: Int32, transport: IPAddress.Family) {
        for family in Self.families(over: transport) {
            let path = ServiceTable.Path(interface: interface, transport: transport, family: family)
            let lookup = lookups.removeValue(forKey: LookupKey(id: id, path: path))
            if let resolver = lookup?.resolver { backend?.stopResolving(resolver) }
        }
        deliver(table.removed(id, interface: interface, transport: transport))
    }

    fileprivate func resolved(_ lookup: Lookup, _ sighting: ServiceTable.Sighting) {
        deliver(table.found(lookup.id, on: lookup.path, sighting))
    }

    fileprivate func inOrder(_ txt: [TXTEntry]) -> [TXTEntry] {
        backend?.reversesTXT == true ? txt.reversed() : txt
    }

    fileprivate func failed(_ lookup: Lookup) {
        deliver(table.lost(lookup.id, on: lookup.path))
    }

    /// Returns the address families to ask for. Hosts answer for IPv6 addresses over IPv4, but often not the
    /// other way around.
    private static func families(over transport: IPAddress.Family) -> [IPAddress.Family] {
        transport == .v4 ? [.v4, .v6] : [.v6]
    }

    private func startLookup(_ key: LookupKey) {
        let limit = Self.lookupLimit - (preferred.contains(key.id) ? 0 : Self.preferredLookups)
        guard lookups[key] == nil, lookups.count < limit else { return }
        let lookup = Lookup(session: self, id: key.id, path: key.path)
        lookup.resolver = backend?.resolve(
            key.id, on: key.path, callback: serviceResolved,
            context: Unmanaged.passUnretained(lookup).toOpaque())
        if lookup.resolver != nil { lookups[key] = lookup }
    }

    private func deliver(_ event: DiscoveryEvent?) {
        if let event { deliver([event]) }
    }
}

/// An open lookup; lives in the session's table as long as its resolver.
private final class Lookup {
    unowned let session: BrowseSession
    let id: ServiceID
    let path: ServiceTable.Path
    var resolver: OpaquePointer?

    init(session: BrowseSession, id: ServiceID, path: ServiceTable.Path) {
        self.session = session
        self.id = id
        self.path = path
    }
}

private func daemonStateChanged(
    _ client: OpaquePointer?, _ state: AvahiClientState, _ context: UnsafeMutableRawPointer?
) {
    guard state == AVAHI_CLIENT_FAILURE, let context else { return }
    Unmanaged<BrowseSession>.fromOpaque(context).takeUnretainedValue().daemonFailed()
}

private func serviceBrowsed(
    _ browser: OpaquePointer?, _ interface: AvahiIfIndex, _ transport: AvahiProtocol,
    _ event: AvahiBrowserEvent, _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?,
    _ domain: UnsafePointer<CChar>?, _ flags: AvahiLookupResultFlags, _ context: UnsafeMutableRawPointer?
) {
    guard let context, let name, let type, let domain,
        let kind = ServiceKind(rawValue: String(cString: type)),
        let transport = IPAddress.Family(avahiProtocol: transport)
    else { return }
    let id = ServiceID(kind: kind, name: String(cString: name), domain: String(cString: domain))
    let session = Unmanaged<BrowseSession>.fromOpaque(context).takeUnretainedValue()
    switch event {
    case AVAHI_BROWSER_NEW: session.appeared(id, interface: interface, transport: transport)
    case AVAHI_BROWSER_REMOVE: session.removed(id, interface: interface, transport: transport)
    default: break
    }
}

/// Returns whether a record belongs to this machine. Only for loopback addresses, because the check lists all
/// interfaces.
private func isOwnRecord(_ flags: AvahiLookupResultFlags, _ address: IPAddress, on interface: Int32) -> Bool {
    guard address.block.isLoopback else { return false }
    if flags.rawValue & (AVAHI_LOOKUP_RESULT_LOCAL.rawValue | AVAHI_LOOKUP_RESULT_OUR_OWN.rawValue) != 0 {
        return true
    }
    return NetworkInterfaces.addresses().contains { $0.isLoopback && Int32(clamping: $0.index) == interface }
}

private func serviceResolved(
    _ resolver: OpaquePointer?, _ interface: AvahiIfIndex, _ transport: AvahiProtocol,
    _ event: AvahiResolverEvent, _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?,
    _ domain: UnsafePointer<CChar>?, _ host: UnsafePointer<CChar>?, _ address: UnsafePointer<AvahiAddress>?,
    _ port: UInt16, _ txt: UnsafeMutablePointer<AvahiStringList>?, _ flags: AvahiLookupResultFlags,
    _ context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    let lookup = Unmanaged<Lookup>.fromOpaque(context).takeUnretainedValue()
    guard event == AVAHI_RESOLVER_FOUND, let host, let address,
        let address = IPAddress(address.pointee, interface: interface),
        address.isUsableInRecord(isOwn: isOwnRecord(flags, address, on: interface))
    else { return lookup.session.failed(lookup) }
    let sighting = ServiceTable.Sighting(
        host: String(cString: host), address: address, port: port,
        txt: lookup.session.inOrder([TXTEntry](txt)))
    lookup.session.resolved(lookup, sighting)
}
