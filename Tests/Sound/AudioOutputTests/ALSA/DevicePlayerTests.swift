import Foundation
import Synchronization
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiAudioOutput

/// Host time that advances only while someone waits.
private final class TestTime: HostClock {
    static let start = HostTime(nanoseconds: 50_000_000_000)
    private let time = Mutex(TestTime.start)

    var now: HostTime { time.withLock { $0 } }
    var seconds: Double { now.since(Self.start).inSeconds }

    func advance(to target: HostTime) { time.withLock { $0 = max($0, target) } }
    func advance(by duration: Duration) { advance(to: now.advanced(by: duration)) }
}

/// A drifting device with a buffer of three periods of 480 frames, and scripted faults.
private final class Machine {
    static let periodFrames = 480
    static let bufferFrames = 1440

    let time: TestTime
    let ppm: Double
    /// Largest error of a timestamp, nanoseconds.
    let jitter: Double
    /// Faults in order: the time in seconds, and the error of the next call after it.
    var misfortunes: [(second: Double, code: Int32)] = []
    /// Seconds during which the device cannot be opened.
    var absence: Range<Double> = 0..<0
    /// Time from which on the device makes no room.
    var stallsAt = Double.infinity

    private(set) var openCount = 0
    private(set) var startCount = 0
    /// True play times of written frames, by frame; since the last start.
    private var started: HostTime?
    private var written: Int64 = 0
    private var generator = SeededGenerator(seed: 11)

    init(time: TestTime, ppm: Double = 0, jitter: Double = 0) {
        self.time = time
        self.ppm = ppm
        self.jitter = jitter
    }

    private var framesPerSecond: Double { 48_000 * (1 + ppm * 1e-6) }

    /// Frames since the last start that have left the device.
    private var played: Double {
        guard let started else { return 0 }
        return min(time.now.since(started).inSeconds, stallsAt - started.since(TestTime.start).inSeconds)
            * framesPerSecond
    }

    /// True play time of the next frame to be written, nanoseconds.
    var truth: Double {
        guard let started else { return 0 }
        return Double(started.nanoseconds) + Double(written) * 1e9 / framesPerSecond
    }

    func open() throws(OutputError) -> TestDevice {
        guard !absence.contains(time.seconds) else {
            throw OutputError(operation: "open", code: ENODEV, description: "gone")
        }
        openCount += 1
        return TestDevice(machine: self)
    }

    func start() -> Int {
        startCount += 1
        started = time.now
        written = Int64(Self.bufferFrames)
        return Self.bufferFrames
    }

    func misfortune() -> Int32 {
        guard let first = misfortunes.first, time.seconds >= first.second else { return 0 }
        misfortunes.removeFirst()
        return first.code
    }

    var room: Int { Self.bufferFrames - (Int(written) - Int(played)) }

    func wait(milliseconds: Int32) -> Int32 {
        let limit = time.now.advanced(by: .milliseconds(Int64(milliseconds)))
        while room < Self.periodFrames {
            guard time.now < limit else { return 0 }
            time.advance(by: .microseconds(100))
        }
        return 1
    }

    func delay() -> (frames: Int, time: HostTime) {
        let noise = Int64(Double.random(in: -jitter...jitter, using: &generator))
        // The device knows its position only in whole frames.
        let whole = played.rounded(.down)
        return (Int(written) - Int(whole), HostTime(nanoseconds: time.now.nanoseconds + noise))
    }

    func write(_ frameCount: Int) { written += Int64(frameCount) }
}

private struct TestDevice: PlaybackDevice {
    let machine: Machine

    mutating func startWithSilence() throws(OutputError) -> Int { machine.start() }
    func waitForRoom(milliseconds: Int32) -> Int32 {
        let code = machine.misfortune()
        return code < 0 ? code : machine.wait(milliseconds: milliseconds)
    }
    var room: Int { machine.room }
    func delay() -> (frames: Int, time: HostTime)? { machine.delay() }
    mutating func write(_ frames: UnsafeBufferPointer<Float>) -> Int {
        machine.write(frames.count / 2)
        return frames.count / 2
    }
}

/// Compares each play time with the truth.
private final class Listener: RenderSource, @unchecked Sendable {
    // Safe to share: the player of these tests runs on the thread of the test.
    let machine: Machine
    var times: [DeviceTime] = []
    var errors: [Double] = []

    init(_ machine: Machine) { self.machine = machine }

