/// What answers on the network for all speakers of this process: the system's mDNS daemon when there is one,
/// else a whole stack of our own. Speakers share one.
public final class MulticastResponder: Sendable {
    let core: ResponderCore
    let interface: NetworkInterface?

    /// Starts at once. May wait for the system bus; call it where waiting is allowed.
    ///
    /// - Parameters:
    ///   - interface: The only interface to announce on; all of them when `nil`.
    ///   - usesDaemon: `false` never asks the system's daemon: in a network namespace, it would answer for
    ///     another.
    /// - Throws: ``DiscoveryError/unavailable(operation:code:reason:)`` when there is no daemon and UDP 5353
    ///   cannot be opened.
    public init(interface: NetworkInterface? = nil, usesDaemon: Bool = true) throws(DiscoveryError) {
        self.interface = interface
        core = try ResponderCore(interface: interface, usesDaemon: usesDaemon)
        try core.open()
    }

    deinit { core.close() }

    /// Withdraws everything and ends. Waits a quarter of a second for the goodbyes when we send them
    /// ourselves. Safe to call twice.
    public func close() { core.close() }
}
