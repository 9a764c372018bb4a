import Testing
import TuttiMediaTime

@testable import TuttiAudioOutput

@Suite("VirtualDAC")
struct VirtualDACTests {
    static let start = HostTime(nanoseconds: 5_000_000_123)

    @Test(
        "play times are exact after any duration", arguments: [0, 40, -25, 0.5, 10_000, -10_000],
        [441, 480])
    func exact(ppm: Double, periodFrames: Int) {
        var dac = VirtualDAC(
            sampleRate: .hz44100, ppm: ppm, periodFrames: periodFrames, latencyFrames: 2 * periodFrames,
            startingAt: Self.start)
        // Uneven steps for two minutes.
        var now = Self.start
        var next: Int64 = 0
        var steps = [7, 13, 1, 29, 400].map { Duration.milliseconds($0) }
        while now.since(Self.start) < .seconds(120) {
            while let time = dac.nextPeriod(at: now) {
                #expect(time.frame == next)
                let exact = Double(next + Int64(2 * periodFrames)) * 1e9 / (44_100 * (1 + ppm * 1e-6))
                let got = Double(time.playTime.since(Self.start).wholeNanoseconds)
                #expect(abs(got - exact) <= 0.5001)
                #expect(time.rateRatio == 1 + ppm * 1e-6)
                next += Int64(periodFrames)
            }
            #expect(dac.nextDueTime > now)
            now = now.advanced(by: steps[0])
            steps.append(steps.removeFirst())
        }
    }

    @Test("a period is due when its first frame is one latency away, not before")
    func due() {
        var dac = VirtualDAC(
            sampleRate: .hz48000, periodFrames: 480, latencyFrames: 960, startingAt: Self.start)
        let beforeStart = HostTime(nanoseconds: Self.start.nanoseconds - 1)
        #expect(dac.nextPeriod(at: beforeStart) == nil)
        #expect(
            dac.nextPeriod(at: Self.start)
                == DeviceTime(
                    frame: 0, playTime: Self.start.advanced(by: .milliseconds(20)), rateRatio: 1))
        #expect(dac.nextPeriod(at: Self.start) == nil)
        #expect(dac.nextDueTime == Self.start.advanced(by: .milliseconds(10)))
    }

    @Test("after a minute's delay every period is rendered, with its original time")
    func late() {
        var dac = VirtualDAC(
            sampleRate: .hz48000, periodFrames: 480, latencyFrames: 0, startingAt: Self.start)
        var count = 0
        while let time = dac.nextPeriod(at: Self.start.advanced(by: .seconds(60))) {
            #expect(time.playTime == Self.start.advanced(by: .milliseconds(10 * count)))
            count += 1
        }
        #expect(count == 6001)
    }

    @Test("after an outage frames continue on a new line")
    func restart() {
        var dac = VirtualDAC(
            sampleRate: .hz48000, ppm: 100, periodFrames: 480, latencyFrames: 0, startingAt: Self.start)
        _ = dac.nextPeriod(at: Self.start)
        let back = Self.start.advanced(by: .seconds(100))
        dac.restart(at: back)
        #expect(dac.nextPeriod(at: back) == DeviceTime(frame: 480, playTime: back, rateRatio: 1.0001))
        #expect(dac.nextPeriod(at: back) == nil)
    }

    @Test("an hour at +40 ppm plays 144 ms more")
    func drift() {
        let dac = VirtualDAC(sampleRate: .hz44100, ppm: 40, latencyFrames: 0, startingAt: Self.start)
        let end = dac.playTime(of: 44_100 * 3600).since(Self.start)
        #expect(abs((end - .seconds(3600)).inSeconds + 0.143994) < 1e-6)
    }

    @Test("out-of-range skews are clamped")
    func limits() {
        #expect(VirtualDAC(sampleRate: .hz44100, ppm: .nan, startingAt: Self.start).rateRatio == 1)
        #expect(VirtualDAC(sampleRate: .hz44100, ppm: .infinity, startingAt: Self.start).rateRatio == 1.01)
        let dac = VirtualDAC(
            sampleRate: .hz44100, ppm: -1e9, periodFrames: 0, latencyFrames: -1, startingAt: Self.start)
        #expect(dac.rateRatio == 0.99)
        #expect(dac.periodFrames == 1)
        #expect(dac.latencyFrames == 0)
    }
}
