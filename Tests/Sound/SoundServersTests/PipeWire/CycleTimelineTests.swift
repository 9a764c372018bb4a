import Testing
import TuttiMediaTime

@testable import TuttiSoundServers

@Suite struct CycleTimelineTests {
    /// Times of the frames of cycles whose clock runs `ppm` fast, in nanoseconds, and the ends of the blocks
    /// before them.
    private func run(cycles: Int, ppm: Double) -> (jumps: Int, worst: Double) {
        var timeline = CycleTimeline(rate: .hz44100, latency: .milliseconds(500))
        var expected: HostTime?
        var (jumps, worst) = (0, 0.0)
        for cycle in 0..<cycles {
            // Cycles of 512 frames at 48 kHz: 470 or 471 frames here.
            let frames = Int64((cycle + 1) * 47_040 / 100) - Int64(cycle * 47_040 / 100)
            let time = HostTime(nanoseconds: Int64(Double(cycle) * 512e9 / 48_000 * (1 + ppm * 1e-6)))
            let heard = timeline.heardAt(cycle: time, frames: frames, buffered: 32)
            if let expected, abs(heard.since(expected).inSeconds) > 0.001 { jumps += 1 }
            let told = time.advanced(by: .milliseconds(496) - SampleRate.hz44100.duration(of: 32))
            worst = max(worst, abs(heard.since(told).inSeconds))
            expected = heard.advanced(by: SampleRate.hz44100.duration(of: frames))
        }
        return (jumps, worst)
    }

    @Test(
        "sound continues over cycles of uneven length, within 1 ms of the told latency",
        arguments: [-200.0, 0, 200])
    func drift(ppm: Double) {
        let result = run(cycles: 5_000, ppm: ppm)
        #expect(result.jumps == 0)
        #expect(result.worst < 0.001)
    }

    @Test("missing cycles are a gap of their length")
    func gap() {
        var timeline = CycleTimeline(rate: .hz48000, latency: .milliseconds(100))
        let first = timeline.heardAt(cycle: HostTime(nanoseconds: 0), frames: 480, buffered: 0)
        let later = timeline.heardAt(cycle: HostTime(nanoseconds: 50_000_000), frames: 480, buffered: 0)
        #expect(first == HostTime(nanoseconds: 96_000_000))
        #expect(later == HostTime(nanoseconds: 146_000_000))
    }

    @Test("a changed latency moves the next cycle at once")
    func latency() {
        var timeline = CycleTimeline(rate: .hz48000, latency: .milliseconds(100))
        _ = timeline.heardAt(cycle: HostTime(nanoseconds: 0), frames: 480, buffered: 0)
        timeline.latency = .milliseconds(2_000)
        let heard = timeline.heardAt(cycle: HostTime(nanoseconds: 10_000_000), frames: 480, buffered: 0)
        #expect(heard == HostTime(nanoseconds: 2_006_000_000))
    }

    @Test("cycles at the ends of the clock do not overflow", arguments: [Int64.min, .max])
    func ends(time: Int64) {
        var timeline = CycleTimeline(rate: .hz48000, latency: .milliseconds(2_500))
        for _ in 0..<3 {
            _ = timeline.heardAt(
                cycle: HostTime(nanoseconds: time), frames: 480, buffered: .max / 1_000_000_000)
        }
    }
}
