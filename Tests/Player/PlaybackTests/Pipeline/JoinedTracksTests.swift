import AirPlayMessages
import AirPlaySender
import CoreMedia
import Testing
import TuttiMediaTime
import TuttiPCM

@testable import Playback

@Suite("Tracks of access units are joined without a gap")
struct JoinedTracksTests {
    static let tolerance: Float = 8 / 32_768
    let store = PacketStore()
    let pipeline: RenderPipeline

    init() { pipeline = RenderPipeline(store: store, policy: WireFormatPolicy()) }

    /// Feeds tracks one after the other, and returns a speaker's output and the expected one.
    private func join(_ tracks: [AACTrack], size: Int = 20) throws -> (
        received: ModelReceiver, expected: PCMBuffer
    ) {
        var frame: Int64 = 0
        var expected = PCMBuffer(format: tracks[0].decoded.format)
        for track in tracks {
            try pipeline.feed(track.buffers(from: frame, size: size))
            frame += Int64(track.frameCount)
            expected.append(track.decoded)
        }
        try pipeline.finish()
        return (try ModelReceiver(store, rate: tracks[0].rate), expected)
    }

    private func check(_ received: ModelReceiver, _ expected: PCMBuffer) {
        #expect(received.holes.isEmpty)
        #expect(received.end == Int64(expected.frameCount))
        #expect(Sound.distance(received[0..<Int64(expected.frameCount)], expected) <= Self.tolerance)
    }

    @Test(
        "tracks join through at least 1.2 s of ALAC, and a unit starts one packet early",
        arguments: [3, 20, 1000])
    func bridge(size: Int) throws {
        let first = try AACTrack(Sound.sweep(60_001))
        let second = try AACTrack(Sound.sweep(150_000, from: 60_001))
        let (received, expected) = try join([first, second], size: size)
        check(received, expected)
        #expect(received.codecs == [.aac44100, .alac44100x16, .aac44100, .alac44100x16])
        let bridge = received.packets.drop { $0.format == .aac44100 }.prefix { $0.format == .alac44100x16 }
        #expect(bridge.reduce(0) { $0 + $1.frameCount } >= 52_920)
        #expect(bridge.allSatisfy { $0.frameCount >= 3 })
        let after = received.packets.drop { $0.format == .aac44100 }.drop { $0.format == .alac44100x16 }
        #expect(after.first?.end == bridge.last?.end)
        #expect(after.dropFirst().first?.frame == bridge.last?.end)
        // The units after the bridge are the track's own.
        let units = after.filter { $0.format == .aac44100 }.map(\.payload)
        #expect(Array(track(second, endingWith: units)) == units)
    }

    private func track(_ track: AACTrack, endingWith units: [[UInt8]]) -> ArraySlice<[UInt8]> {
        track.units.dropLast().suffix(units.count)
    }

    @Test(
        "a track shorter than a bridge joins, too",
        arguments: [[20_000, 15_000, 70_001], [9000, 1500, 800]])
    func shortTracks(lengths: [Int]) throws {
        var frame = 0
        let tracks = try ([60_001] + lengths).map { count in
            defer { frame += count }
            return try AACTrack(Sound.sweep(count, from: frame))
        }
        let (received, expected) = try join(tracks, size: 10)
        check(received, expected)
    }

    @Test("a track that ends with its unit and one on the same grid still join cleanly")
    func sameGrid() throws {
        let first = try AACTrack(Sound.sweep(61_440))
        let second = try AACTrack(Sound.sweep(102_400, from: 61_440))
        let (received, expected) = try join([first, second])
        check(received, expected)
    }

    @Test("lossless audio, units and lossless audio join")
    func losslessAround() throws {
        let (before, after) = (Sound.noise(10_001), Sound.noise(9000, seed: 2))
        let track = try AACTrack(Sound.sweep(100_000))
        try pipeline.feed(Buffers.pcm(before, from: 0, sizes: [1000]))
        try pipeline.feed(track.buffers(from: 10_001))
        try pipeline.feed(Buffers.pcm(after, from: 110_001, sizes: [1000]))
        try pipeline.finish()
        let received = try ModelReceiver(store)
        #expect(received.holes.isEmpty)
        #expect(received.end == 119_001)
        #expect(received[0..<10_001] == Sound.float(before))
        #expect(Sound.distance(received[10_001..<110_001], track.decoded) <= Self.tolerance)
        #expect(received[110_001..<119_001] == Sound.float(after))
    }

