import TuttiHouse
import TuttiMusicLibrary

/// The zone that a client controls, and the house's commands for it.
struct ClientZone: Sendable {
    let core: ServerCore
    let client: Client

    /// The zone; the first one if the client's own is gone.
    var id: ZoneID {
        let mirror = core.mirror
        let own = client.inbox.withLock { $0.zone }
        if mirror.zone(own) != nil { return own }
        guard let first = mirror.zones.first?.id else { return own }
        client.inbox.withLock { $0.zone = first }
        return first
    }

    /// Returns the state of the zone.
    func state() throws(CommandError) -> ZoneSnapshot {
        guard let found = core.mirror.zone(id) else {
            throw CommandError(.system, "The house has no zones yet. Try again.")
        }
        return found
    }

    /// Carries out a command of the house.
    @discardableResult
    func perform(_ command: HouseCommand) async throws(CommandError) -> CommandOutcome {
        do throws(HouseError) {
            return try await core.house.perform(
                command, from: CommandOrigin(surface: "mpd", author: client.link.author))
        } catch {
            throw CommandError(error)
        }
    }

    // MARK: The queue

    /// Returns the queue of the zone.
    func queue() async throws(CommandError) -> QueueMirror { try await core.queue(of: id) }

    /// Returns the entry with an id.
    func entry(id text: String) async throws(CommandError) -> (
        place: Int, entry: QueueEntry, queue: QueueMirror
    ) {
        let number = try Argument.integer(text)
        let queue = try await queue()
        guard let place = queue.place(of: EntryID(rawValue: Int64(number))) else { throw CommandError.noSong }
        return (place, queue.entries[place], queue)
    }

    /// Returns the entry at a place.
    func entry(at text: String) async throws(CommandError) -> (
        place: Int, entry: QueueEntry, queue: QueueMirror
    ) {
        let place = try Argument.natural(text)
        let queue = try await queue()
        guard queue.entries.indices.contains(place) else { throw CommandError.badIndex }
        return (place, queue.entries[place], queue)
    }

    /// Adds items to the queue, in order.
    ///
    /// - Returns: The new entries.
    @discardableResult
    func add(_ items: [LibraryItem], at position: QueuePosition?) async throws(CommandError) -> [EntryID] {
        guard !items.isEmpty else { return [] }
        let state = try state()
        var place = QueuePlace.end
        if let position {
            let queue = try await queue()
            let current = state.current.flatMap { queue.place(of: $0.id) }
            let target = try position.place(current: current, count: queue.entries.count)
            if position == .after(0) {
                // In random order too.
                place = .next
            } else if target < queue.entries.count {
                place = .before(queue.entries[target].id)
            }
        }
        return try await perform(.add(state.id, items, place)).entries
    }
}
