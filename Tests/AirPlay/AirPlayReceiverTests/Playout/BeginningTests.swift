import AirPlayMessages
import Testing
import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver

@Suite("A start without an anchor time")
struct BeginningTests {
    private struct HostTimeline: ReceiverClock {
        func mapping(of identity: ClockIdentity) -> ClockMapping? {
            ClockMapping(host: HostTime(nanoseconds: 0), network: NetworkTime(nanoseconds: 0))
        }
    }

    /// A stream and a device that asks for periods of 10 ms when the test says so.
    private final class Device {
        static let clock = ClockIdentity(rawValue: 1)
        let handoff = RenderHandoff(channelCount: 2, sampleRate: .hz44100)
        let sink: StreamPlayout
        var frame: Int64 = 0
        let starts = Recorder<[HostTime?]>([])

        init() {
            sink = StreamPlayout(
                handoff: handoff, deviceRate: .hz44100, periodFrames: 441, clock: HostTimeline(),
                configuration: PlayoutConfiguration(), machine: SystemMachine(clock: ManualTime()), wake: {})
        }

        func playTime(of frame: Int64) -> HostTime {
            HostTime(nanoseconds: SampleRate.hz44100.nanoseconds(of: frame) + 20_000_000)
        }

        func render() -> [Float] {
            var output = [Float](repeating: 0, count: 882)
            output.withUnsafeMutableBufferPointer {
                handoff.render(
                    $0, frameCount: 441,
                    at: DeviceTime(frame: frame, playTime: playTime(of: frame), rateRatio: 1))
            }
            frame += 441
            return output
        }

        func mix() {
            _ = sink.mix(at: HostTime(nanoseconds: SampleRate.hz44100.nanoseconds(of: frame)))
        }

        func run(_ periods: Int) -> [Float] {
            (0..<periods).flatMap { _ in
                defer { mix() }
                return render()
            }
        }

        func play(from rtpTime: UInt32) {
            sink.play(from: RTPTime(rawValue: rtpTime), on: Self.clock) { [starts] host in
                starts.update { $0.append(host) }
            }
        }
    }

    private func device(_ packets: Range<Int> = 0..<400) -> Device {
        let device = Device()
        _ = device.run(2)
        SpeakerOutputTests.feed(device.sink, packets)
        return device
    }

    @Test("the first frame plays first, however late the device asks for it", arguments: [0, 1, 3, 40])
    func lateDevice(periods: Int64) async throws {
        let device = device()
        device.play(from: 35_200)
        device.mix()
        // The audio is ready, but its reader is held up.
        device.frame += periods * 441
        let start = device.frame
        let output = device.run(50)
        #expect(output == TestPackets.samples(35_200..<35_200 + 50 * 441))
        let told = try await device.starts.wait(for: "start") { $0.count == 1 ? $0 : nil }
        #expect(abs(try #require(told[0]).nanoseconds - device.playTime(of: start).nanoseconds) < 30_000)
        let status = device.sink.status
        #expect(status.missingFrames == 0 && status.underrunCount == 0)
        #expect(abs(status.error) < 12e-6)
    }

    @Test("the start waits for late audio, then plays from its first frame")
    func lateSound() throws {
        let device = device(0..<0)
        device.play(from: 352)
        #expect(device.run(20).allSatisfy { $0 == 0 })
        SpeakerOutputTests.feed(device.sink, 1..<400)
        device.mix()
        #expect(device.run(30) == TestPackets.samples(352..<352 + 30 * 441))
    }

    @Test("a little audio starts at once, and what arrives in time follows without a gap")
    func littleSound() throws {
        let device = device(0..<8)
        device.play(from: 0)
        device.mix()
        let first = device.run(2)
        SpeakerOutputTests.feed(device.sink, 8..<400)
        #expect(first + device.run(30) == TestPackets.samples(0..<32 * 441))
    }

    @Test("a pause before the device has started leaves silence, and no start is reported")
    func pausedBefore() async throws {
        let device = device()
        device.play(from: 352)
        device.mix()
        device.sink.pause()
        #expect(device.run(10).allSatisfy { $0 == 0 })
        device.play(from: 3520)
        device.mix()
        #expect(device.run(10) == TestPackets.samples(3520..<3520 + 4410))
        let told = try await device.starts.wait(for: "start") { $0.isEmpty ? nil : $0 }
        #expect(told.count == 1)
    }

    @Test("a seek right after a start plays from its own first frame")
    func seekAfterStart() {
        let device = device()
        device.play(from: 352)
        device.mix()
        _ = device.render()
        device.play(from: 35_200)
        device.mix()
        let output = device.run(20)
        // The previous audio fades in the first 48 frames, alone.
        #expect(Array(output[96...]) == TestPackets.samples(35_200..<35_200 + 20 * 441 - 48))
    }

    @Test("an anchor continues from the position that the start has reached")
    func anchorAfterwards() throws {
        let device = device()
        device.play(from: 352)
        device.mix()
        let start = device.frame
        _ = device.run(10)
        let network = NetworkTime(nanoseconds: device.playTime(of: start).nanoseconds)
        device.sink.play(
            along: Anchor(rtpTime: RTPTime(rawValue: 352), networkTime: network), on: Device.clock)
        #expect(device.run(10) == TestPackets.samples(352 + 4410..<352 + 8820))
    }

    @Test("a device that asks for nothing for a second is given up")
    func deadDevice() async throws {
        let device = device()
        device.play(from: 352)
        for milliseconds in stride(from: Int64(0), to: 1200, by: 10) {
            _ = device.sink.mix(at: HostTime(nanoseconds: milliseconds * 1_000_000))
        }
        let told = try await device.starts.wait(for: "end") { $0.count == 1 ? $0 : nil }
        #expect(told == [nil])
        #expect(!device.sink.status.isPlaying)
    }
}
