public import SystemIO

/// Announces the services of one speaker until it is closed or let go of.
///
/// When another device has the name, the next one is taken, `Kitchen #2`, and ``events`` tell. What is lost
/// with the system's daemon is announced again when the daemon is back.
public final class ServiceAdvertiser: Sendable {
    /// What becomes of the announcement; for one reader, who gets the last 16 at least. Ends with
    /// ``close()``.
    public let events: AsyncStream<AdvertiserEvent>
    private let responder: MulticastResponder
    private let registration: Registration

    private static let eventLimit = 16

    /// Begins to announce; ``events`` tell when it is done, a second later.
    ///
    /// - Parameters:
    ///   - name: What users call the speaker. Cut when it is too long for the DNS.
    ///   - services: What it offers; all are announced under one name, or none.
    ///   - hostLabel: A name for this host that no other speaker has, e.g. `tutti-020000aa0001`: letters,
    ///     digits and `-`, at most 63. Used where the daemon's own name of the host does not do.
    ///   - addresses: Where the speaker can be reached; all addresses of this host when empty.
    public init(
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

    /// Other TXT records for the same services, while they are announced.
    public func update(txt: [ServiceKind: [TXTEntry]]) { responder.core.update(registration, txt) }

    /// Withdraws the services. The goodbyes leave within a quarter of a second;
    /// ``MulticastResponder/close()`` waits for them. Safe to call twice.
    public func close() { responder.core.remove(registration) }
}
