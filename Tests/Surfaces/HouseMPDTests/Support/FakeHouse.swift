import Playback
import Synchronization
import TuttiMusicLibrary

@testable import TuttiHouse

/// A house without sound: its queues are real ones, its zones do at once what they are asked.
final class FakeHouse: HouseControlling {
    struct State {
        var zones: [ZoneSnapshot] = []
        var queues: [ZoneID: HouseQueue] = [:]
        var rooms: [RoomSnapshot] = []
        var library = LibraryState()
        var commands: [HouseCommand] = []
        var revision: UInt64 = 1
        var lastEntry: Int64 = 0
        var random = SystemRandomNumberGenerator()
        var onChange: (@Sendable (HouseChange) -> Void)?
        /// Called before each snapshot.
        var onSnapshot: (@Sendable () async -> Void)?
        /// Called before each answer with a queue.
        var onQueue: (@Sendable () async -> Void)?
    }

    let state = Mutex(State())
    private let items: any ItemResolving

    static let zone = ZoneID(rawValue: 1)
    static let kitchen = RoomID(rawValue: "kitchen")
    static let bath = RoomID(rawValue: "bath")

    /// A house with one zone, `Music`, whose room is the kitchen, and the bath, which belongs to none.
    init(items: any ItemResolving) {
        self.items = items
        state.withLock { state in
            var zone = ZoneSnapshot(id: Self.zone, name: "Music")
            (zone.rooms, zone.volume) = ([Self.kitchen], 40)
            state.zones = [zone]
            state.queues[Self.zone] = HouseQueue()
            var kitchen = RoomSnapshot(id: Self.kitchen, name: "Kitchen", kind: .airPlay)
            (kitchen.zone, kitchen.volume) = (Self.zone, 40)
            state.rooms = [RoomSnapshot(id: Self.bath, name: "Bath", kind: .local), kitchen]
        }
    }

    /// Commands since the last call.
    func takeCommands() -> [HouseCommand] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    func snapshot() async -> HouseSnapshot {
        await state.withLock { $0.onSnapshot }?()
        return state.withLock { state in
            HouseSnapshot(
                revision: state.revision, time: 1000, zones: state.zones, rooms: state.rooms,
                library: state.library)
        }
    }

    func queue(of zone: ZoneID, _ range: Range<Int>) async throws(HouseError) -> QueuePage {
        await state.withLock { $0.onQueue }?()
        let queue = state.withLock { $0.queues[zone] }
        guard let queue else { throw HouseError(.notFound, "There is no zone \(zone).") }
        let part = range.clamped(to: 0..<queue.entries.count)
        return QueuePage(
            revision: queue.revision, length: queue.entries.count, start: part.lowerBound,
            entries: Array(queue.entries[part]))
    }

    func libraryDidChange() async { tell { .library($0.library) } }

    /// An entry of the first zone's queue.
    func entry(_ id: Int64) -> QueueEntry? {
        state.withLock { $0.queues[Self.zone]?.entries.first { $0.id == EntryID(rawValue: id) } }
    }

    /// Changes the state of a zone, as playback does.
    func change(_ zone: ZoneID = zone, _ body: (inout ZoneSnapshot) -> Void) {
        tell { state in
            let place = state.zones.firstIndex { $0.id == zone } ?? 0
            body(&state.zones[place])
            return .zone(state.zones[place])
        }
    }

    /// Numbers a change, and tells it.
    func tell(_ body: (inout State) -> HouseChange.Body) {
        let (change, onChange) = state.withLock { state in
            let body = body(&state)
            state.revision += 1
            return (HouseChange(revision: state.revision, body: body), state.onChange)
        }
        onChange?(change)
    }

