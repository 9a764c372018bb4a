import CTuttiAvahi

/// A lookup backend with its own mDNS stack in this process, for machines without avahi-daemon. Publishes
/// nothing.
final class InProcessBackend: LookupBackend {
    fileprivate let poll: UnsafePointer<AvahiPoll>
    private let interfaceName: String?
    private var server: OpaquePointer?
    private var browsers: [Browser] = []
    private var hasFound = false
    private var timer: OpaquePointer?
    private var waits = FreshStart.waits[...]
    let reversesTXT = true

    private struct Browser {
        let kind: ServiceKind
        let interface: Int32
        let callback: AvahiServiceBrowserCallback
        let context: UnsafeMutableRawPointer
    }

    /// - Parameter interfaceName: The only interface to use; all interfaces if `nil`.
    init(poll: UnsafePointer<AvahiPoll>, interfaceName: String?) throws(DiscoveryError) {
        (self.poll, self.interfaceName) = (poll, interfaceName)
        server = try makeServer()
        waitForFreshStart()
    }

    /// With a daemon on the same host, our own address records would collide with the daemon's records.
    private func makeServer() throws(DiscoveryError) -> OpaquePointer {
        try InProcessServer.make(poll, interfaceName, isPublishing: false)
    }

    func browse(
        _ kind: ServiceKind, interface: Int32, callback: AvahiServiceBrowserCallback,
        context: UnsafeMutableRawPointer
    ) -> Bool {
        let browser = Browser(kind: kind, interface: interface, callback: callback, context: context)
        browsers.append(browser)
        return open(browser)
    }

    private func open(_ browser: Browser) -> Bool {
        guard let server else { return false }
        return avahi_s_service_browser_new(
            server, browser.interface, AvahiAny.transport, browser.kind.rawValue, nil, AvahiAny.lookupFlags,
            browser.callback, browser.context) != nil
    }

    private func waitForFreshStart() {
        guard let wait = waits.popFirst() else { return }
        var time = timeval()
        avahi_elapse_time(&time, wait.milliseconds, wait.jitter)
        if let timer { return poll.pointee.timeout_update(timer, &time) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        timer = poll.pointee.timeout_new(poll, &time, freshStartIsDue, context)
    }

    /// Replaces the stack with a new one while nothing has been found, on the schedule of ``FreshStart``.
    fileprivate func startAfresh() {
        if hasFound { return }
        // If the new stack cannot be made, the old one continues until the next attempt.
        if let fresh = try? makeServer() {
            if let server { avahi_server_free(server) }
            server = fresh
            for browser in browsers { _ = open(browser) }
        }
        waitForFreshStart()
    }

    func resolve(
        _ id: ServiceID, on path: ServiceTable.Path, callback: AvahiServiceResolverCallback,
        context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        hasFound = true
        return avahi_s_service_resolver_new(
            server, path.interface, path.transport.avahiProtocol, id.name, id.kind.rawValue, id.domain,
            path.family.avahiProtocol, AvahiAny.lookupFlags, callback, context)
    }

    func stopResolving(_ resolver: OpaquePointer) {
        avahi_s_service_resolver_free(resolver)
    }

    func close() {
        if let timer { poll.pointee.timeout_free(timer) }
        timer = nil
        if let server { avahi_server_free(server) }
        server = nil
    }
}

private func freshStartIsDue(_ timer: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    guard let timer, let context else { return }
    let backend = Unmanaged<InProcessBackend>.fromOpaque(context).takeUnretainedValue()
    backend.poll.pointee.timeout_update(timer, nil)
    backend.startAfresh()
}

/// The schedule on which a stack that has found nothing is replaced by a new one, which asks at other times.
///
/// A stack asks at its start and 1, 3, 7 s later. If two stacks start on one host within 0.7 s, the later
/// stack always asks right after the earlier one, whose question lists the answers it already knows.
/// Responders keep this known-answer list for 0.7 s by the host's address, and never answer the later stack
/// (*observed* with avahi 0.8). A stack started on this schedule is out of step with the other one.
enum FreshStart {
    struct Wait: Hashable {
        var milliseconds: UInt32
        /// The maximum random delay added, in milliseconds.
        var jitter: UInt32
    }

    /// The waits from the start of one stack to the start of the next.
    static let waits = [Wait(milliseconds: 1750, jitter: 450), Wait(milliseconds: 2400, jitter: 2000)]
}
