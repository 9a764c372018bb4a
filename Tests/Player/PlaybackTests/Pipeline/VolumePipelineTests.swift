import AirPlayMessages
import AirPlaySender
import CoreMedia
import Testing
import TuttiMediaTime
import TuttiPCM

@testable import Playback

@Suite("Sound with a volume of its own")
struct VolumePipelineTests {
    let store = PacketStore()
    let pipeline: RenderPipeline

    init() { pipeline = RenderPipeline(store: store, policy: WireFormatPolicy()) }

    /// Feeds buffers with the parts of a curve that concern them, as the player does.
    private func feed(_ buffers: [CMSampleBuffer], _ curve: VolumeCurve) throws -> [WireChoice] {
        try buffers.compactMap { buffer in
            let start = buffer.outputPresentationTimeStamp
            let part = curve.part(from: start, to: start + buffer.outputDuration)
            buffer.volume = part.map { .curve($0) }
            return try pipeline.process(buffer)
        }
    }

    private func expected(_ sound: PCMBuffer, _ curve: VolumeCurve) -> PCMBuffer {
        let frames = Sound.float(sound)
        let samples = frames.floatSamples.enumerated().map { index, sample in
            sample * curve.volume(at: Buffers.time(Int64(index / 2), rate: frames.format.sampleRate))
        }
        return PCMBuffer(sampleRate: frames.format.sampleRate, channelCount: 2, samples: samples)
    }

    private func ramp(_ start: Int64, _ end: Int64, _ from: Float, _ to: Float) -> CMTimeRange {
        CMTimeRange(start: Buffers.time(start), end: Buffers.time(end))
    }

    /// Dither and rounding to 16 bit.
    private static let dither: Float = 1.6 / 32_768

    @Test("a balance scales the channel away from which it leads", arguments: [-0.75, 0.5, 1] as [Float])
    func balance(pan: Float) throws {
        let sound = Sound.noise(4096)
        _ = try feed(try Buffers.pcm(sound, from: 0, sizes: [512]), VolumeCurve(pan: pan))
        try pipeline.finish()
        let received = try store.lossless()
        let samples = Sound.float(sound).floatSamples.enumerated().map { index, sample in
            let isScaled = index % 2 == (pan > 0 ? 0 : 1)
            return isScaled ? sample * (1 - abs(pan)) : sample
        }
        let wanted = PCMBuffer(sampleRate: sound.format.sampleRate, channelCount: 2, samples: samples)
        #expect(Sound.distance(Sound.float(received), wanted) <= Self.dither)
    }

    @Test(
        "each lossless sample has the volume of its own time, whatever the buffers",
        arguments: [1, 333, 4096])
    func ramps(size: Int) throws {
        let sound = Sound.noise(20_000)
        var curve = VolumeCurve()
        curve.ramp(from: 0.9, to: 0.1, in: CMTimeRange(start: Buffers.time(5001), end: Buffers.time(9001)))
        curve.set(0.5, at: Buffers.time(10_000))
        curve.ramp(from: 0, to: 1, in: CMTimeRange(start: Buffers.time(12_000), end: Buffers.time(15_000)))
        _ = try feed(try Buffers.pcm(sound, from: 0, sizes: [size]), curve)
        try pipeline.finish()
        let received = try store.lossless()
        let wanted = expected(sound, curve)
        #expect(received.frameCount == sound.frameCount)
        #expect(Sound.distance(Sound.float(received), wanted) <= Self.dither)
        // Bit for bit where the volume is 1, to the frame.
        #expect(received[0..<5001] == sound[0..<5001])
        #expect(received[15_000..<20_000] == sound[15_000..<20_000])
        #expect(received[5001..<5002] != sound[5001..<5002])
    }

    @Test("the choice says that lossless sound is no longer bit for bit, and that it is again")
    func reasons() throws {
        var curve = VolumeCurve()
        curve.set(0.5, at: Buffers.time(4000))
        curve.set(1, at: Buffers.time(8000))
        let choices = try feed(try Buffers.pcm(Sound.noise(12_000), from: 0, sizes: [1000]), curve)
        #expect(
            choices.map(\.reason) == [
                "lossless, bit for bit", "lossless, with the item's own volume applied",
                "lossless, bit for bit",
            ])
        #expect(Set(choices.map(\.format)) == [.alac44100x16])
    }

    @Test("access units are decoded only where the volume is not 1, without a flaw at the joins")
    func accessUnits() throws {
        let track = try AACTrack(Sound.sweep(400_000))
        var curve = VolumeCurve()
        curve.ramp(
            from: 1, to: 0.25, in: CMTimeRange(start: Buffers.time(100_000), end: Buffers.time(130_000)))
        curve.ramp(
            from: 0.25, to: 1, in: CMTimeRange(start: Buffers.time(150_000), end: Buffers.time(160_000)))
        let choices = try feed(try track.buffers(from: 0, size: 10), curve)
        try pipeline.finish()
        let received = try ModelReceiver(store)
        #expect(received.holes.isEmpty)
        let wanted = expected(track.decoded, curve)
        #expect(Sound.distance(received[0..<400_000], wanted) <= 8 / 32_768)
        #expect(choices.map(\.passesThrough) == [true, false, true])
        #expect(choices[1].reason == "AAC-LC with the item's own volume applied: decoded once, then lossless")
        #expect(received.codecs == [.aac44100, .alac44100x16, .aac44100, .alac44100x16])
        // Byte for byte before and after.
        let units = received.packets.filter { $0.format == .aac44100 }.map(\.payload)
        // The first packet only prepares the decoder.
        let first = received.packets.prefix { $0.format == .aac44100 }.dropFirst().map(\.payload)
        #expect(first.count > 80 && track.units.starts(with: first))
        let after = received.packets.drop { $0.format == .aac44100 }.drop { $0.format != .aac44100 }
            .prefix { $0.format == .aac44100 }.map(\.payload)
        #expect(after.count > 150 && Array(track.units.dropLast().suffix(after.count)) == after)
        #expect(units.allSatisfy(track.units.contains))
    }

    @Test("a constant volume of 1 costs nothing: units pass through, samples are bit for bit")
    func unity() throws {
        var curve = VolumeCurve(constant: 1)
        curve.ramp(from: 1, to: 1, in: CMTimeRange(start: Buffers.time(10), end: Buffers.time(9000)))
        let track = try AACTrack(Sound.sweep(60_000))
        #expect(try feed(try track.buffers(from: 0), curve).map(\.passesThrough) == [true])
    }

    @Test("a volume above 1 is limited and never wraps or clips a whole wave")
    func limited() throws {
        let sound = Sound.sweep(44_100)
        let choices = try feed(try Buffers.pcm(sound, from: 0, sizes: [4096]), VolumeCurve(constant: 8))
        try pipeline.finish()
        #expect(choices.count == 1)
        let samples = Sound.float(try store.lossless()).floatSamples
        let full = samples.count { abs($0) >= 32_766 / 32_768 }
        #expect(samples.allSatisfy { abs($0) <= 1 })
        // A clipped sine of this level stays at full scale for most of the time.
        #expect(Double(full) / Double(samples.count) < 0.2)
        #expect(samples.contains { abs($0) > 0.99 })
    }

    @Test("a buffer that is cut, and one that moves to another output, keep the volume")
    func kept() throws {
        let buffer = try Buffers.pcm(Sound.noise(4096), at: .zero)
        buffer.volume = .curve(VolumeCurve(constant: 0.5))
        let head = try BufferBacklog.head(of: buffer, before: Buffers.time(1000))
        #expect(head.volumeCurve == VolumeCurve(constant: 0.5))
    }
}
