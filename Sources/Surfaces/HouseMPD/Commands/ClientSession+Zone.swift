import TuttiHouse

/// The zone that a client controls.
extension ClientSession {
    /// The zone; the first one if the client's own is gone.
    var zone: ZoneID {
        let mirror = core.mirror
        let own = inbox.withLock { $0.zone }
        if mirror.zone(own) != nil { return own }
        guard let first = mirror.zones.first?.id else { return own }
        inbox.withLock { $0.zone = first }
        return first
    }

    /// The state of the zone.
    func zoneState() throws(CommandError) -> ZoneSnapshot {
        guard let found = core.mirror.zone(zone) else {
            throw CommandError(.system, "The house has no zones yet. Try again.")
        }
        return found
    }

    /// Returns the queue of the zone.
    func queue() async throws(CommandError) -> QueueMirror { try await core.queue(of: zone) }

    /// Carries out a command of the house.
    @discardableResult
    func perform(_ command: HouseCommand) async throws(CommandError) -> CommandOutcome {
        do throws(HouseError) {
            return try await core.house.perform(
                command, from: CommandOrigin(surface: "mpd", author: link.author))
        } catch {
            throw CommandError(error)
        }
    }

    /// The songs of the library; `nil` while it cannot be read.
    func catalogueIfAvailable() async -> SongCatalogue? { try? await catalogue() }

    /// Returns the songs of the library.
    func catalogue() async throws(CommandError) -> SongCatalogue {
        do { return try await core.catalogue.catalogue() } catch { throw CommandError(error) }
    }

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
}
