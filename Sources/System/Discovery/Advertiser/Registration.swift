import CTuttiAvahi
import TuttiMediaTime
import TuttiSystemIO

/// The services of one speaker, as one group of records.
final class Registration: @unchecked Sendable {
    // Safe to share: the lock of the responder's loop guards every variable; avahi holds the lock during
    // callbacks.
    let addresses: [IPAddress]
    let interface: NetworkInterface?
    private let hostName: String
    private let tell: AsyncStream<AdvertiserEvent>.Continuation
    private var name: ServiceName
    private var services: [AdvertisedService]
    private var group: OpaquePointer?
    private var backend: (any PublishBackend)?
    /// The host addresses last announced, to detect changes.
    private var announced: [HostAddress] = []
    private var isEstablished = false
    /// Another device has the name, and the rename budget is exhausted.
    private var isWaitingForName = false
    private var renames: TokenBucket

    /// The burst of names tried one after another; one more name is allowed each minute. Two or three devices
    /// with one name settle at once, and forged conflicts do not take the name away permanently.
    static let renameBurst = 4.0
    static let renamesPerMinute = 1.0

    /// The highest number of a name. More devices with one name mean a broken network.
    private static let nameLimit = 100

    init(
        name: ServiceName, services: [AdvertisedService], hostName: String, addresses: [IPAddress],
        interface: NetworkInterface?, tell: AsyncStream<AdvertiserEvent>.Continuation
    ) {
        self.name = name
        self.services = services
        self.hostName = hostName
        self.addresses = addresses
        self.interface = interface
        self.tell = tell
        renames = TokenBucket(
            burst: Self.renameBurst, perSecond: Self.renamesPerMinute / 60, at: SystemClock.now)
    }

    /// The speaker's name, as far as this process knows of conflicts.
    var announcedName: String { name.text }

    /// Announces everything through this backend, again if it was announced before.
    func register(with backend: any PublishBackend) {
        (isEstablished, isWaitingForName) = (false, false)
        if let group { backend.reset(group) }
        self.backend = backend
        group = group ?? backend.makeGroup(context: Unmanaged.passUnretained(self).toOpaque())
        guard let group else { return fail("makes no group", backend.lastError) }
        var code = fill(group, with: backend)
        while code == AVAHI_ERR_COLLISION, name.number < Self.nameLimit {
            backend.reset(group)
            rename()
            code = fill(group, with: backend)
        }
        if code >= 0 { code = backend.commit(group) }
        if code < 0 { fail("rejected the services", code) }
    }

    /// Announces again if this host's addresses have changed, or if a new attempt at a name is due.
    func registerIfMoved() {
        guard let backend, group != nil,
            isWaitingForName || hostAddresses(for: backend) != announced
        else { return }
        register(with: backend)
    }

    /// Replaces the TXT records of the services.
    func update(_ txt: [ServiceKind: [TXTEntry]]) {
        for index in services.indices {
            guard let entries = txt[services[index].kind], entries != services[index].txt else { continue }
            services[index].txt = entries
            guard isEstablished, let group, let backend else { continue }
            let code = backend.updateTXT(
                of: services[index], name: services[index].namePrefix + name.text,
                interface: interfaceIndex, in: group)
            if code < 0 { return register(with: backend) }
        }
    }

    /// Withdraws everything and sends the goodbyes.
    func withdraw() {
        if let group, let backend { backend.free(group) }
        forgetBackend()
        tell.finish()
    }

    /// Forgets the backend, which was freed together with the group.
    func forgetBackend() {
        (group, backend, isEstablished) = (nil, nil, false)
    }

    /// Withdraws the records for now, e.g. while the daemon looks for a host name.
    func suspend() {
        isEstablished = false
        if let group { backend?.reset(group) }
    }

    func fail(_ reason: String) { tell.yield(.failed(reason: reason)) }

    func groupChanged(_ state: AvahiEntryGroupState) {
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED:
            isEstablished = true
            tell.yield(.registered(name: name.text))
        case AVAHI_ENTRY_GROUP_COLLISION:
            guard let backend else { return }
            guard name.number < Self.nameLimit else {
                return fail("found no free name", Int32(AVAHI_ERR_COLLISION))
            }
            // Retry the same name soon: the device that claimed it may be gone, or may have lied.
            guard renames.take(at: SystemClock.now) else {
                suspend()
                return isWaitingForName = true
            }
            rename()
            register(with: backend)
        case AVAHI_ENTRY_GROUP_FAILURE:
            fail("withdrew the services", backend?.lastError ?? Int32(AVAHI_ERR_FAILURE))
        default: break
        }
    }

    /// Switches to the next name and reports it.
    func rename() {
        name.next()
        tell.yield(.renamed(to: name.text))
    }

    private func fill(_ group: OpaquePointer, with backend: any PublishBackend) -> Int32 {
        announced = hostAddresses(for: backend)
        let ownHost = !addresses.isEmpty || !backend.announcesHost
        for address in announced {
            let code = backend.add(address, host: hostName, to: group)
            // The address disappeared after it was read.
            if code < 0, code != AVAHI_ERR_INVALID_INTERFACE { return code }
        }
        for service in services {
            let code = backend.add(
                service, name: service.namePrefix + name.text, host: ownHost ? hostName : nil,
                interface: interfaceIndex, to: group)
            if code < 0 { return code }
        }
        return 0
    }

    /// The interface to announce on: the only one by which the speaker is reachable, else all interfaces.
    private var interfaceIndex: Int32 {
        if let interface { return interface.index }
        let reachable = Set(announced.map(\.interface))
        guard !addresses.isEmpty, reachable.count == 1 else { return AvahiAny.interface }
        return reachable.first ?? AvahiAny.interface
    }

    /// Returns the addresses to announce under our own host name; none if the daemon's host name suffices.
    private func hostAddresses(for backend: any PublishBackend) -> [HostAddress] {
        if addresses.isEmpty, backend.announcesHost { return [] }
        let all = NetworkInterfaces.addresses().filter { entry in
            guard entry.isUp, interface.map({ $0.index == Int32(clamping: entry.index) }) ?? true else {
                return false
            }
            return addresses.isEmpty
                ? !entry.isLoopback : addresses.contains { $0.bytes == entry.address.bytes }
        }
        let found = all.map { HostAddress(interface: Int32(clamping: $0.index), address: $0.address) }
        return Array(found.prefix(HostAddress.limit))
    }

    private func fail(_ what: String, _ code: Int32) {
        let reason = avahi_strerror(code).map { String(cString: $0) } ?? "unknown error"
        fail("mDNS \(what): \(reason)")
    }
}
