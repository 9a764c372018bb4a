import AirPlaySender
import Playback

/// The rooms of a house: those that are found, and what is stored of them. Belongs to the house's actor.
///
/// A change of a room is written and told at once.
final class RoomRegistry {
    /// The most rooms to remember.
    static let limit = 256
    /// See ``House/cautiousVolume``.
    static let cautiousVolume = 30.0

    private(set) var all: [RoomID: Room] = [:]
    /// The rooms that the search has found last, also hidden ones.
    private(set) var found: [FoundRoom] = []
    /// The names or ids of outputs that are no rooms.
    var hidden: Set<String>
    /// The volume of a room that is used for the first time, in percent; `nil` keeps the room's own.
    var defaultVolume: Double?
    private let outputs: any HouseOutputs
    private let store: HouseStore
    private let publisher: ChangePublisher
    /// Unix time in seconds.
    private let now: @Sendable () -> Double
    private let log: HouseLog

    init(_ environment: HouseEnvironment) {
        let configuration = environment.configuration
        (hidden, defaultVolume) = (configuration.hidden, configuration.defaultVolume)
        (outputs, store) = (environment.outputs, environment.store)
        (publisher, now, log) = (environment.publisher, environment.now, environment.log)
    }

    // MARK: Looking up

    subscript(id: RoomID) -> Room? { all[id] }

    func room(_ id: RoomID) throws(HouseError) -> Room {
        guard let room = all[id] else { throw HouseError(.notFound, "There is no room '\(id)'.") }
        return room
    }

    /// The rooms of a zone, sorted.
    func ids(of zone: ZoneID) -> [RoomID] {
        all.values.filter { $0.stored.zone == zone }.map(\.stored.id).sorted { $0.rawValue < $1.rawValue }
    }

