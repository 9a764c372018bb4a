import TuttiSystemIO

/// An advertiser that announces one speaker's services until it is closed or released.
///
/// If another device has the name, the advertiser takes the next one, `Kitchen #2`, and reports the new name
/// in ``events``. Services lost with the system's daemon are announced again when the daemon is back.
package final class ServiceAdvertiser: Sendable {
    /// The changes in the announcement's state, for one reader; keeps the newest 16 unread changes. Ends with
    /// ``close()``.
    package let events: AsyncStream<AdvertiserEvent>
    private let responder: MulticastResponder
    private let registration: Registration

    private static let eventLimit = 16

    /// Starts to announce; ``events`` reports success about a second later.
    ///
    /// - Parameters:
    ///   - name: The speaker's name for users. Truncated if it is too long for DNS.
    ///   - services: The services to announce, all under one name or none.
    ///   - hostLabel: A host name that no other speaker has, e.g. `tutti-020000aa0001`: letters, digits and
    ///     `-`, at most 63. Used if the daemon's own host name does not suffice.
    ///   - addresses: The addresses by which the speaker is reachable; all addresses of this host if empty.
    ///   - responder: The responder that answers for the services.
    package init(
        name: String, services: [AdvertisedService], hostLabel: String, addresses: [IPAddress] = [],
        responder: MulticastResponder
    ) {
        let (events, tell) = AsyncStream.makeStream(
            of: AdvertiserEvent.self, bufferingPolicy: .bufferingNewest(Self.eventLimit))
        self.events = events
        self.responder = responder
        let longest = services.map(\.namePrefix.utf8.count).max() ?? 0
        registration = Registration(
            name: ServiceName(name, prefixByteCount: longest), services: services,
            hostName: hostLabel + ".local", addresses: addresses, interface: responder.interface, tell: tell)
        responder.core.add(registration)
    }

    deinit { close() }

    /// Replaces the TXT records of the services.
    package func update(txt: [ServiceKind: [TXTEntry]]) { responder.core.update(registration, txt) }

    /// Withdraws the services. The goodbyes leave within 250 ms; ``MulticastResponder/close()`` waits for
    /// them. Idempotent.
    package func close() { responder.core.remove(registration) }
}
