import Testing
import TuttiMediaTime

@testable import Playback

@Suite("The pace of a pipe")
struct PipePaceTests {
    /// A pipe of 64 KiB with a writer, read in simulated time; returns the sound at hand at the end, in
    /// seconds.
    private func run(
        seconds: Double, writerRate: Double, capacity: Int = 16_384, waiting early: Double = 0,
        stall: ClosedRange<Double>? = nil
    ) -> (atHand: Double, gaps: Int, pace: PipePace) {
        var (pace, written, read, gaps) = (PipePace(rate: .hz44100), early * 44_100, 0, 0)
        let latency = Duration.milliseconds(100)
        var last: HostTime?
        var atHand = 0.0
        for step in 0..<Int(seconds * 200) {
            let time = Double(step) / 200
            let now = HostTime(nanoseconds: 1_000_000_000).advanced(by: .seconds(time))
            if !(stall?.contains(time) ?? false) {
                // A writer that blocks waits; one with a clock of its own loses what does not fit.
                written = min(written + writerRate / 200, Double(read + capacity))
            }
            while true {
                if pace.excess > 0 {
                    read += min(pace.excess, Int(written) - read)
                    pace.dropped()
                }
                let room = pace.room(at: now, latency: latency)
                let waiting = Int(written) - read
                guard room > 0, waiting > 0 else { break }
                let count = min(room, waiting)
                read += count
                let start = pace.place(
                    count, backlog: waiting - count,
                    fullness: Double(waiting - count) / Double(capacity), at: now, latency: latency)
                #expect(start >= now.advanced(by: latency / 2))
                if let last, start != last { gaps += 1 }
                last = pace.end
            }
            atHand = (pace.end?.since(now).inSeconds ?? 0) + (written - Double(read)) / 44_100
        }
        return (atHand, gaps, pace)
    }

    @Test(
        "a writer with a clock of its own is followed for ten minutes without a gap, and without growing latency",
        arguments: [
            -300e-6, -20e-6, 20e-6, 300e-6,
        ])
    func drift(skew: Double) {
        let early = run(seconds: 60, writerRate: 44_100 * (1 + skew))
        let late = run(seconds: 600, writerRate: 44_100 * (1 + skew))
        #expect(late.gaps == 0)
        #expect(abs(late.atHand - early.atHand) < 0.05, "\(early.atHand) \(late.atHand)")
        #expect(abs(late.pace.correction + skew) < 50e-6, "\(late.pace.correction)")
    }

    @Test(
        "sound that was written before the pipe is read adds nothing to the latency",
        arguments: [0, 0.007, 0.024, 0.08, 0.2])
    func early(waiting: Double) {
        let result = run(seconds: 2, writerRate: 44_100, waiting: waiting)
        #expect(result.gaps == 0)
        #expect(abs(result.atHand - 0.25) < 0.01, "\(result.atHand)")
    }

    @Test("a writer that is faster waits, and the sound keeps its nominal rate")
    func faster() {
        let result = run(seconds: 60, writerRate: 441_000)
        #expect(result.gaps == 0 && result.pace.correction == 0)
    }

    @Test("a writer that stalls makes one gap")
    func stall() {
        let result = run(seconds: 60, writerRate: 44_100, stall: 20...23)
        #expect(result.gaps == 1)
    }
}
