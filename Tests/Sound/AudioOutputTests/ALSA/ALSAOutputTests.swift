import Foundation
import Testing
import TuttiMediaTime

@testable import TuttiAudioOutput

/// Tests with ALSA's devices that need no sound card.
@Suite("ALSAOutput")
struct ALSAOutputTests {
    @Test(
        "the preferred rate is used where the device supports it", arguments: [SampleRate.hz44100, .hz48000])
    func rate(preferred: SampleRate) throws {
        let output = try ALSAOutput(device: "null", preferredRate: preferred)
        #expect(output.format.sampleRate == preferred)
        #expect(output.format.channelCount == 2)
        #expect(output.periodFrames == preferred.hertz / 100)
    }

    @Test("the output asks period after period, no faster than real time, and not after stop")
    func runs() throws {
        let output = try ALSAOutput(device: "null", preferredRate: .hz48000, periodFrames: 48)
        let source = RampSource(callCount: 200)
        let clock = ContinuousClock()
        let start = clock.now
        try output.start(source)
        #expect(source.waitForCalls())
        let elapsed = clock.now - start
        output.stop()
        output.stop()
        let times = source.times
        let first = times[0].frame
        #expect(times.map(\.frame) == times.indices.map { first + Int64(48 * $0) })
        #expect(elapsed > .milliseconds(190))
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.playTime < $1.playTime })
        #expect(source.states.isEmpty)
        #expect(source.times.count == times.count)
    }

    @Test("frames reach the device as rendered")
    func file() throws {
        let folder = try TemporaryFolder()
        let output = try ALSAOutput(
            device: "file:\(folder.file("out.raw")),raw", preferredRate: .hz44100, periodFrames: 64)
        let source = RampSource(callCount: 20)
        try output.start(source)
        #expect(source.waitForCalls())
        output.stop()
        let samples = try folder.bytes(of: "out.raw").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let first = Int(source.times[0].frame)
        #expect(samples.count >= 2 * (first + 19 * 64))
        #expect(samples.prefix(2 * first).allSatisfy { $0 == 0 })
        let left = stride(from: 2 * first, to: samples.count, by: 2).map { samples[$0] }
        #expect(left == left.indices.map { Float(RampSource.value(of: Int64(first + $0))) / 32768 })
    }

    @Test("a missing device is reported with advice")
    func missing() {
        let error = #expect(throws: OutputError.self) { try ALSAOutput(device: "nonsense") }
        #expect(error?.operation == "snd_pcm_open")
        #expect(
            error?.description
                == "ALSA device nonsense: No such file or directory; 'tutti outputs' lists the devices")
    }

    @Test("a device that accepts everything at once is paced to its rate")
    func pace() {
        let start = HostTime(nanoseconds: 1_000)
        let limit = PaceLimit(sampleRate: .hz48000, firstFrame: 480, start: start)
        #expect(limit.earliestTime(of: 0) == start)
        #expect(limit.earliestTime(of: 480) == start)
        let second = limit.earliestTime(of: 48_480).since(start)
        #expect(second < .seconds(1))
        #expect(second > .milliseconds(994))
    }
}
