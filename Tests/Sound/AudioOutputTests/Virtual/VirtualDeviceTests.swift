import Testing
import TuttiMediaTime

@testable import TuttiAudioOutput

/// A sink that keeps its frames, and refuses while the script says so.
private struct ScriptedSink: VirtualSink {
    var taken: [DeviceTime] = []
    var sampleCounts: Set<Int> = []
    var failures: Int
    var failAfter: Int
    var isClosed = false

    mutating func open() {}

    mutating func take(_ frames: UnsafeBufferPointer<Float>, at time: DeviceTime) throws(OutputError) {
        taken.append(time)
        sampleCounts.insert(frames.count)
        if taken.count == failAfter { throw OutputError(operation: "write", code: 28, description: "full") }
    }

    mutating func retry() throws(OutputError) {
        failures -= 1
        if failures > 0 { throw OutputError(operation: "write", code: 28, description: "still full") }
    }

    mutating func close() { isClosed = true }
}

@Suite("VirtualDevice")
struct VirtualDeviceTests {
    static let start = HostTime(nanoseconds: 1_000_000_000)

    private func device(failAfter: Int, failures: Int = 0) throws -> VirtualDevice<ScriptedSink> {
        let dac = VirtualDAC(
            sampleRate: .hz48000, periodFrames: 480, startingAt: HostTime(nanoseconds: 0))
        var device = VirtualDevice(
            dac: dac, channelCount: 2, sink: ScriptedSink(failures: failures, failAfter: failAfter))
        try device.open(at: Self.start)
        return device
    }

    @Test("the device asks for due periods and returns its next deadline")
    func paces() throws {
        var device = try device(failAfter: -1)
        let source = RampSource()
        let step = device.advance(to: Self.start.advanced(by: .milliseconds(25)), source: source)
        #expect(step == .init(wake: Self.start.advanced(by: .milliseconds(30)), change: nil))
        #expect(source.times.map(\.frame) == [0, 480, 960])
        #expect(device.sink.taken == source.times)
        #expect(device.sink.sampleCounts == [960])
    }

    @Test("far behind, the device catches up in bursts and loses nothing")
    func catchesUp() throws {
        var device = try device(failAfter: -1)
        let source = RampSource()
        let now = Self.start.advanced(by: .seconds(10))
        var bursts = 1
        while device.advance(to: now, source: source).wake <= now { bursts += 1 }
        #expect(bursts == 32)
        #expect(source.times.map(\.frame) == (0...1000).map { Int64(480 * $0) })
    }

    @Test("a failing sink is lost, retried every second, and back; frames continue")
    func lostAndBack() throws {
        var device = try device(failAfter: 2, failures: 3)
        let source = RampSource()
        var now = Self.start.advanced(by: .milliseconds(50))
        var step = device.advance(to: now, source: source)
        #expect(step.change == .lost(reason: "full"))
        #expect(step.wake == now.advanced(by: .seconds(1)))
        #expect(source.times.count == 2)
        // Early calls have no effect.
        #expect(device.advance(to: now, source: source) == .init(wake: step.wake, change: nil))
        for _ in 0..<2 {
            now = step.wake
            step = device.advance(to: now, source: source)
            #expect(step == .init(wake: now.advanced(by: .seconds(1)), change: nil))
        }
        now = step.wake
        step = device.advance(to: now, source: source)
        #expect(step == .init(wake: now, change: .running))
        _ = device.advance(to: now, source: source)
        #expect(source.times.count == 3)
        #expect(source.times[2].frame == 960)
        #expect(source.times[2].playTime == now)
        device.close()
        #expect(device.sink.isClosed)
    }
}
