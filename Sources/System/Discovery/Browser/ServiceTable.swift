import TuttiSystemIO

/// A table that joins the sightings of each service, on every interface and over IPv4 and IPv6, into one
/// service.
///
/// A pure value: sightings in, events out. Holds at most ``serviceLimit`` services, and ``preferredLimit``
/// more for services requested by name.
struct ServiceTable: Sendable {
    /// A way to see a service: a lookup on one interface, over one protocol, for addresses of one family.
    struct Path: Hashable, Sendable {
        let interface: Int32
        let transport: IPAddress.Family
        let family: IPAddress.Family
    }

    /// The data that one path shows.
    struct Sighting: Hashable, Sendable {
        let host: String
        let address: IPAddress
        let port: UInt16
        let txt: [TXTEntry]
    }

    private struct Entry {
        /// The sightings in order of arrival; the newest, last one defines port, host and TXT record.
        var sightings: [(path: Path, sighting: Sighting)] = []
        var reported: DiscoveredService?
    }

    private var entries: [ServiceID: Entry] = [:]
    private let preferred: PreferredNames

    init(preferring preferred: PreferredNames = PreferredNames([])) { self.preferred = preferred }

    /// The maximum number of services. A large house has dozens; more mean a broken or hostile network.
    static let serviceLimit = 512
    /// The extra capacity for services requested by name, which no other announcement can take.
    static let preferredLimit = 64
    /// The maximum number of addresses kept per service, best first.
    static let addressLimit = 16

    /// Records that a path shows the service, for the first time or with other data.
    mutating func found(_ id: ServiceID, on path: Path, _ sighting: Sighting) -> DiscoveryEvent? {
        // Port 0 is a transient state of a restarting receiver: keep the known data.
        guard sighting.port != 0 else { return nil }
        let limit = Self.serviceLimit + (preferred.contains(id) ? Self.preferredLimit : 0)
        guard entries[id] != nil || entries.count < limit else { return nil }
        return change(id) { entry in
            if let index = entry.sightings.firstIndex(where: { $0.path == path }) {
                guard entry.sightings[index].sighting != sighting else { return }
                entry.sightings.remove(at: index)
            }
            entry.sightings.append((path, sighting))
        }
    }

    /// Records that a path no longer shows the service, if it did.
    mutating func lost(_ id: ServiceID, on path: Path) -> DiscoveryEvent? {
        change(id) { $0.sightings.removeAll { $0.path == path } }
    }

    /// Removes the sightings on one interface and protocol, after a goodbye or an expired record.
    mutating func removed(
        _ id: ServiceID, interface: Int32, transport: IPAddress.Family
    ) -> DiscoveryEvent? {
        change(id) {
            $0.sightings.removeAll { $0.path.interface == interface && $0.path.transport == transport }
        }
    }

    /// Removes everything; returns the events in no particular order.
    mutating func removeAll() -> [DiscoveryEvent] {
        defer { entries = [:] }
        return entries.values.compactMap { $0.reported.map(DiscoveryEvent.vanished) }
    }

    private mutating func change(_ id: ServiceID, _ edit: (inout Entry) -> Void) -> DiscoveryEvent? {
        var entry = entries[id] ?? Entry()
        edit(&entry)
        let old = entry.reported
        let new = Self.assemble(id, from: entry)
        entry.reported = new
        entries[id] = entry.sightings.isEmpty ? nil : entry
        switch (old, new) {
        case (nil, let new?): return .appeared(new)
        case (let old?, nil): return .vanished(old)
        case (let old?, let new?): return old == new ? nil : .updated(new)
        case (nil, nil): return nil
        }
    }

    private static func assemble(_ id: ServiceID, from entry: Entry) -> DiscoveredService? {
        guard let newest = entry.sightings.last?.sighting else { return nil }
        let addresses = Set(entry.sightings.map(\.sighting.address))
            .sorted { ($0.preference, $0.description) < ($1.preference, $1.description) }
        return DiscoveredService(
            id: id, host: newest.host, addresses: Array(addresses.prefix(addressLimit)),
            port: newest.port, txt: newest.txt)
    }
}
