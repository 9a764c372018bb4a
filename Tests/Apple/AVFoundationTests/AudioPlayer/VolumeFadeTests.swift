import Testing
import TuttiMediaTime

@testable import AVFoundation

@Suite("Fades of a volume")
struct VolumeFadeTests {
    static let fades: [(length: Int64, at: Int64, volume: Float, isDone: Bool)] = [
        (1000, -500, 0.2, false), (1000, 0, 0.2, false), (1000, 500, 0.6, false), (1000, 999, 0.9992, false),
        (1000, 1000, 1, true), (1000, 99_999, 1, true), (0, 0, 1, true), (-5, 0, 1, true),
    ]

    @Test(
        "a fade goes evenly from its start to its target, and one of no length is there at once",
        arguments: fades)
    func fade(length: Int64, at: Int64, volume: Float, isDone: Bool) {
        let start = HostTime(nanoseconds: 7_000_000_000)
        let fade = VolumeFade(from: 0.2, to: 1, start: start, length: .milliseconds(length))
        let now = HostTime(nanoseconds: 7_000_000_000 + at * 1_000_000)
        #expect(abs(fade.volume(at: now) - volume) < 1e-5 && fade.isDone(at: now) == isDone)
    }
}
