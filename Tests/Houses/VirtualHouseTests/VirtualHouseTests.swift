import Testing
import TuttiHouseSimulation
import TuttiTestSupport

@Suite("Houses in virtual time")
struct VirtualHouseTests {
    /// Some seeds; each of those behind the first ones has found a defect.
    static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6, 8, 25]

    @Test("a house recovers from every fault, and its rooms play on in step", arguments: Self.seeds)
    func house(seed: UInt64) async throws {
        let song = try Song()
        let outcome = await LongWork.run { HousePlan(seed: seed).outcome(song) }
        #expect(outcome.complaints == [])
        #expect(outcome.faults.values.reduce(0, +) >= 5)
    }

    @Test("three rooms play every frame, in step from the first second on")
    func quiet() async throws {
        let song = try Song(seconds: 20)
        var plan = HousePlan(seed: 1)
        plan.script.steps = [HouseScript.Step(.play, at: 0)]
        let outcome = await LongWork.run { [plan] in plan.outcome(song) }
        #expect(outcome.complaints == [])
        #expect(outcome.worstDifference < 100)
    }
}
