/// Joins the services of each speaker, its `_airplay` and its `_raop` record, into one speaker.
///
/// A pure value: events of services in, events of speakers out.
public struct SpeakerDirectory: Sendable {
    /// Services by speaker; of several of one kind the newest is last and counts.
    private var services: [SpeakerID: [DiscoveredService]] = [:]
    /// Where a service was last seen to belong: an update may move it.
    private var owners: [ServiceID: SpeakerID] = [:]

    public init() {}

    /// Every speaker there is, sorted by name.
    public var speakers: [DiscoveredSpeaker] {
        services.keys.compactMap { speaker($0) }.sorted {
            ($0.name.lowercased(), $0.id.description) < ($1.name.lowercased(), $1.id.description)
        }
    }

    public func speaker(_ id: SpeakerID) -> DiscoveredSpeaker? {
        services[id].flatMap { DiscoveredSpeaker(id: id, services: $0) }
    }

    /// Takes a change of a service.
    ///
    /// - Returns: what changed among the speakers: nothing, one speaker, or two when a service moved
    ///   from one to another.
    public mutating func apply(_ event: DiscoveryEvent) -> [SpeakerEvent] {
        switch event {
        case .appeared(let service), .updated(let service): insert(service)
        case .vanished(let service): remove(service.id).map { [$0] } ?? []
        }
    }

    private mutating func insert(_ service: DiscoveredService) -> [SpeakerEvent] {
        let id = SpeakerID(of: service)
        let moved = owners[service.id].map { $0 != id } == true ? remove(service.id) : nil
        owners[service.id] = id
        let change = change(id) { list in
            if let index = list.firstIndex(where: { $0.id == service.id }) {
                list[index] = service
            } else {
                list.append(service)
            }
        }
        return [moved, change].compactMap { $0 }
    }

    private mutating func remove(_ service: ServiceID) -> SpeakerEvent? {
        guard let id = owners.removeValue(forKey: service) else { return nil }
        return change(id) { $0.removeAll { $0.id == service } }
    }

    private mutating func change(
        _ id: SpeakerID, _ edit: (inout [DiscoveredService]) -> Void
    ) -> SpeakerEvent? {
        let old = speaker(id)
        var list = services[id] ?? []
        edit(&list)
        services[id] = list.isEmpty ? nil : list
        switch (old, speaker(id)) {
        case (nil, let new?): return .appeared(new)
        case (let old?, nil): return .vanished(old)
        case (let old?, let new?): return old == new ? nil : .updated(new)
        case (nil, nil): return nil
        }
    }
}

/// A change among the speakers on the network.
public enum SpeakerEvent: Hashable, Sendable {
    case appeared(DiscoveredSpeaker)
    case updated(DiscoveredSpeaker)
    /// The speaker is gone; its last state.
    case vanished(DiscoveredSpeaker)

    public var speaker: DiscoveredSpeaker {
        switch self {
        case .appeared(let speaker), .updated(let speaker), .vanished(let speaker): speaker
        }
    }
}
