/// A directory that joins the services of each speaker, its `_airplay` and its `_raop` record, into one
/// speaker.
///
/// A pure value: events of services in, events of speakers out.
public struct SpeakerDirectory: Sendable {
    /// The services by speaker; of several services of one kind the last one is the newest and wins.
    private var services: [SpeakerID: [DiscoveredService]] = [:]
    /// The speaker that each service last belonged to; an update may move a service.
    private var owners: [ServiceID: SpeakerID] = [:]

    /// Creates an empty directory.
    public init() {}

    /// All speakers, sorted by name.
    public var speakers: [DiscoveredSpeaker] {
        services.keys.compactMap { speaker($0) }.sorted {
            ($0.name.lowercased(), $0.id.description) < ($1.name.lowercased(), $1.id.description)
        }
    }

    /// Returns the speaker with this identity; `nil` if it is unknown.
    public func speaker(_ id: SpeakerID) -> DiscoveredSpeaker? {
        services[id].flatMap { DiscoveredSpeaker(id: id, services: $0) }
    }

    /// Applies a change of a service.
    ///
    /// - Returns: the changes among the speakers: none, one, or two if a service moved from one speaker to
    ///   another.
    public mutating func apply(_ event: DiscoveryEvent) -> [SpeakerDirectoryEvent] {
        switch event {
        case .appeared(let service), .updated(let service): insert(service)
        case .vanished(let service): remove(service.id).map { [$0] } ?? []
        }
    }

    private mutating func insert(_ service: DiscoveredService) -> [SpeakerDirectoryEvent] {
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

    private mutating func remove(_ service: ServiceID) -> SpeakerDirectoryEvent? {
        guard let id = owners.removeValue(forKey: service) else { return nil }
        return change(id) { $0.removeAll { $0.id == service } }
    }

    private mutating func change(
        _ id: SpeakerID, _ edit: (inout [DiscoveredService]) -> Void
    ) -> SpeakerDirectoryEvent? {
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
public enum SpeakerDirectoryEvent: Hashable, Sendable {
    /// A new speaker appeared.
    case appeared(DiscoveredSpeaker)
    /// A known speaker changed.
    case updated(DiscoveredSpeaker)
    /// The speaker is gone; the value is its last state.
    case vanished(DiscoveredSpeaker)

    /// The speaker that changed, in its latest state.
    public var speaker: DiscoveredSpeaker {
        switch self {
        case .appeared(let speaker), .updated(let speaker), .vanished(let speaker): speaker
        }
    }
}
