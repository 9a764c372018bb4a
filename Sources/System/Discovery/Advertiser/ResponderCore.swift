import CTuttiAvahi
import Dispatch
import Glibc
import TuttiSystemIO

/// The thread, the backend and the services of a ``MulticastResponder``.
///
/// Must not be released on avahi's own thread: call ``close()`` first, from another thread.
final class ResponderCore: @unchecked Sendable {
    // Safe to share: the constants are set before the object is shared. The loop's lock guards everything
    // else: `locked` takes the lock, avahi's thread holds it during callbacks, and `open` runs before that
    // thread exists.
    private let loop: OpaquePointer
    private let interface: NetworkInterface?
    private let usesDaemon: Bool
    private let timer: any DispatchSourceTimer
    private var backend: (any PublishBackend)?
    /// Whether the backend accepts services now; the daemon does not while it looks for a host name.
    private var isReady = false
    private var isOpen = false
    private var registrations: [Registration] = []

    /// The interval between checks of this host's addresses; only our own host records depend on them.
    private static let addressInterval = DispatchTimeInterval.seconds(5)
    /// The time that a goodbye takes to leave: answers are delayed by up to 120 ms (RFC 6762, 6).
    private static let goodbyeMicroseconds: UInt32 = 250_000

    init(interface: NetworkInterface?, usesDaemon: Bool) throws(DiscoveryError) {
        guard let loop = avahi_threaded_poll_new() else {
            throw DiscoveryError(operation: "avahi_threaded_poll_new", code: Int32(AVAHI_ERR_NO_MEMORY))
        }
        self.loop = loop
        self.interface = interface
        self.usesDaemon = usesDaemon
        timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + Self.addressInterval, repeating: Self.addressInterval)
        timer.setEventHandler { [weak self] in self?.lookAtAddresses() }
        timer.activate()
    }

    deinit {
        timer.cancel()
        avahi_threaded_poll_free(loop)
    }

    /// Connects to the daemon, or opens our own stack. Call once; may block on the system bus.
    func open() throws(DiscoveryError) {
        try openBackend(waitsForDaemon: false)
        isOpen = true
        avahi_threaded_poll_start(loop)
    }

    /// Withdraws everything, waits for the goodbyes and ends the thread. Idempotent; do not call from a
    /// callback.
    func close() {
        let (wasOpen, saysGoodbye) = locked { () -> (Bool, Bool) in
            defer { isOpen = false }
            let saysGoodbye = !registrations.isEmpty && backend is InProcessPublisher
            for registration in registrations { registration.withdraw() }
            registrations = []
            return (isOpen, saysGoodbye)
        }
        guard wasOpen else { return }
        if saysGoodbye { usleep(Self.goodbyeMicroseconds) }
        avahi_threaded_poll_stop(loop)
        locked { closeBackend() }
        timer.cancel()
    }

    func add(_ registration: Registration) {
        locked {
            guard isOpen else {
                registration.fail("mDNS is closed")
                return registration.withdraw()
            }
            // Two equal names in one stack would both be told to yield.
            while registrations.contains(where: { $0.announcedName == registration.announcedName }) {
                registration.rename()
            }
            registrations.append(registration)
            if isReady, let backend { registration.register(with: backend) }
        }
    }

    func update(_ registration: Registration, _ txt: [ServiceKind: [TXTEntry]]) {
        locked { registration.update(txt) }
    }

    /// Withdraws a registration. Idempotent.
    func remove(_ registration: Registration) {
        locked {
            guard let index = registrations.firstIndex(where: { $0 === registration }) else { return }
            registrations.remove(at: index)
            registration.withdraw()
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        avahi_threaded_poll_lock(loop)
        defer { avahi_threaded_poll_unlock(loop) }
        return body()
    }

    // MARK: Backend, with the lock held

    private func openBackend(waitsForDaemon: Bool) throws(DiscoveryError) {
        let poll: UnsafePointer<AvahiPoll> = avahi_threaded_poll_get(loop)
        isReady = false
        if usesDaemon {
            // A container usually has no daemon or no system bus.
            backend = try? DaemonPublisher(
                poll: poll, waits: waitsForDaemon, stateChanged: publisherStateChanged,
                context: Unmanaged.passUnretained(self).toOpaque())
        }
        if backend == nil {
            backend = try InProcessPublisher(poll: poll, interfaceName: interface?.name)
            isReady = true
        }
        registerAll()
    }

    private func closeBackend() {
        for registration in registrations { registration.forgetBackend() }
        backend?.close()
        backend = nil
        isReady = false
    }

    private func registerAll() {
        guard isReady, let backend else { return }
        for registration in registrations { registration.register(with: backend) }
    }

    /// Runs on avahi's thread, or inside `avahi_client_new` before there is a backend.
    fileprivate func daemonChanged(_ state: AvahiClientState) {
        switch state {
        case AVAHI_CLIENT_S_RUNNING:
            isReady = true
            registerAll()
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION:
            isReady = false
            for registration in registrations { registration.suspend() }
        case AVAHI_CLIENT_FAILURE:
            isReady = false
            for registration in registrations { registration.fail("the mDNS daemon stopped") }
            // The client must not be freed inside its own callback.
            DispatchQueue.global().async { [weak self] in self?.reopen() }
        default:
            isReady = false
        }
    }

    /// Waits for the daemon to return, or falls back to our own stack if there is no system bus.
    private func reopen() {
        locked {
            guard isOpen, backend is DaemonPublisher else { return }
            closeBackend()
            do {
                try openBackend(waitsForDaemon: true)
            } catch {
                for registration in registrations { registration.fail("\(error)") }
            }
        }
    }

    private func lookAtAddresses() {
        locked {
            guard isOpen, isReady else { return }
            for registration in registrations { registration.registerIfMoved() }
        }
    }
}

private func publisherStateChanged(
    _ client: OpaquePointer?, _ state: AvahiClientState, _ context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    Unmanaged<ResponderCore>.fromOpaque(context).takeUnretainedValue().daemonChanged(state)
}