    func render(_ destination: UnsafeMutableBufferPointer<Float>, frameCount: Int, at time: DeviceTime) {
        times.append(time)
        errors.append(Double(time.playTime.nanoseconds) - machine.truth)
    }

    func outputChanged(_ state: OutputState) {}
}

@Suite("DevicePlayer")
struct DevicePlayerTests {
    private struct Result {
        var states: [OutputState] = []
        var openError: OutputError?
    }

    private func run(_ machine: Machine, _ listener: Listener, seconds: Double) -> Result {
        var result = Result()
        var player = DevicePlayer(
            name: "test", sampleRate: .hz48000, periodFrames: Machine.periodFrames, clock: machine.time
        ) { () throws(OutputError) in try machine.open() }
        player.run(
            source: listener,
            wait: { target in
                machine.time.advance(to: target)
                return machine.time.seconds < seconds
            },
            opened: { result.openError = $0 }, report: { result.states.append($0) })
        return result
    }

    @Test(
        "play times follow a drifting device through the jitter of its timestamps",
        arguments: [(0.0, 0.0), (40, 0), (-25, 20_000), (300, 50_000)])
    func follows(ppm: Double, jitter: Double) {
        let machine = Machine(time: TestTime(), ppm: ppm, jitter: jitter)
        let listener = Listener(machine)
        let result = run(machine, listener, seconds: 60)
        #expect(result.states.isEmpty)
        #expect(result.openError == nil)
        #expect((5_950...6_010).contains(listener.times.count))
        #expect(listener.times[0].frame == 1440)
        #expect(zip(listener.times, listener.times.dropFirst()).allSatisfy { $1.frame - $0.frame == 480 })
        // Whole frames lose half a frame on average; 1 frame = 21 µs.
        #expect(listener.errors.dropFirst(3_000).allSatisfy { abs($0) < 25_000 })
        #expect(abs((listener.times.last?.rateRatio ?? 0) - 1 - ppm * 1e-6) < 3e-6)
    }

    @Test("an underrun is a buffer of silence, then times are right again", arguments: [EPIPE, ESTRPIPE])
    func underrun(code: Int32) {
        let machine = Machine(time: TestTime())
        machine.misfortunes = [(5, -code), (7, -code)]
        let listener = Listener(machine)
        let result = run(machine, listener, seconds: 10)
        #expect(result.states.isEmpty)
        #expect(machine.openCount == 1)
        #expect(machine.startCount == 3)
        #expect(listener.errors.allSatisfy { abs($0) < 50_000 })
        let steps: [Int64] = zip(listener.times, listener.times.dropFirst()).map { $1.frame - $0.frame }
        let jumps: [Int64] = steps.filter { $0 != 480 }
        #expect(jumps == [1920, 1920])
    }

    @Test("a device that vanishes is reported, retried every second, and continues from the same frame")
    func lostAndBack() {
        let machine = Machine(time: TestTime())
        machine.misfortunes = [(2, -ENODEV)]
        machine.absence = 1.9..<7.5
        let listener = Listener(machine)
        let result = run(machine, listener, seconds: 10)
        #expect(result.states.count == 2)
        #expect(
            result.states.first
                == .lost(reason: "ALSA device test: No such device; the device is not connected"))
        #expect(result.states.last == .running)
        #expect(machine.openCount == 2)
        #expect(zip(listener.times, listener.times.dropFirst()).allSatisfy { $0.frame < $1.frame })
        let gap = zip(listener.times, listener.times.dropFirst()).map { $1.playTime.since($0.playTime) }.max()
        #expect((gap ?? .zero) > .seconds(5.5))
        #expect((gap ?? .zero) < .seconds(6.6))
        #expect(listener.errors.allSatisfy { abs($0) < 50_000 })
    }

    @Test("a stalled device counts as lost")
    func stalls() {
        let machine = Machine(time: TestTime())
        machine.stallsAt = 3
        let listener = Listener(machine)
        let result = run(machine, listener, seconds: 8.5)
        #expect(result.states.first == .lost(reason: "ALSA device test: the device stopped playing"))
    }

    @Test("a device that cannot be opened is reported once, and nothing is rendered")
    func cannotOpen() {
        let machine = Machine(time: TestTime())
        machine.absence = 0..<100
        let listener = Listener(machine)
        let result = run(machine, listener, seconds: 10)
        #expect(result.openError?.description == "gone")
        #expect(result.states.isEmpty)
        #expect(listener.times.isEmpty)
    }
}