    func perform(_ command: HouseCommand, from origin: CommandOrigin) async throws(HouseError)
        -> CommandOutcome
    {
        state.withLock { $0.commands.append(command) }
        var outcome = CommandOutcome(revision: 0)
        switch command {
        case .add(let zone, let items, let place):
            let tracks: [PlayableTrack]
            do throws(LibraryError) { tracks = try await self.items.tracks(of: items) } catch {
                throw HouseError(error)
            }
            outcome.entries = try add(tracks, to: zone, place)
        case .jump(let zone, let id):
            try edit(zone) { queue throws(HouseError) in
                guard queue.contains(id) else { throw HouseError(.noSuchEntry(id)) }
                queue.jump(to: id)
            }
            change(zone) { ($0.state, $0.position) = ($0.rooms.isEmpty ? .stopped : .playing, 0) }
        case .remove(let zone, let ids): try edit(zone) { queue throws(HouseError) in queue.remove(ids) }
        case .move(let zone, let ids, let target):
            try edit(zone) { queue throws(HouseError) in
                do throws(PlayQueueError<EntryID>) { try queue.move(ids, before: target) } catch {
                    throw HouseError(error)
                }
            }
        case .clear(let zone):
            try edit(zone) { queue throws(HouseError) in queue.clear() }
            change(zone) { $0.state = .stopped }
        case .next(let zone): try step(zone) { $0.following }
        case .previous(let zone): try step(zone) { $0.preceding }
        default: try carryOut(command, &outcome)
        }
        return outcome
    }

    private func carryOut(_ command: HouseCommand, _ outcome: inout CommandOutcome) throws(HouseError) {
        switch command {
        case .play(let zone): change(zone) { $0.state = .playing }
        case .pause(let zone): change(zone) { $0.state = .paused }
        case .stop(let zone): change(zone) { ($0.state, $0.position) = (.stopped, 0) }
        case .toggle(let zone): change(zone) { $0.state = $0.state == .playing ? .paused : .playing }
        case .seek(let zone, let seconds): change(zone) { ($0.position, $0.positionTime) = (seconds, 1000) }
        case .skip(let zone, let seconds): change(zone) { $0.position += seconds }
        case .setShuffle(let zone, let isOn): change(zone) { $0.shuffle = isOn }
        case .setRepeat(let zone, let mode): change(zone) { $0.repeatMode = mode }
        case .sleepAtEndOfTrack(let zone): change(zone) { $0.sleep = .endOfTrack }
        case .sleep(let zone, _): change(zone) { $0.sleep = nil }
        case .setZoneVolume(let zone, let percent): change(zone) { $0.volume = percent }
        case .moveRoom(let id, let target):
            tell { state in
                let place = state.rooms.firstIndex { $0.id == id } ?? 0
                state.rooms[place].zone = target
                for index in state.zones.indices {
                    state.zones[index].rooms.removeAll { $0 == id }
                    if state.zones[index].id == target { state.zones[index].rooms.append(id) }
                }
                return .room(state.rooms[place])
            }
            for zone in state.withLock({ $0.zones }) { change(zone.id) { _ in } }
        case .makeZone(let name, _):
            tell { state in
                let zone = ZoneSnapshot(id: ZoneID(rawValue: state.zones.count + 1), name: name)
                state.zones.append(zone)
                state.queues[zone.id] = HouseQueue()
                return .zone(zone)
            }
        case .removeZone(let id):
            tell { state in
                state.zones.removeAll { $0.id == id }
                return .zoneRemoved(id)
            }
        default: break
        }
    }

    private func step(_ zone: ZoneID, _ next: (HouseQueue) -> EntryID?) throws(HouseError) {
        try edit(zone) { queue throws(HouseError) in queue.setCurrent(next(queue)) }
    }

    private func add(
        _ tracks: [PlayableTrack], to zone: ZoneID, _ place: QueuePlace
    ) throws(HouseError) -> [EntryID] {
        let entries = state.withLock { state in
            tracks.map { track in
                state.lastEntry += 1
                return QueueEntry(id: EntryID(rawValue: state.lastEntry), track: track)
            }
        }
        try edit(zone) { queue throws(HouseError) in
            var random = SystemRandomNumberGenerator()
            do throws(PlayQueueError<EntryID>) {
                try queue.insert(entries, at: place, using: &random)
            } catch {
                throw HouseError(error)
            }
            if queue.currentID == nil { queue.setCurrent(queue.order.first) }
        }
        return entries.map(\.id)
    }

    /// Changes a queue, and tells it.
    func edit(
        _ zone: ZoneID = zone, _ body: (inout HouseQueue) throws(HouseError) -> Void
    ) throws(HouseError) {
        var queue = state.withLock { $0.queues[zone] } ?? HouseQueue()
        try body(&queue)
        let new = queue
        tell { state in
            state.queues[zone] = new
            return .queue(zone, revision: new.revision, length: new.entries.count)
        }
        change(zone) { snapshot in
            (snapshot.current, snapshot.index) = (new.current, new.currentPlace)
            (snapshot.length, snapshot.queueRevision) = (new.entries.count, new.revision)
        }
    }
}