    @Test("a gap before the next track is silence of exactly that length", arguments: [500, 40_000])
    func gap(length: Int) throws {
        let first = try AACTrack(Sound.sweep(60_001))
        let second = try AACTrack(Sound.sweep(90_000))
        try pipeline.feed(first.buffers(from: 0))
        try pipeline.feed(second.buffers(from: Int64(60_001 + length)))
        try pipeline.finish()
        let received = try ModelReceiver(store)
        check(
            received,
            first.decoded + Sound.silence(length, like: first.decoded) + second.decoded)
    }

    @Test("a gap inside a bridge is silence too")
    func gapInBridge() throws {
        let (first, second) = (try AACTrack(Sound.sweep(30_000)), try AACTrack(Sound.sweep(120_000)))
        try pipeline.feed(first.buffers(from: 0))
        var buffers = try second.buffers(from: 30_000, size: 20)
        let moved = try second.buffers(from: 35_000, size: 20)
        buffers.replaceSubrange(1..., with: moved[1...])
        try pipeline.feed(buffers)
        try pipeline.finish()
        let received = try ModelReceiver(store)
        let head = 20 * 1024 - second.delay
        #expect(received.end == 155_000)
        #expect(
            Sound.distance(received[30_000..<30_000 + Int64(head)], second.decoded[0..<head])
                <= Self.tolerance)
        let tail = received[Int64(35_000 + head)..<155_000]
        #expect(
            Sound.distance(tail[1024..<tail.frameCount], second.decoded[head + 1024..<120_000])
                <= Self.tolerance)
    }

    @Test("an overlap with the track before is cut", arguments: [500, 30_000, 80_000])
    func overlap(length: Int) throws {
        let first = try AACTrack(Sound.sweep(90_000))
        let second = try AACTrack(Sound.sweep(200_000, from: 10_000))
        try pipeline.feed(first.buffers(from: 0))
        try pipeline.feed(second.buffers(from: Int64(90_000 - length)))
        try pipeline.finish()
        check(try ModelReceiver(store), first.decoded + second.decoded[length..<200_000])
    }

    @Test("48 kHz tracks join through ALAC 48/24 where it is supported")
    func bridge48000() throws {
        let store = PacketStore()
        let pipeline = RenderPipeline(store: store, policy: WireFormatPolicy(playsHighResolution: true))
        let first = try AACTrack(Sound.sweep(60_001, rate: .hz48000))
        let second = try AACTrack(Sound.sweep(120_000, rate: .hz48000))
        try pipeline.feed(first.buffers(from: 0))
        try pipeline.feed(second.buffers(from: 60_001))
        try pipeline.finish()
        let received = try ModelReceiver(store, rate: .hz48000)
        #expect(received.codecs == [.aac48000, .alac48000x24, .aac48000, .alac48000x24])
        check(received, first.decoded + second.decoded)
    }

    @Test("48 kHz tracks are encoded again where ALAC 48/24 is not supported; positions hold")
    func again48000() throws {
        let first = try AACTrack(Sound.sweep(61_440, rate: .hz48000))
        let second = try AACTrack(Sound.sweep(90_000, rate: .hz48000, from: 61_440))
        let (received, _) = try join([first, second])
        #expect(received.codecs == [.aac48000])
        #expect(received.holes.isEmpty)
        #expect(received.end >= 151_440)
        let expected = Sound.sweep(80_000, rate: .hz48000, from: 66_440)
        #expect(Sound.distance(received[66_440..<146_440], expected) < 0.02)
    }

    @Test(
        "decoded tracks keep every frame of their joins",
        arguments: [[30_001, 20_000], [5000, 900, 7000]])
    func decodedOnce(lengths: [Int]) throws {
        let policy = WireFormatPolicy(fixed: .alac44100x16)
        let pipeline = RenderPipeline(store: PacketStore(), policy: policy)
        var frame = 0
        var expected = PCMBuffer(format: Sound.sweep(0).format)
        for count in lengths {
            let track = try AACTrack(Sound.sweep(count, from: frame))
            try pipeline.feed(track.buffers(from: Int64(frame)))
            frame += count
            expected.append(track.decoded)
        }
        try pipeline.finish()
        let received = try ModelReceiver(pipeline.line.store)
        #expect(received.codecs == [.alac44100x16])
        check(received, expected)
    }
}
