import AirPlaySender
import CoreMedia
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

@testable import Playback

@Suite("Packing samples into ALAC")
struct LosslessPipelineTests {
    let store = PacketStore()
    let pipeline: RenderPipeline

    init() { pipeline = RenderPipeline(store: store, policy: WireFormatPolicy()) }

    static let sizes: [[Int]] = [
        [1], [7], [351], [352], [353], [1024], [44_100], [1, 352, 3, 5000, 2], [355, 349],
    ]

    @Test("samples pass bit for bit, whatever the buffer sizes", arguments: sizes)
    func exact(sizes: [Int]) throws {
        let sound = Sound.noise(sizes == [1] ? 1500 : 20_011)
        try pipeline.feed(Buffers.pcm(sound, from: 4410, sizes: sizes))
        try pipeline.finish()
        #expect(store.startFrame == 4410)
        #expect(store.endFrame == 4410 + Int64(sound.frameCount))
        #expect(store.isContiguous)
        #expect(try #require(store.shortest) >= 3)
        #expect(try store.lossless() == sound)
    }

    @Test("the last packet never has one or two frames, and nothing is added", arguments: 350...360)
    func lastPacket(count: Int) throws {
        let sound = Sound.noise(count)
        try pipeline.feed(Buffers.pcm(sound, from: 0, sizes: [count]))
        try pipeline.finish()
        #expect(try #require(store.shortest) >= 3)
        #expect(try store.lossless() == sound)
    }

    @Test("a source of one or two frames is padded to three", arguments: 1...2)
    func tiny(count: Int) throws {
        let sound = Sound.noise(count)
        try pipeline.feed(Buffers.pcm(sound, from: 9, sizes: [count]))
        try pipeline.finish()
        #expect(store.startFrame == 9)
        #expect(store.endFrame == 12)
        #expect(try store.lossless() == sound + Sound.silence(3 - count, like: sound))
    }

    @Test("more data may follow a finish", arguments: [1000, 704, 1056])
    func goesOn(first: Int) throws {
        let sound = Sound.noise(3000)
        try pipeline.feed(Buffers.pcm(sound[0..<first], from: 100, sizes: [500]))
        try pipeline.finish()
        #expect(store.endFrame == 100 + Int64(first))
        try pipeline.feed(Buffers.pcm(sound[first..<3000], from: 100 + Int64(first), sizes: [333]))
        try pipeline.finish()
        #expect(store.isContiguous)
        #expect(try store.lossless() == sound)
        try pipeline.finish()
        #expect(store.endFrame == 3100)
    }

    @Test("a gap between times is silence of exactly that length", arguments: [3, 100, 352, 44_100, 90_000])
    func gap(length: Int) throws {
        let (first, second) = (Sound.noise(1000), Sound.noise(1000, seed: 2))
        try pipeline.feed(Buffers.pcm(first, from: 0, sizes: [400]))
        try pipeline.feed(Buffers.pcm(second, from: Int64(1000 + length), sizes: [400]))
        try pipeline.finish()
        #expect(store.isContiguous)
        #expect(try store.lossless() == first + Sound.silence(length, like: first) + second)
    }

    @Test("an overlap is cut at its start", arguments: [3, 100, 999, 1000, 1500])
    func overlap(length: Int) throws {
        let (first, second) = (Sound.noise(1000), Sound.noise(2000, seed: 2))
        try pipeline.feed(Buffers.pcm(first, from: 5000, sizes: [400]))
        try pipeline.feed(Buffers.pcm(second, from: Int64(6000 - length), sizes: [128]))
        try pipeline.finish()
        #expect(store.isContiguous)
        #expect(try store.lossless() == first + second[length..<2000])
    }

    @Test("mono plays on both channels")
    func mono() throws {
        let sound = Sound.noise(5000, channels: 1)
        try pipeline.feed(Buffers.pcm(sound, from: 0, sizes: [777]))
        try pipeline.finish()
        let expected = sound.int16Samples.flatMap { [$0, $0] }
        #expect(try store.lossless().int16Samples == expected)
    }

    @Test("24-bit audio at 44.1 kHz is dithered to 16, within two steps")
    func dithered() throws {
        var wide = SampleConverter(to: .int24in32)
        let sound = wide.convert(Sound.sweep(10_000))
        try pipeline.feed(Buffers.pcm(sound, from: 0, sizes: [1000]))
        try pipeline.finish()
        let heard = try store.lossless()
        #expect(heard.frameCount == 10_000)
        #expect(Sound.distance(heard, sound) <= 2 / 32_768)
    }

