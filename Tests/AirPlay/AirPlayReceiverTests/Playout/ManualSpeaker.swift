import Synchronization
import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

@testable import AirPlayReceiver

/// An output whose frames the test requests.
final class ManualOutput: AudioOutput {
    let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .float32)
    let periodFrames = 441
    func start(_ source: any RenderSource) {}
    func stop() {}
}

/// A sender's clock equal to host time, which may be unknown.
final class ManualClock: ReceiverClock {
    let isKnown = Atomic<Bool>(true)

    func mapping(of identity: ClockIdentity) -> ClockMapping? {
        guard isKnown.load(ordering: .relaxed) else { return nil }
        return ClockMapping(host: HostTime(nanoseconds: 0), network: NetworkTime(nanoseconds: 0))
    }
}

/// A speaker whose device plays a period when the test says so.
final class ManualSpeaker {
    let output = ManualOutput()
    let clock = ManualClock()
    let time = ManualTime()
    let speaker: SpeakerOutput
    var frame: Int64 = 0
    /// The device's latency, nanoseconds.
    let latency: Int64 = 20_000_000

    init() throws {
        speaker = try SpeakerOutput(output: output, clock: clock, machine: SystemMachine(clock: time))
    }

    func playTime(of frame: Int64) -> Int64 { SampleRate.hz44100.nanoseconds(of: frame) + latency }

    /// Plays periods of 10 ms; the mixing thread runs once in each.
    func run(_ periods: Int, _ sink: StreamPlayout?) -> [Float] {
        var all: [Float] = []
        for _ in 0..<periods {
            var output = [Float](repeating: 0, count: 882)
            output.withUnsafeMutableBufferPointer {
                speaker.render(
                    $0, frameCount: 441,
                    at: DeviceTime(
                        frame: frame, playTime: HostTime(nanoseconds: playTime(of: frame)), rateRatio: 1))
            }
            frame += 441
            all += output
            time.nanoseconds.store(playTime(of: frame) - latency, ordering: .relaxed)
            _ = sink?.mix(at: time.now)
        }
        return all
    }

    func anchor(_ rtpTime: UInt32, at frame: Int64) -> Anchor {
        Anchor(
            rtpTime: RTPTime(rawValue: rtpTime),
            networkTime: NetworkTime(nanoseconds: playTime(of: frame)))
    }
}
