import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import TuttiAudioOutput

@Suite("DeviceClock")
struct DeviceClockTests {
    /// A device with a skew of `ppm`, observed every 10 ms with uniform jitter.
    private struct Simulation {
        var clock = DeviceClock(sampleRate: .hz48000)
        let ppm: Double
        let jitter: Double
        var generator = SeededGenerator(seed: 7)
        var frame: Int64 = 0
        let start = HostTime(nanoseconds: 77_000_000_000)

        func truth(_ frame: Int64) -> Double { Double(frame) * 1e9 / (48_000 * (1 + ppm * 1e-6)) }

        mutating func run(seconds: Int, late: Double = 0) {
            for _ in 0..<seconds * 100 {
                frame += 480
                let noise = Double.random(in: -jitter...jitter, using: &generator)
                let time = truth(frame) + noise + late
                clock.observe(
                    frame: frame, at: HostTime(nanoseconds: start.nanoseconds + Int64(time.rounded())))
            }
        }

        /// Returns the error of the line, two periods ahead, in nanoseconds.
        var error: Double {
            let ahead = frame + 960
            guard let time = clock.playTime(of: ahead) else { return .infinity }
            return Double(time.since(start).wholeNanoseconds) - truth(ahead)
        }
    }

    @Test(
        "without jitter the estimate is within nanoseconds per ppm of the truth after 20 s",
        arguments: [0.0, 40, -25, 300, -1000])
    func exact(ppm: Double) {
        var simulation = Simulation(ppm: ppm, jitter: 0)
        simulation.run(seconds: 20)
        #expect(abs(simulation.error) < 50 + 4 * abs(ppm))
        #expect(abs(simulation.clock.rateRatio - 1 - ppm * 1e-6) < 0.5e-6)
    }

    @Test("a first delay that is wrong by a millisecond hardly affects the rate")
    func roughStart() {
        var simulation = Simulation(ppm: 0, jitter: 0)
        simulation.clock.observe(
            frame: 0, at: HostTime(nanoseconds: simulation.start.nanoseconds + 1_000_000))
        for _ in 0..<30 {
            simulation.run(seconds: 1)
            #expect(abs(simulation.clock.rateRatio - 1) < 250e-6)
        }
        #expect(abs(simulation.error) < 20_000)
    }

    @Test("±1 ms of jitter leaves less than 0.1 ms and 5 ppm after a minute", arguments: [0.0, 40, -25, 300])
    func jitter(ppm: Double) {
        var simulation = Simulation(ppm: ppm, jitter: 1e6)
        simulation.run(seconds: 60)
        for _ in 0..<60 {
            simulation.run(seconds: 1)
            #expect(abs(simulation.error) < 100_000)
            #expect(abs(simulation.clock.rateRatio - 1 - ppm * 1e-6) < 5e-6)
        }
    }

    @Test("20 µs of jitter leaves less than 5 µs")
    func smallJitter() {
        var simulation = Simulation(ppm: 40, jitter: 20_000)
        simulation.run(seconds: 30)
        for _ in 0..<120 {
            simulation.run(seconds: 1)
            #expect(abs(simulation.error) < 5_000)
        }
    }

    @Test("an hour changes nothing")
    func hour() {
        var simulation = Simulation(ppm: 40, jitter: 100_000)
        simulation.run(seconds: 3600)
        #expect(abs(simulation.error) < 20_000)
    }

    @Test("a single outlier is rejected, three in a row are accepted")
    func jump() {
        var simulation = Simulation(ppm: 0, jitter: 0)
        simulation.run(seconds: 10)
        let before = simulation.clock
        simulation.frame += 480
        func observe(_ milliseconds: Int64) {
            let time = simulation.start.nanoseconds + Int64(simulation.truth(simulation.frame))
            simulation.clock.observe(
                frame: simulation.frame, at: HostTime(nanoseconds: time + milliseconds * 1_000_000))
        }
        observe(400)
        #expect(simulation.clock.playTime(of: 0) == before.playTime(of: 0))
        simulation.frame += 480
        observe(0)
        #expect(abs(simulation.error) < 1_000)
        for _ in 0..<3 {
            simulation.frame += 480
            observe(400)
        }
        #expect(abs(simulation.error - 4e8) < 1_000)
    }

    @Test("a reset forgets the line and keeps the rate")
    func reset() {
        var simulation = Simulation(ppm: 300, jitter: 0)
        simulation.run(seconds: 30)
        simulation.clock.reset()
        #expect(!simulation.clock.isRunning)
        #expect(simulation.clock.playTime(of: 0) == nil)
        #expect(abs(simulation.clock.rateRatio - 1.0003) < 1e-6)
    }

    @Test("nonsensical observations do no harm")
    func hostile() {
        var clock = DeviceClock(sampleRate: .hz44100)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<10_000 {
            clock.observe(
                frame: .random(in: .min ... .max, using: &generator),
                at: HostTime(nanoseconds: .random(in: .min ... .max, using: &generator)))
            #expect((0.994...1.006).contains(clock.rateRatio))
        }
    }
}
