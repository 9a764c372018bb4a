internal import CAvahi

/// A whole mDNS stack in this process, for machines without avahi-daemon. It publishes nothing.
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

    /// - Parameter interfaceName: the only interface to use; all of them when `nil`.
    init(poll: UnsafePointer<AvahiPoll>, interfaceName: String?) throws(DiscoveryError) {
        (self.poll, self.interfaceName) = (poll, interfaceName)
        server = try Self.makeServer(poll, interfaceName)
        waitForFreshStart()
    }

    private static func makeServer(
        _ poll: UnsafePointer<AvahiPoll>, _ interfaceName: String?
    ) throws(DiscoveryError) -> OpaquePointer {
        // The stack would print to standard error by itself, once per interface without an IPv6 route.
        avahi_set_log_function { _, _ in }
        var configuration = AvahiServerConfig()
        avahi_server_config_init(&configuration)
        defer { avahi_server_config_free(&configuration) }
        publishNothing(&configuration)
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

    /// Begins again with a new stack while nothing has been found, as ``FreshStart`` says.
    fileprivate func startAfresh() {
        guard !hasFound, let fresh = try? Self.makeServer(poll, interfaceName) else { return }
        if let server { avahi_server_free(server) }
        server = fresh
        for browser in browsers { _ = open(browser) }
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

/// The times at which a stack that has found nothing gives way to a new one, which asks at other times.
///
/// A stack asks at its start and 1, 3, 7 s later. Of two that start on one host within 0.7 s the later one always asks right
/// behind the other, whose question lists what that one knows already; responders keep such a list for 0.7 s by the
/// address of the host, and never answer the later one (*observed* with avahi 0.8). A start at one of these times is out of
/// step with it.
enum FreshStart {
    struct Wait: Hashable {
        var milliseconds: UInt32
        /// Up to so many milliseconds more.
        var jitter: UInt32
    }

    /// From the start of one stack to that of the next.
    static let waits = [Wait(milliseconds: 1750, jitter: 450), Wait(milliseconds: 2400, jitter: 2000)]
}
