import Synchronization
import TuttiHouse
import TuttiMQTT
import TuttiMusicLibrary

@testable import TuttiHouseMQTT

/// Zones and rooms for tests.
enum TestState {
    static let zone = ZoneID(rawValue: 1)
    static let kitchen = RoomID(rawValue: "AA:BB:CC:DD:EE:FF")
    static let bath = RoomID(rawValue: "bath")

    static func playing(_ name: String = "Music", position: Double = 10, time: Double = 1_000) -> ZoneSnapshot
    {
        var result = ZoneSnapshot(id: zone, name: name)
        var track = PlayableTrack(location: "/m/a.flac", title: "Song", duration: 200)
        (track.artist, track.album) = ("Ada", "Best")
        result.current = QueueEntry(id: EntryID(rawValue: 3), track: track)
        (result.state, result.index, result.length) = (.playing, 0, 2)
        (result.position, result.positionTime) = (position, time)
        (result.rooms, result.volume) = ([kitchen], 30)
        return result
    }

    static func room(_ id: RoomID = kitchen, _ name: String = "Kitchen", zone: ZoneID? = zone) -> RoomSnapshot
    {
        var room = RoomSnapshot(id: id, name: name, kind: .airPlay)
        (room.zone, room.volume) = (zone, 30)
        room.session = RoomSnapshot.Session(stream: "buffered", reason: "", isFallback: false)
        return room
    }

    static var house: HouseSnapshot {
        HouseSnapshot(
            revision: 17, zones: [playing()], rooms: [room(), room(bath, "Bath", zone: nil)], alarms: [alarm])
    }

    static let alarm = Alarm(
        id: AlarmID(rawValue: 4), zone: zone, minute: 390, days: [.monday, .friday], items: [.album(7)],
        volume: 30)

    static func publisher(_ house: HouseSnapshot = house, discovery: Bool = true) -> Publisher {
        let scheme = TopicScheme(root: "tutti", name: "My House")
        var publisher = Publisher(
            scheme: scheme,
            discovery: discovery
                ? Discovery(prefix: "homeassistant", scheme: scheme, name: "My House", version: "1.2") : nil,
            name: "My House", version: "1.2")
        publisher.take(HouseMirror(house))
        return publisher
    }
}

/// Moments of tests: seconds after a beginning.
struct TestTime {
    let begin = ContinuousClock.now

    func at(_ seconds: Double) -> Moment {
        Moment(unix: 1_000 + seconds, instant: begin + .milliseconds(Int(seconds * 1_000)))
    }
}

extension [MQTTMessage] {
    /// The payloads of the messages by topic, without those for Home Assistant.
    var byTopic: [String: String] {
        Dictionary(
            filter { !$0.topic.hasPrefix("homeassistant/") }.map { ($0.topic, $0.text) },
            uniquingKeysWith: { $1 })
    }
}

/// A house that records commands, and refuses those that a test says.
final class FakeHouse: HouseControlling {
    struct State {
        var snapshot = TestState.house
        var commands: [HouseCommand] = []
        var refusal: HouseError?
        /// Runs before a snapshot is returned.
        var beforeSnapshot: (@Sendable () async -> Void)?
        /// Runs before a command ends.
        var beforeOutcome: (@Sendable (HouseCommand) async -> Void)?
    }

    let state = Mutex(State())

    func snapshot() async -> HouseSnapshot {
        let work = state.withLock { $0.beforeSnapshot }
        await work?()
        return state.withLock { $0.snapshot }
    }

    func libraryDidChange() async {}

    func queue(of zone: ZoneID, _ range: Range<Int>) async throws(HouseError) -> QueuePage {
        throw HouseError(.notFound, "There is no zone.")
    }

    func perform(_ command: HouseCommand, from origin: CommandOrigin) async throws(HouseError)
        -> CommandOutcome
    {
        let (refusal, work) = state.withLock { state in
            state.commands.append(command)
            return (state.refusal, state.beforeOutcome)
        }
        await work?(command)
        if let refusal { throw refusal }
        return CommandOutcome(revision: 18)
    }
}
