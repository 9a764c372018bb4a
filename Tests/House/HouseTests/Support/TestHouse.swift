import Foundation
import Synchronization

@testable import TuttiHouse

/// A house of fakes, with a clock that a test moves, and rooms named `kitchen`, `bath` and `hall`.
final class TestHouse: Sendable {
    let house: House
    let outputs = FakeOutputs()
    let surface = RecordingSurface()
    private let time: Time
    private let lines = Log()

    private final class Log: Sendable {
        let lines = Mutex<[String]>([])
    }

    private final class Time: Sendable {
        let now = Mutex(1_000_000.0)
    }

    static let origin = CommandOrigin(surface: "test")
    static let kitchen = RoomID(rawValue: "kitchen")
    static let bath = RoomID(rawValue: "bath")
    static let hall = RoomID(rawValue: "hall")
    /// The zone that a new house has.
    static let zone = ZoneID(rawValue: 1)

    init(statePath: String? = nil, change: (inout HouseConfiguration) -> Void = { _ in }) {
        var configuration = HouseConfiguration()
        configuration.statePath = statePath
        change(&configuration)
        let time = Time()
        self.time = time
        house = House(
            configuration: configuration, items: EchoItems(),
            log: { [lines] _, line in lines.lines.withLock { $0.append(line) } }, outputs: outputs,
            now: { time.now.withLock { $0 } })
    }

    /// The lines of the log so far.
    var log: [String] { lines.lines.withLock { $0 } }

    func start(rooms: [RoomID] = [kitchen, bath, hall]) async throws {
        await house.start()
        try await house.add(surface)
        await find(rooms)
    }

    func find(_ rooms: [RoomID], needsPassword: Bool = false) async {
        await house.roomsFound(
            rooms.map {
                FoundRoom(id: $0, name: $0.rawValue, kind: .airPlay, needsPassword: needsPassword)
            })
        await house.settle()
    }

    @discardableResult
    func perform(_ command: HouseCommand) async throws -> CommandOutcome {
        let outcome = try await house.perform(command, from: Self.origin)
        await house.settle()
        return outcome
    }

    /// Adds tracks to a zone and gives it rooms.
    @discardableResult
    func fill(
        _ zone: ZoneID = zone, _ names: [String] = ["a", "b", "c"], rooms: [RoomID] = [kitchen]
    ) async throws -> [EntryID] {
        for room in rooms { try await perform(.moveRoom(room, to: zone)) }
        return try await perform(.add(zone, names.map { .location($0) }, .end)).entries
    }

    func handle(_ event: ZoneEvent, of zone: ZoneID = zone) async {
        await house.handle(event, of: zone)
        await house.settle()
    }

    func setTime(_ seconds: Double) { time.now.withLock { $0 = seconds } }

    func advance(by seconds: Double) async {
        time.now.withLock { $0 += seconds }
        await house.tick()
        await house.run(.checkAlarms)
        await house.settle()
    }

    func snapshot(of zone: ZoneID = zone) async -> ZoneSnapshot? {
        await house.snapshot().zones.first { $0.id == zone }
    }

    func titles(of zone: ZoneID = zone) async throws -> [String] {
        try await house.queue(of: zone, 0..<1000).entries.map(\.track.title)
    }
}

extension House {
    /// Returns when the tasks of rooms have ended.
    func settle() async {
        while zones.all.values.contains(where: { $0.roomTask != nil })
            || rooms.all.values.contains(where: \.isLocating) || alarmClock.ringingCount > 0
        {
            await Task.yield()
        }
    }

    /// Makes the zone hold its rooms, as while their sessions are being opened.
    func claimRooms(of zone: ZoneID) {
        zones[zone]?.held.formUnion(rooms.ids(of: zone))
    }
}