    var snapshots: [RoomSnapshot] {
        all.values.map(\.snapshot).sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) }
    }

    // MARK: Changes

    /// Takes the rooms that were stored.
    func restore(_ stored: [StoredRoom]) {
        for room in stored { all[room.id] = Room(room) }
    }

    /// Takes rooms out of zones that do not exist.
    func leaveZones(but zones: Set<ZoneID>) {
        for (id, room) in all {
            if let zone = room.stored.zone, !zones.contains(zone) { all[id]?.stored.zone = nil }
        }
    }

    /// Changes a room, writes what is stored of it, and tells the surfaces. The `Ticker` must be started afterwards, because
    /// the store may be behind.
    ///
    /// - Parameter isDurable: Whether a power cut must not lose the change.
    func change(_ id: RoomID, isDurable: Bool = true, _ body: (inout Room) -> Void) {
        guard var room = all[id] else { return }
        let stored = room.stored
        body(&room)
        all[id] = room
        if room.stored != stored { store.write(room.stored, isDurable: isDurable) }
        publisher.publish(room.snapshot)
    }

    /// Notes how far ahead a room is filled, which surfaces get on another way.
    func setDepth(_ depth: RoomSnapshot.Depth, of id: RoomID) { all[id]?.depth = depth }

    func forget(_ id: RoomID) {
        all[id] = nil
        store.remove(id)
        publisher.remove(id)
    }

    /// Forgets a room at the request of a user, or refuses to.
    func forgetAbsent(_ id: RoomID) throws(HouseError) {
        let room = try room(id)
        guard room.stored.zone == nil, !room.isPresent else {
            throw HouseError(
                .conflict, "\(room.stored.name) is on the network or in a zone, so it cannot be forgotten.")
        }
        forget(id)
    }

    // MARK: Search

    /// The rooms that are to be forgotten, because they are hidden.
    var hiddenRooms: [RoomID] {
        all.values.filter { isHidden($0.stored.id, $0.stored.name) }.map(\.stored.id)
    }

    /// Whether the last search found a room for which there was no place.
    private var hasRefused: Bool { found.contains { all[$0.id] == nil && !isHidden($0.id, $0.name) } }

    private func isHidden(_ id: RoomID, _ name: String) -> Bool {
        hidden.contains(name) || hidden.contains(id.rawValue)
    }

    /// Takes what the search has found.
    ///
    /// - Parameter used: Rooms that must not be forgotten in favour of others.
    /// - Returns: The rooms that were not on the network before.
    func take(_ new: [FoundRoom], used: Set<RoomID>) -> [RoomID] {
        let hadRefused = hasRefused
        found = new
        let visible = new.filter { !isHidden($0.id, $0.name) }
        let there = Set(visible.map(\.id))
        for id in all.keys where !there.contains(id) { leave(id) }
        var appeared: [RoomID] = []
        var refused: FoundRoom?
        for room in visible {
            guard all[room.id] != nil || add(room, keeping: there.union(used)) else {
                refused = refused ?? room
                continue
            }
            if all[room.id]?.isPresent == false { appeared.append(room.id) }
            change(room.id) { known in
                (known.stored.name, known.stored.model, known.stored.kind) = (
                    room.name, room.model, room.kind
                )
                (known.isPresent, known.needsPassword) = (true, room.needsPassword)
            }
        }
        if let refused, !hadRefused { tellRefusal(of: refused) }
        return appeared
    }

    private func tellRefusal(of room: FoundRoom) {
        log(
            .warning,
            "\(room.name) is on the network, but cannot become a room: the house has \(Self.limit) rooms already,"
                + " the maximum. Forget some with `tutti room forget`, or list some in [rooms] hidden."
        )
    }

    /// Adds a room, if there is a place for it.
    private func add(_ room: FoundRoom, keeping kept: Set<RoomID>) -> Bool {
        guard all.count < Self.limit || forgetUnused(but: kept) else { return false }
        let stored = StoredRoom(id: room.id, name: room.name, model: room.model, kind: room.kind)
        all[room.id] = Room(stored)
        store.write(stored)
        return true
    }

    /// Notes that a room is not on the network.
    private func leave(_ id: RoomID) {
        let time = now()
        change(id) { room in
            if room.isPresent { room.lastSeen = time }
            room.isPresent = false
        }
    }

    /// Forgets one room that nobody uses, in favour of another: of those of which nothing was set, the one that has
    /// been away longest.
    ///
    /// - Returns: Whether there was one.
    private func forgetUnused(but kept: Set<RoomID>) -> Bool {
        let unused = all.values.filter { $0.stored.isUntouched && !kept.contains($0.stored.id) }
        let oldest = unused.min { left, right in
            (left.lastSeen, left.stored.id.rawValue) < (right.lastSeen, right.stored.id.rawValue)
        }
        guard let oldest else { return false }
        forget(oldest.stored.id)
        return true
    }

    // MARK: Speakers

    /// Notes that the speakers of a room are asked for.
    ///
    /// - Returns: `false` if they are already, or if the room is away.
    func beginLocating(_ id: RoomID) -> Bool {
        guard let room = all[id], !room.isLocating else { return false }
        guard room.isPresent else {
            let trouble = Trouble(
                code: "absent", message: "\(room.stored.name) is not on the network. Is it switched on?")
            change(id) { $0.trouble = trouble }
            return false
        }
        all[id]?.isLocating = true
        return true
    }

    /// Asks for the speakers of a room.
    ///
    /// - Returns: Whether the speakers are known now.
    nonisolated(nonsending) func locate(_ id: RoomID) async -> Bool {
        all[id]?.isLocating = true
        let result: Result<[SpeakerTarget], RouteError>
        do throws(RouteError) { result = .success(try await outputs.targets(of: id)) } catch {
            result = .failure(error)
        }
        all[id]?.isLocating = false
        switch result {
        case .success(let targets):
            change(id) { room in
                room.targets = targets
                room.stored.references = targets.compactMap { SpeakerReference($0) }
                // A PIN pairs once and is no part of the target; a password is.
                if let password = targets.first?.password { room.stored.password = password }
                room.wasLocated()
            }
            return true
        case .failure(let error):
            log(.warning, error.description)
            change(id) { $0.trouble = Trouble(code: "not-opened", message: error.description) }
            return false
        }
    }

    /// Whether the speakers of a room are to be asked for.
    func needsLocating(_ id: RoomID) -> Bool {
        guard let room = all[id] else { return false }
        return room.targets == nil && room.isPresent || targets(of: room).isEmpty
    }

    /// Returns a room as a zone plays to it, as far as its speakers are known; `nil` if they are not.
    ///
    /// - Parameter volume: Returns the volume with which the session is to begin.
    func zoneRoom(_ id: RoomID, volume: (Room) -> Double?) -> ZoneRoom? {
        guard let room = all[id] else { return nil }
        let targets = targets(of: room).map { target in
            var target = target
            target.name = uniqueName(target.name, of: id)
            target.volume = volume(room)
            target.delay = SpeakerDelay(milliseconds: room.stored.delay) ?? .zero
            target.maximumVolume = room.stored.maximumVolume ?? target.maximumVolume
            target.treatment = room.stored.treatment
            return target
        }
        return targets.isEmpty ? nil : ZoneRoom(id: id, targets: targets)
    }

    /// Returns a speaker's name, numbered if speakers of other rooms have the same, so that messages tell them apart.
    private func uniqueName(_ name: String, of id: RoomID) -> String {
        let twins = all.values.count { other in
            other.stored.id.rawValue < id.rawValue && other.targets?.contains { $0.name == name } == true
        }
        return twins == 0 ? name : "\(name) (\(twins + 1))"
    }

    /// Returns the room's speakers as far as they are known: as the search found them, else as they were stored.
    private func targets(of room: Room) -> [SpeakerTarget] {
        if let targets = room.targets { return targets }
        return room.stored.references.compactMap { reference in
            var target = outputs.target(of: reference)
            if target?.password == nil { target?.password = room.stored.password }
            return target
        }
    }
}
