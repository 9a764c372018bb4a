import Testing
import TuttiHouseSimulation
import TuttiTestSupport

/// A script of its own in a house of its own; the seed still gives the clocks and the order of everything.
enum FixedScript {
    static let songFrames = 60 * 44_100.0
    private static let song = try? Song()
    /// The frames behind the last one of the short song, which begins behind the last one of the song.
    static let shortEnd = song?.items.last?.upperBound ?? 0

    /// Lets the steps happen in a house of these rooms.
    static func live(
        _ rooms: [VirtualHouse.Room], seed: UInt64 = 7, isCompressed: Bool = true,
        _ steps: [HouseScript.Step]
    ) async throws -> HousePlan.Record {
        let song = try #require(song)
        var plan = HousePlan(
            seed: seed, kinds: rooms.map(\.kind), manners: rooms.map(\.manners),
            isCompressed: isCompressed)
        plan.script.steps = steps
        plan.recovery = steps.contains { $0.act.seconds > 0 } ? 12 : 8
        return await LongWork.run { [plan] in plan.record(song) }
    }

    /// The runs of a room, with those that follow without a gap as one.
    static func pieces(_ room: HousePlan.Record.Room) -> [HeardRun] {
        let items = song?.items ?? []
        return room.runs.reduce(into: []) { pieces, run in
            if let last = pieces.last, HouseJudge.isJoin(last, run, items: items) {
                pieces[pieces.count - 1].last = run.last
            } else {
                pieces.append(run)
            }
        }
    }

    static func seconds(_ frame: Double) -> Double { frame / 44_100 }
}
