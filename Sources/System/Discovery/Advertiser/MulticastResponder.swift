/// The mDNS responder for all speakers of this process: the system's daemon if there is one, else our own
/// stack. All speakers share one responder.
package final class MulticastResponder: Sendable {
    let core: ResponderCore
    let interface: NetworkInterface?

    /// Starts at once. May block on the system bus; call it where blocking is allowed.
    ///
    /// - Parameters:
    ///   - interface: The only interface to announce on; all interfaces if `nil`.
    ///   - usesDaemon: Whether to ask the system's daemon. Pass `false` in a network namespace, where the
    ///     daemon would answer for another namespace.
    /// - Throws: ``DiscoveryError/unavailable(operation:code:reason:)`` if there is no daemon and UDP 5353
    ///   cannot be opened.
    package init(interface: NetworkInterface? = nil, usesDaemon: Bool = true) throws(DiscoveryError) {
        self.interface = interface
        core = try ResponderCore(interface: interface, usesDaemon: usesDaemon)
        try core.open()
    }

    deinit { core.close() }

    /// Withdraws all services and stops. Blocks for 250 ms if our own stack sends the goodbyes. Idempotent.
    package func close() { core.close() }
}
