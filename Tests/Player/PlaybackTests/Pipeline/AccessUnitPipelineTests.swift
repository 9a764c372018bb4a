import AirPlayMessages
import AirPlaySender
import CoreMedia
import Testing
import TuttiMediaTime
import TuttiPCM

@testable import Playback

@Suite("Passing access units through")
struct AccessUnitPipelineTests {
    /// Every decoder synthesizes the noise of some bands, a little.
    static let tolerance: Float = 2 / 32_768
    let store = PacketStore()
    let pipeline: RenderPipeline

    init() { pipeline = RenderPipeline(store: store, policy: WireFormatPolicy()) }

    @Test(
        "units pass byte for byte, with two packets before the first audible frame",
        arguments: [1, 2, 7, 100])
    func untouched(size: Int) throws {
        let track = try AACTrack(Sound.sweep(30_000))
        try pipeline.feed(track.buffers(from: 44_100, size: size))
        try pipeline.finish()
        let received = try ModelReceiver(store)
        let units = received.packets.filter { $0.format == .aac44100 }
        // The encoder's delay is one unit, so the first is sent twice; the last plays in part.
        #expect(units.map(\.payload) == track.units.prefix(1) + track.units.dropLast())
        #expect(units.first?.frame == 42_052)
        #expect(zip(units, units.dropFirst()).allSatisfy { $0.end == $1.frame })
    }

    @Test(
        "the last unit becomes ALAC with exactly the audible frames",
        arguments: [30_000, 30_719, 29_700])
    func partialEnd(count: Int) throws {
        let track = try AACTrack(Sound.sweep(count))
        try pipeline.feed(track.buffers(from: 44_100))
        try pipeline.finish()
        let received = try ModelReceiver(store)
        #expect(received.codecs == [.aac44100, .alac44100x16])
        #expect(received.end == 44_100 + Int64(count))
        #expect(received.holes.isEmpty)
        let heard = received[44_100..<44_100 + Int64(count)]
        #expect(Sound.distance(heard, track.decoded) <= Self.tolerance)
    }

    @Test("a track that ends with its unit needs no ALAC")
    func wholeEnd() throws {
        let track = try AACTrack(Sound.sweep(1024 * 20))
        #expect(track.padding == 0)
        try pipeline.feed(track.buffers(from: 0))
        try pipeline.finish()
        let received = try ModelReceiver(store)
        #expect(received.codecs == [.aac44100])
        #expect(received.end == 20_480)
        #expect(Sound.distance(received[0..<20_480], track.decoded) <= Self.tolerance)
    }

    @Test("padding of more than a unit is dropped")
    func longPadding() throws {
        let track = try AACTrack(Sound.sweep(20_480))
        let buffer = try Buffers.packets(
            track.units, framesPerPacket: 1024, format: AACTrack.format(rate: .hz44100),
            at: Buffers.time(-1024))
        Buffers.trim(buffer, start: 1024, end: 3000)
        _ = try pipeline.process(buffer)
        try pipeline.finish()
        let received = try ModelReceiver(store)
        #expect(received.end == 17_480)
        #expect(Sound.distance(received[0..<17_480], track.decoded[0..<17_480]) <= Self.tolerance)
    }

    @Test("units at 48 kHz pass; where ALAC 48/24 is not supported the last unit stays whole")
    func rate48000() throws {
        let track = try AACTrack(Sound.sweep(30_000, rate: .hz48000))
        try pipeline.feed(track.buffers(from: 0))
        try pipeline.finish()
        let received = try ModelReceiver(store, rate: .hz48000)
        #expect(received.codecs == [.aac48000])
        #expect(Sound.distance(received[0..<30_000], track.decoded) <= Self.tolerance)
    }

    @Test("a gain turns pass-through into decoding")
    func gain() throws {
        let track = try AACTrack(Sound.sweep(20_000))
        pipeline.gain = 0.25
        try pipeline.feed(track.buffers(from: 0))
        try pipeline.finish()
        let received = try ModelReceiver(store)
        #expect(received.codecs == [.alac44100x16])
        let quarter = PCMBuffer(
            sampleRate: .hz44100, channelCount: 2, samples: track.decoded.floatSamples.map { $0 / 4 })
        #expect(received.end == 20_000)
        #expect(Sound.distance(received[0..<20_000], quarter) <= 2 / 32_768)
    }

    @Test("a gain in mid-source scales later audio; without it units pass again")
    func gainChanges() throws {
        let track = try AACTrack(Sound.sweep(400_000))
        let buffers = try track.buffers(from: 0, size: 10)
        try pipeline.feed(Array(buffers[..<8]))
        pipeline.gain = 0
        try pipeline.feed(Array(buffers[8..<20]))
        pipeline.gain = 1
        try pipeline.feed(Array(buffers[20...]))
        try pipeline.finish()
        let received = try ModelReceiver(store)
        let change: Int64 = 8 * 10 * 1024
        #expect(
            Sound.distance(received[0..<change - 1024], track.decoded[0..<Int(change) - 1024])
                <= Self.tolerance)
        let silent = received[change + 1024..<2 * change]
        #expect(silent.floatSamples.allSatisfy { abs($0) <= Float(Self.tolerance) })
        #expect(
            Sound.distance(received[300_000..<390_000], track.decoded[300_000..<390_000]) <= Self.tolerance)
        #expect(received.codecs.contains(.aac44100) && received.codecs.contains(.alac44100x16))
    }

    @Test("a buffer with attachments only needs no format")
    func marker() throws {
        let marker = try CMSampleBuffer(
            dataBuffer: nil, formatDescription: nil, numSamples: 0, sampleTimings: [], sampleSizes: [])
        #expect(try pipeline.process(marker) == nil)
    }

    @Test("the choice is reported once for each source")
    func choice() throws {
        let track = try AACTrack(Sound.sweep(60_000))
        let choices = try track.buffers(from: 0, size: 10).map { try pipeline.process($0) }
        #expect(choices.first??.format == .aac44100)
        #expect(choices.first??.passesThrough == true)
        #expect(choices.dropFirst().allSatisfy { $0 == nil })
        let next = try pipeline.process(Buffers.pcm(Sound.noise(1000), at: Buffers.time(60_000)))
        #expect(next?.format == .alac44100x16)
    }
}
