import AirPlaySender
import Playback
import Synchronization

/// The rooms of a zone by the keys of their speakers, two of which a stereo pair has. Any thread.
final class RoomNames: Sendable {
    private let rooms = Mutex<[String: RoomID]>([:])
    private let expected = Mutex<[RoomID: [Double]]>([:])

    func set(_ new: [ZoneRoom]) {
        let pairs = new.flatMap { room in room.targets.map { ($0.key, room.id) } }
        // Keeps the speakers of rooms that leave: their last events still arrive.
        rooms.withLock { rooms in
            if rooms.count > Self.limit { rooms = [:] }
            rooms.merge(pairs) { $1 }
        }
    }

    func room(of speaker: NamedSpeaker) -> RoomID? { rooms.withLock { $0[speaker.id] } }

    /// Notes that the program itself sets this volume, so that the event of it is ignored.
    func expect(_ percent: Double, of room: RoomID) {
        expected.withLock { $0[room] = ($0[room] ?? []).suffix(Self.expectedLimit - 1) + [percent] }
    }

    /// Whether the program itself has set this volume; forgets it and those set before.
    func wasExpected(_ percent: Double, of room: RoomID) -> Bool {
        expected.withLock { expected in
            guard let place = expected[room]?.firstIndex(of: percent) else { return false }
            expected[room]?.removeSubrange(...place)
            return true
        }
    }

    /// The most volumes of a room on their way, far above what a slider moves between two events.
    private static let expectedLimit = 64

    /// The most speakers to remember, far above the size of any zone.
    private static let limit = 256
}

/// The translation of a selection's events into events of rooms.
enum RoomEvents {
    static func events(of event: RouteCatalogue.Event, _ names: RoomNames) -> [ZoneEvent] {
        switch event {
        case .speaker(let event): speaker(event, names)
        case .volume(let speaker, let percent):
            names.room(of: speaker).flatMap { room in
                names.wasExpected(percent, of: room) ? nil : [.volume(room, percent)]
            } ?? []
        case .format, .outputMissing, .outputFound, .settingsWarning: []
        }
    }

    private static func speaker(_ event: SpeakerGroupEvent, _ names: RoomNames) -> [ZoneEvent] {
        switch event {
        case .state(let speaker, let state):
            guard let room = names.room(of: speaker) else { return [] }
            guard case .lost(let failure) = state else { return [.room(room, Self.state(state))] }
            let trouble = Trouble(code: failure.code.rawValue, message: failure.message)
            return [.room(room, .lost), .roomTrouble(room, trouble)]
        case .warning(let speaker, let code, let message):
            return names.room(of: speaker).map {
                [.roomTrouble($0, Trouble(code: code, message: message))]
            } ?? []
        case .chosen(let speaker, let choice):
            guard choice.stream != .local, let room = names.room(of: speaker) else { return [] }
            let session = RoomSnapshot.Session(
                stream: choice.stream.rawValue, reason: choice.reason, isFallback: choice.isFallback)
            return [.session(room, session)]
        case .opening, .opened, .clock, .command: return []
        }
    }

    private static func state(_ state: SpeakerState) -> RoomSnapshot.State {
        switch state {
        case .connecting, .waitingForClock: .connecting
        case .ready: .ready
        case .playing: .playing
        case .starved: .starved
        case .lost: .lost
        case .closed: .idle
        }
    }
}
