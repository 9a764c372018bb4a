import Testing
import TuttiHouseSimulation
import TuttiTestSupport

@Suite("Houses in virtual time")
struct VirtualHouseTests {
    /// Some seeds; each of those behind the first one has found a defect.
    static let seeds: [UInt64] = [1, 8, 25, 142, 1017]

    static let buffered: [RoomKind] = [.buffered, .buffered, .buffered]

    @Test("a house recovers from every fault, and its rooms play on in step", arguments: Self.seeds)
    func house(seed: UInt64) async throws {
        let song = try Song()
        let outcome = await LongWork.run {
            HousePlan(seed: seed, kinds: Self.buffered).outcome(song)
        }
        #expect(outcome.complaints == [])
        #expect(outcome.faults.values.reduce(0, +) >= 5)
    }

    @Test("three rooms play every frame, in step from the first second on")
    func quiet() async throws {
        let song = try Song(seconds: 20)
        var plan = HousePlan(seed: 1, kinds: Self.buffered)
        plan.script.steps = [HouseScript.Step(.play, at: 0), HouseScript.Step(.play, at: 12)]
        let house = try VirtualHouse(seed: plan.seed)
        let outcome = await LongWork.run { [plan] in
            house.play(plan.script, song)
        }
        #expect(outcome.complaints == [])
        for speaker in house.speakers {
            let first = try #require(speaker.runs.first?.first)
            #expect(first.frame < 100)
            let joins = zip(speaker.runs, speaker.runs.dropFirst())
            #expect(joins.allSatisfy { HouseJudge.isJoin($0, $1, items: song.items) })
            let differences = HouseJudge.differences(
                house.speakers[0], speaker, since: first.time + 1_000_000_000)
            #expect(differences.count > 1_000 && differences.allSatisfy { abs($0) < 100 })
        }
    }
}