    @Test("24-bit audio at 48 kHz passes bit for bit where the speakers support it")
    func studio() throws {
        let store = PacketStore()
        let pipeline = RenderPipeline(store: store, policy: WireFormatPolicy(playsHighResolution: true))
        var wide = SampleConverter(to: .int24in32)
        let sound = wide.convert(Sound.sweep(10_000, rate: .hz48000))
        try pipeline.feed(Buffers.pcm(sound, from: 480, sizes: [1000, 17]))
        try pipeline.finish()
        #expect(store.startFrame == 480)
        #expect(try store.lossless(.studio) == sound)
    }

    @Test("a float source at 48 kHz keeps its length and position at 44.1 kHz")
    func resampled() throws {
        let sound = Sound.sweep(48_000, rate: .hz48000)
        try pipeline.feed(Buffers.pcm(sound, from: 96_000, sizes: [4000, 333]))
        try pipeline.finish()
        #expect(store.startFrame == 88_200)
        #expect(store.endFrame == 132_300)
        let heard = try store.lossless()
        let expected = Sound.sweep(44_100)
        // The filter has no audio before the first frame and after the last one.
        #expect(Sound.distance(heard[2000..<42_000], expected[2000..<42_000]) < 4 / 32_768)
    }

    @Test("sources of two rates follow each other without a gap")
    func mixedRates() throws {
        let (first, second) = (Sound.noise(44_100), Sound.sweep(48_000, rate: .hz48000))
        try pipeline.feed(Buffers.pcm(first, from: 0, sizes: [10_000]))
        try pipeline.feed(Buffers.pcm(second, from: 48_000, sizes: [10_000]))
        try pipeline.feed(Buffers.pcm(first, from: 88_200, sizes: [10_000]))
        try pipeline.finish()
        let heard = try store.lossless()
        #expect(heard.frameCount == 132_300)
        #expect(heard[0..<44_100] == first)
        #expect(heard[88_200..<132_300] == first)
        #expect(Sound.distance(heard[46_100..<86_000], Sound.sweep(39_900, from: 2000)) < 4 / 32_768)
    }

    @Test("sample trims are honoured to the frame")
    func trims() throws {
        let sound = Sound.noise(3000)
        let buffer = try Buffers.pcm(sound, at: Buffers.time(1000))
        Buffers.trim(buffer, start: 100, end: 250)
        _ = try pipeline.process(buffer)
        try pipeline.finish()
        #expect(store.startFrame == 1100)
        #expect(try store.lossless() == sound[100..<2750])
    }

    @Test("a flush resets the position")
    func flush() throws {
        try pipeline.feed(Buffers.pcm(Sound.noise(1000), from: 0, sizes: [400]))
        pipeline.flush()
        store.removeAll()
        let sound = Sound.noise(1000, seed: 3)
        try pipeline.feed(Buffers.pcm(sound, from: 44_100 * 3600, sizes: [400]))
        try pipeline.finish()
        #expect(store.startFrame == 158_760_000)
        #expect(try store.lossless() == sound)
    }

    @Test("a gain applies to audio encoded after it was set")
    func gain() throws {
        let sound = Sound.sweep(4000)
        pipeline.gain = 0.5
        try pipeline.feed(Buffers.pcm(sound, from: 0, sizes: [1000]))
        try pipeline.finish()
        let half = PCMBuffer(
            sampleRate: .hz44100, channelCount: 2, samples: sound.floatSamples.map { $0 / 2 })
        #expect(Sound.distance(try store.lossless(), half) <= 2 / 32_768)
    }

    @Test("Apple Lossless packets are decoded and encoded without a difference", arguments: [1, 3, 40])
    func appleLossless(size: Int) throws {
        let sound = Sound.noise(352 * 100 + 120)
        let encoder = try ALACEncoder(.cd)
        let payloads = try stride(from: 0, to: sound.frameCount, by: 352).map { start in
            var payload: [UInt8] = []
            try encoder.encode(sound[start..<min(start + 352, sound.frameCount)], into: &payload)
            return payload
        }
        let format = try Buffers.description(
            kAudioFormatAppleLossless, flags: 1, framesPerPacket: 352, cookie: ALACConfiguration.cd.cookie)
        for first in stride(from: 0, to: payloads.count, by: size) {
            let part = Array(payloads[first..<min(first + size, payloads.count)])
            let buffer = try Buffers.packets(
                part, framesPerPacket: 352, format: format, at: Buffers.time(Int64(first * 352)))
            if first + part.count == payloads.count { Buffers.trim(buffer, end: 232) }
            _ = try pipeline.process(buffer)
        }
        try pipeline.finish()
        #expect(store.isContiguous)
        #expect(try store.lossless() == sound)
    }
}
