import Foundation
import Testing
import TuttiHouseSimulation
import TuttiTestMedia

@Suite("Probes")
struct ProbeTests {
    @Test("differences over time")
    func differences() throws {
        let seed = UInt64(ProcessInfo.processInfo.environment["SEED"] ?? "3") ?? 3
        let folder = try TestFolder()
        let path = try StampedFile.make(seconds: 60, in: folder.path)
        let script = HouseScript.drawn(from: seed, seconds: 60, rooms: 3, songSeconds: 60)
        let house = try VirtualHouse(seed: seed)
        let held = Held()
        house.each(second: 0.5) { held.note(house) }
        let outcome = house.play(script, path, songSeconds: 60)
        print(outcome.complaints)
        for line in held.lines { print(line) }
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            let (one, other) = (house.speakers[a], house.speakers[b])
            for second in stride(from: 1.0, to: outcome.seconds, by: 1) {
                let all = HouseJudge.differences(
                    one, other, since: Int64(second * 1e9), until: Int64((second + 1) * 1e9))
                if let low = all.min(), let high = all.max() {
                    print("\(one.name) \(other.name)", second, Int(low), Int(high))
                }
            }
        }
    }
}

final class Held: @unchecked Sendable {
    var lines: [String] = []

    func note(_ house: VirtualHouse) {
        let held = house.speakers.map { speaker -> String in
            guard let stream = speaker.status.stream else { return "-" }
            return "\(stream)"
        }
        lines.append("\(house.seconds) \(held)")
    }
}
