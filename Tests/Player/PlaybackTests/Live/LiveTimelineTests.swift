import Testing
import TuttiMediaTime

@testable import Playback

@Suite("Places of live sound")
struct LiveTimelineTests {
    /// A source with a clock of its own that feeds a timeline, in simulated time.
    struct Feeder {
        var timeline: LiveTimeline
        /// The source's rate by this machine's clock, as a fraction of nominal, less 1.
        var skew = 0.0
        var sent = 0
        let start = HostTime(nanoseconds: 5_000_000_000)
        let latency = Duration.milliseconds(100)
        let rate: SampleRate
        let block = 441

        init(rate: SampleRate = .hz44100, skew: Double = 0) {
            (self.rate, self.skew) = (rate, skew)
            let line = FrameLine(frame: 1000, host: start, sampleRate: .hz44100)
            timeline = LiveTimeline(line: line, end: 1000)
        }

        /// The host time at which the source's frame is to be heard.
        func due(_ frame: Int) -> HostTime {
            start.advanced(by: latency + .seconds(Double(frame) / (Double(rate.hertz) * (1 + skew))))
        }

        /// Feeds one block with a counting ramp.
        mutating func feed(late: Duration = .zero, skipped: Bool = false) -> LiveTimeline.Stretch? {
            let frames = (sent..<sent + block).flatMap { frame -> [Float] in
                let value = Float(frame % 30_000 + 1) / 0x1p15
                return [value, -value]
            }
            defer { sent += block }
            if skipped { return nil }
            let due = due(sent)
            let now = due.advanced(by: .zero - latency + late)
            return timeline.place(LiveSound(rate: rate, frames: frames), heardAt: due, at: now)
        }
    }

    /// The place at which a frame of the source should be.
    private func place(_ due: HostTime, _ feeder: Feeder) -> Double {
        1000 + Double(due.nanoseconds - feeder.start.nanoseconds) * 44_100 / 1e9
    }

    @Test("a source on this machine's clock comes out bit for bit, at its time")
    func exact() throws {
        var feeder = Feeder()
        var samples: [Float] = []
        let begun = feeder.feed()
        let first = try #require(begun)
        #expect(first.frame == 1000 + 4410)
        samples += first.samples
        for _ in 0..<2000 { samples += feeder.feed()?.samples ?? [] }
        let expected = (0..<samples.count / 2).map { Float($0 % 30_000 + 1) / 0x1p15 }
        #expect(stride(from: 0, to: samples.count, by: 2).map { samples[$0] } == expected)
        #expect(feeder.timeline.counts == LiveTimeline.Counts())
    }

    @Test(
        "a source that drifts is followed: after two minutes it is still within two milliseconds",
        arguments: [
            -150e-6, 40e-6, 150e-6,
        ])
    func drift(skew: Double) {
        var feeder = Feeder(skew: skew)
        var worst = 0.0
        for index in 0..<12_000 {
            let end = feeder.due(feeder.sent + feeder.block)
            guard feeder.feed() != nil, index > 10 else { continue }
            // Up to 33 frames wait in the resampler.
            let error = place(end, feeder) - Double(feeder.timeline.end)
            worst = max(worst, abs(error - 32) / 44_100)
        }
        #expect(worst < 0.002, "\(worst)")
        #expect(feeder.timeline.counts.jumps == 0 && feeder.timeline.counts.droppedFrames == 0)
        #expect(abs(feeder.timeline.servo.drift + skew) < 20e-6)
    }

    @Test("48 kHz keeps its time")
    func resampled() {
        var feeder = Feeder(rate: .hz48000)
        for _ in 0..<1000 { _ = feeder.feed() }
        let error = place(feeder.due(feeder.sent), feeder) - Double(feeder.timeline.end)
        #expect(abs(error - 30) < 8, "\(error)")
        #expect(feeder.timeline.counts == LiveTimeline.Counts())
    }

    @Test("a missing stretch is silence, and what follows keeps its time")
    func gap() throws {
        var feeder = Feeder()
        for _ in 0..<100 { _ = feeder.feed() }
        for _ in 0..<100 { _ = feeder.feed(skipped: true) }
        let fed = feeder.feed()
        let next = try #require(fed)
        let expected = place(feeder.due(feeder.sent - feeder.block), feeder)
        #expect(abs(Double(next.frame) - expected) <= 1)
        #expect(feeder.timeline.counts.jumps == 1)
    }

    @Test("sound that comes after its silence is dropped as far as it is over, and delays nothing")
    func late() throws {
        var feeder = Feeder()
        for _ in 0..<100 { _ = feeder.feed() }
        let stalled = feeder.due(feeder.sent).advanced(by: .milliseconds(200))
        let filled = feeder.timeline.fill(until: stalled)
        let silence = try #require(filled)
        #expect(silence.samples.allSatisfy { $0 == 0 } && silence.samples.count / 2 > 8800)
        // Twenty blocks of 10 ms are late.
        var placed = 0
        for _ in 0..<20 where feeder.feed() != nil { placed += 1 }
        #expect(placed <= 1)
        let fed = feeder.feed()
        let next = try #require(fed)
        let expected = place(feeder.due(feeder.sent - feeder.block), feeder)
        #expect(abs(Double(next.frame) - expected) < 60)
        #expect(feeder.timeline.counts.silences == 1)
    }

    @Test("a lower latency drops sound instead of moving it, a higher one leaves a gap")
    func latencyChange() throws {
        var feeder = Feeder()
        for _ in 0..<10 { _ = feeder.feed() }
        let sound = LiveSound(rate: .hz44100, frames: [Float](repeating: 0.5, count: 882))
        let end = feeder.timeline.endTime
        let now = end.advanced(by: .milliseconds(-100))
        let early = feeder.timeline.place(sound, heardAt: end.advanced(by: .milliseconds(-50)), at: now)
        #expect(early == nil)
        #expect(feeder.timeline.counts.droppedFrames == 441)
        let late = end.advanced(by: .milliseconds(900))
        let placed = feeder.timeline.place(sound, heardAt: late, at: now)
        let stretch = try #require(placed)
        #expect(abs(Double(stretch.frame) - place(late, feeder)) <= 1)
    }

    @Test("sound whose time is over when it comes is dropped")
    func past() {
        var feeder = Feeder()
        let sound = LiveSound(rate: .hz44100, frames: [Float](repeating: 0.5, count: 882))
        let due = feeder.start.advanced(by: .seconds(1))
        let placed = feeder.timeline.place(sound, heardAt: due, at: due.advanced(by: .milliseconds(20)))
        #expect(placed == nil)
    }
}
