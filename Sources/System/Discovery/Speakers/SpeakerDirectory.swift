/// A directory that joins the services of each speaker, its `_airplay` and its `_raop` record, into one
/// speaker, and the two halves of a stereo pair into one entry.
///
/// A pure value: events of services in, events of speakers out.
package struct SpeakerDirectory: Sendable {
    /// The services by speaker; of several services of one kind the last one is the newest and wins.
    private var services: [SpeakerID: [DiscoveredService]] = [:]
    /// The speaker that each service last belonged to; an update may move a service.
    private var owners: [ServiceID: SpeakerID] = [:]
    private var pairs = StereoPairs()

    /// Creates an empty directory.
    package init() {}

    /// All speakers, sorted by name.
    package var speakers: [DiscoveredSpeaker] {
        entries(of: services.keys).values.sorted {
            ($0.name.lowercased(), $0.id.description) < ($1.name.lowercased(), $1.id.description)
        }
    }

    /// Returns the speaker or the pair with this identity; `nil` if it is unknown.
    package func speaker(_ id: SpeakerID) -> DiscoveredSpeaker? {
        if case .pair(let pair) = id { return self.pair(pair) }
        return services[id].flatMap { DiscoveredSpeaker(id: id, services: $0) }
    }

    private func pair(_ id: String) -> DiscoveredSpeaker? {
        guard let halves = pairs.halves(of: id)?.compactMap({ speaker($0) }), let pair = halves.first?.pair,
            halves.count == StereoPairs.size, halves.allSatisfy({ $0.pair == pair })
        else { return nil }
        return DiscoveredSpeaker(pair, halves: halves)
    }

    /// Returns the entries for some speakers: a half of a complete pair is not an entry of its own.
    private func entries(of ids: some Sequence<SpeakerID>) -> [SpeakerID: DiscoveredSpeaker] {
        var entries: [SpeakerID: DiscoveredSpeaker] = [:]
        for id in ids {
            guard let single = speaker(id) else { continue }
            let entry = single.pair.flatMap { pair($0.id) } ?? single
            entries[entry.id] = entry
        }
        return entries
    }

    /// Applies a change of a service.
    ///
    /// - Returns: The changes among the speakers: none, one, or several if a service moved from one speaker to
    ///   another, or a pair came together or broke.
    package mutating func apply(_ event: DiscoveryEvent) -> [SpeakerDirectoryEvent] {
        switch event {
        case .appeared(let service), .updated(let service): insert(service)
        case .vanished(let service): remove(service.id)
        }
    }

    private mutating func insert(_ service: DiscoveredService) -> [SpeakerDirectoryEvent] {
        let id = SpeakerID(of: service)
        let moved = owners[service.id].map { $0 != id } == true ? remove(service.id) : []
        owners[service.id] = id
        let changes = change(id) { list in
            if let index = list.firstIndex(where: { $0.id == service.id }) {
                list[index] = service
            } else {
                list.append(service)
            }
        }
        return moved + changes
    }

    private mutating func remove(_ service: ServiceID) -> [SpeakerDirectoryEvent] {
        guard let id = owners.removeValue(forKey: service) else { return [] }
        return change(id) { $0.removeAll { $0.id == service } }
    }

    private mutating func change(
        _ id: SpeakerID, _ edit: (inout [DiscoveredService]) -> Void
    ) -> [SpeakerDirectoryEvent] {
        var list = services[id] ?? []
        edit(&list)
        let pair = DiscoveredSpeaker(id: id, services: list)?.pair
        let around = Set(pairs.neighbours(of: id) + pairs.neighbours(in: pair))
        let old = entries(of: around)
        services[id] = list.isEmpty ? nil : list
        pairs.note(id, as: pair)
        return Self.changes(from: old, to: entries(of: around))
    }

    /// Returns the events that lead from the old entries to the new ones, in a fixed order.
    private static func changes(
        from old: [SpeakerID: DiscoveredSpeaker], to new: [SpeakerID: DiscoveredSpeaker]
    ) -> [SpeakerDirectoryEvent] {
        func sorted(_ entries: some Sequence<DiscoveredSpeaker>) -> [DiscoveredSpeaker] {
            entries.sorted { $0.id.description < $1.id.description }
        }
        let gone = sorted(old.values.filter { new[$0.id] == nil })
        let changed = sorted(new.values.filter { old[$0.id] != $0 })
        return gone.map { .vanished($0) }
            + changed.map { old[$0.id] == nil ? .appeared($0) : .updated($0) }
    }
}

/// A change among the speakers on the network.
package enum SpeakerDirectoryEvent: Hashable, Sendable {
    /// A new speaker appeared.
    case appeared(DiscoveredSpeaker)
    /// A known speaker changed.
    case updated(DiscoveredSpeaker)
    /// The speaker is gone; the value is its last state.
    case vanished(DiscoveredSpeaker)

    /// The speaker that changed, in its latest state.
    package var speaker: DiscoveredSpeaker {
        switch self {
        case .appeared(let speaker), .updated(let speaker), .vanished(let speaker): speaker
        }
    }
}
