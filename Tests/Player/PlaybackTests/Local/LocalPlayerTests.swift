import AirPlayMessages
import AirPlaySender
import Dispatch
import Synchronization
import Testing
import TuttiAudioOutput
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("A local device", .timeLimit(.minutes(5)))
struct LocalPlayerTests {
    /// A device that requests its periods when the test says so.
    private final class ManualOutput: AudioOutput {
        let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .float32)
        let periodFrames = 441
        private let source = Mutex<(any RenderSource)?>(nil)
        private let frame = Mutex<Int64>(0)
        private let begin = SystemClock.now

        func start(_ source: any RenderSource) { self.source.withLock { $0 = source } }
        func stop() { source.withLock { $0 = nil } }

        /// Returns a period's left samples, on a clock that only counts periods.
        func render() -> [Float] {
            guard let source = source.withLock({ $0 }) else { return [] }
            let frame = frame.withLock { frame in
                defer { frame += 441 }
                return frame
            }
            var output = [Float](repeating: 0, count: 882)
            let playTime = begin.advanced(by: SampleRate.hz44100.duration(of: frame))
            output.withUnsafeMutableBufferPointer {
                source.render(
                    $0, frameCount: 441, at: DeviceTime(frame: frame, playTime: playTime, rateRatio: 1))
            }
            return stride(from: 0, to: 882, by: 2).map { output[$0] }
        }
    }

    /// Returns the sample of a frame; never silence.
    private static func sample(_ frame: Int64) -> Float { Float(frame % 30_000 + 1) / 32_768 }

    private let format = AudioWireFormat.local(.hz44100)

    private func fill(_ store: PacketStore, frames: Int64) {
        for first in stride(from: Int64(0), to: frames, by: format.framesPerPacket) {
            var bytes: [UInt8] = []
            for frame in first..<first + Int64(format.framesPerPacket) {
                let bits = Self.sample(frame).bitPattern
                for _ in 0..<2 { withUnsafeBytes(of: bits) { bytes += $0 } }
            }
            bytes.withUnsafeBytes {
                store.append(frame: first, frameCount: format.framesPerPacket, format: format, payload: $0)
            }
        }
    }

    @Test("a renderer begins at full volume, whatever the one before it had")
    func volumes() async throws {
        let output = ManualOutput()
        let device = try LocalDevice(
            SharedDevice(machine: SystemMachine(), makeOutput: { output }), beginningLimit: .seconds(3600))
        let muted = try device.addSink(bufferBytes: 1 << 20)
        muted.setGain(0)
        device.remove(muted)
        let player = LocalPlayer(machine: SystemMachine()) { device }
        fill(player.store, frames: 44_100)
        _ = try await player.prepare(patience: .seconds(1))
        player.start(at: 0, host: nil) { _ in }
        #expect(await begin(output).first == Self.sample(0))
        player.end()
    }

    @Test("a start that comes before the device is open is carried out once it is")
    func startBeforeOpening() async throws {
        let (output, gate) = (ManualOutput(), DispatchSemaphore(value: 0))
        let player = LocalPlayer(machine: SystemMachine()) {
            gate.wait()
            return try LocalDevice(
                SharedDevice(machine: SystemMachine(), makeOutput: { output }), beginningLimit: .seconds(3600)
            )
        }
        fill(player.store, frames: 44_100)
        player.start(at: 3000, host: nil) { _ in }
        // Behind the start.
        _ = player.progress()
        gate.signal()
        _ = try await player.prepare(patience: .seconds(1))
        #expect(await begin(output).first == Self.sample(3000))
        player.end()
    }

    @Test("each seek plays from the requested frame, though the device never waits for the mixing")
    func seeks() async throws {
        let output = ManualOutput()
        // The test itself is the device, and may be delayed.
        let player = LocalPlayer(machine: SystemMachine()) {
            try LocalDevice(
                SharedDevice(machine: SystemMachine(), makeOutput: { output }), beginningLimit: .seconds(3600)
            )
        }
        fill(player.store, frames: 441_000)
        _ = try await player.prepare(patience: .seconds(1))
        for seek in 0..<30 {
            let frame = Int64(seek * 7919 % 300_000)
            let host = Recorder<HostTime?>(nil)
            player.start(at: frame, host: nil) { instant in host.update { $0 = instant } }
            var first: Float?
            while first == nil {
                first = output.render().first { $0 != 0 }
                await Task.yield()
            }
            #expect(first == Self.sample(frame))
            _ = try await host.wait(for: "start") { $0 }
            player.stop(at: frame)
            // The last sample fades first.
            var periods = 0
            while periods < 3 {
                periods = output.render().allSatisfy { $0 == 0 } ? periods + 1 : 0
                await Task.yield()
            }
        }
        player.end()
    }

    /// Plays until the first sound, and returns it to the end of its period.
    private func begin(_ output: ManualOutput) async -> [Float] {
        while true {
            let period = output.render()
            if let first = period.firstIndex(where: { $0 != 0 }) { return Array(period[first...]) }
            await Task.yield()
        }
    }

    @Test(
        "a resume begins behind what was heard of the device; a jump to the same place begins there",
        arguments: [true, false])
    func resume(isPause: Bool) async throws {
        let output = ManualOutput()
        let clock = ManualClock(SystemClock.now)
        let player = LocalPlayer(machine: SystemMachine(clock: clock)) {
            try LocalDevice(
                SharedDevice(machine: SystemMachine(), makeOutput: { output }), beginningLimit: .seconds(3600)
            )
        }
        fill(player.store, frames: 441_000)
        _ = try await player.prepare(patience: .seconds(1))
        let frame: Int64 = 1000
        let started = Recorder<[HostTime]>([])
        player.start(at: frame, host: nil) { instant in started.update { $0.append(instant) } }
        var heard = await begin(output)
        let host = try await started.wait(for: "the start") { $0.first }
        for _ in 0..<5 { heard += output.render() }
        clock.advance(by: host.since(clock.now))
        player.stop(at: frame)
        // Behind the stop. An output that is late plays what was due before.
        _ = player.progress()
        repeat { heard += output.render() } while heard.last != 0
        let end = frame + Int64(zip(heard, frame...).prefix(while: { $0 == Self.sample($1) }).count)
        #expect(end >= frame + 5 * 441)
        if isPause { clock.advance(by: .seconds(1)) }
        player.start(at: frame, host: nil) { instant in started.update { $0.append(instant) } }
        let again = await begin(output)
        #expect(again.first == Self.sample(isPause ? end : frame))
        player.end()
    }
}
