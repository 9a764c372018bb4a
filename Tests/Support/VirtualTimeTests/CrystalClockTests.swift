import Testing
import TuttiMediaTime
import TuttiSeeds
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiVirtualTime

@Suite("Crystals")
struct CrystalClockTests {
    private static let second: Int64 = 1_000_000_000

    /// Crystals with one rate, with steep knees, and ones that wander.
    static let crystals: [CrystalClock] = {
        var random = SeededGenerator(seed: 5)
        let steady = [0, 40_000, -25_000, 1_000_000, -1_000_000].map { CrystalClock(rate: $0) }
        let bent = [CrystalClock(rates: [1_000_000, -1_000_000, 0, 7, -1_000_000, 1_000_000])]
        let wandering = [50_000, -50_000, 0].map { CrystalClock.wandering(from: $0, using: &random) }
        return steady + bent + wandering
    }()

    /// Times at knees and next to them, anywhere, and far behind the last knee.
    private func times(_ seed: UInt64) -> [Int64] {
        var random = SeededGenerator(seed: seed)
        let knees = [0, 1, 2, 3, 59, 600, 1_199, 1_200, 5_000].map { $0 * Self.second }
        let near = knees.flatMap { knee in (-3...3).map { knee + $0 } }.filter { $0 >= 0 }
        return near + (0..<500).map { _ in Int64.random(in: 0...(7_200 * Self.second), using: &random) }
    }

    @Test("a crystal with one rate counts in proportion")
    func steady() {
        #expect(CrystalClock().count(at: 123_456_789) == 123_456_789)
        #expect(CrystalClock(rate: 40_000).count(at: 10 * Self.second) == 10 * Self.second + 400_000)
        #expect(CrystalClock(rate: -40_000).count(at: Self.second / 2) == Self.second / 2 - 20_000)
    }

    @Test("a second adds exactly what its rate says")
    func seconds() {
        let crystal = CrystalClock(rates: [1_000, -500, 20])
        let counts = (0...4).map { crystal.count(at: $0 * Self.second) - $0 * Self.second }
        #expect(counts == [0, 1_000, 500, 520, 540])
        #expect([0, 1, 2, 9].map { crystal.rate(at: $0 * Self.second) } == [1_000, -500, 20, 20])
    }

    @Test(
        "a count never falls, never stands for two nanoseconds, and has no step at a knee",
        arguments: Self.crystals)
    func isMonotonic(crystal: CrystalClock) {
        for time in times(1) {
            let steps = (0..<3).map { crystal.count(at: time + $0 + 1) - crystal.count(at: time + $0) }
            #expect(steps.allSatisfy { (0...2).contains($0) })
            #expect(steps[0] + steps[1] >= 1)
        }
    }

    @Test("the time of a count is the first one at which it is reached", arguments: Self.crystals)
    func inverse(crystal: CrystalClock) {
        for time in times(2) {
            let count = crystal.count(at: time)
            let back = crystal.time(of: count)
            #expect(back <= time && time - back <= 1 && crystal.count(at: back) >= count)
            #expect(back == 0 || crystal.count(at: back - 1) < count)
            // A fast crystal leaves out some counts.
            let between = crystal.time(of: count + 1)
            #expect(crystal.count(at: between) >= count + 1 && crystal.count(at: between - 1) < count + 1)
        }
    }

    @Test("a wandering crystal begins at its rate, and drifts by two parts in a million a minute at most")
    func drift() {
        var random = SeededGenerator(seed: 9)
        let crystal = CrystalClock.wandering(from: 12_000, using: &random)
        let rates = (0..<1_200).map { crystal.rate(at: $0 * Self.second) }
        #expect(abs(rates[0] - 12_000) < 50)
        #expect(rates.allSatisfy { abs($0 - 12_000) <= 8_100 })
        #expect(zip(rates, rates.dropFirst()).allSatisfy { abs($1 - $0) <= 37 })
        #expect(Set(rates).count > 100)
    }

    @Test("a sleep ends when a clock whose rate changes meanwhile reaches its time")
    func sleep() {
        let world = VirtualWorld(seed: 1)
        let machine = VirtualMachine(
            "here", in: world, on: VirtualNetwork(in: world), at: IPAddress(10, 0, 0, 1),
            crystal: CrystalClock(rates: [1_000_000, -1_000_000, -1_000_000]))
        machine.lateness.usual = 0
        let ends = Recorder<[Int64]>([])
        world.run(until: 10 * Self.second) {
            Task {
                for _ in 0..<3 {
                    try await machine.sleep(for: .seconds(1))
                    ends.update { $0.append(world.time) }
                }
            }
        }
        // A millisecond more than a second by the end of the first, one less in each of the others.
        let first = Self.second - 999_000
        #expect(ends.value.count == 3)
        #expect(abs(ends.value[0] - first) <= 2_000)
        #expect(abs(ends.value[1] - 2 * Self.second) <= 2_000)
        #expect(abs(ends.value[2] - 3 * Self.second - 1_001_000) <= 3_000)
    }
}
