import AirPlaySender
import CoreMedia
import Testing
import TuttiMediaTime
import TuttiPCM

@testable import Playback

@Suite("Replacing audio from a given time")
struct CutTests {
    static let tolerance: Float = 8 / 32_768
    let store = PacketStore()
    let pipeline: RenderPipeline

    init() { pipeline = RenderPipeline(store: store, policy: WireFormatPolicy()) }

    /// Flushes from a time as the route does.
    private func replace(from time: CMTime) throws {
        guard pipeline.cutFrame(for: time) != nil else { return pipeline.dropBacklog(from: time) }
        pipeline.dropBacklog(from: time)
        try pipeline.cut(at: time)
    }

    static let places: [Int] = [
        0, 1, 2, 351, 352, 353, 5000, 9998, 9999, 10_000, 10_001, 15_000, 19_998, 20_000,
    ]

    @Test(
        "replacement is exact inside ALAC packets, at their edges and at the ends of tracks",
        arguments: places)
    func lossless(place: Int) throws {
        let (first, second) = (Sound.noise(10_000), Sound.noise(10_000, seed: 2))
        let new = Sound.noise(6000, seed: 3)
        try pipeline.feed(Buffers.pcm(first, from: 100, sizes: [999]))
        try pipeline.feed(Buffers.pcm(second, from: 10_100, sizes: [999]))
        try pipeline.finish()
        try replace(from: Buffers.time(Int64(100 + place)))
        try pipeline.feed(Buffers.pcm(new, from: Int64(100 + place), sizes: [777]))
        try pipeline.finish()
        #expect(store.startFrame == 100)
        #expect(store.isContiguous)
        #expect(try #require(store.shortest) >= 3)
        #expect(try store.lossless() == (first + second)[0..<place] + new)
    }

    @Test("audio that is not packed yet is replaced", arguments: [9856, 9900, 9999])
    func unpacked(place: Int) throws {
        let (old, new) = (Sound.noise(10_000), Sound.noise(3000, seed: 3))
        try pipeline.feed(Buffers.pcm(old, from: 0, sizes: [1000]))
        #expect(try #require(store.endFrame) <= 9856)
        try replace(from: Buffers.time(Int64(place)))
        try pipeline.feed(Buffers.pcm(new, from: Int64(place), sizes: [777]))
        try pipeline.finish()
        #expect(try store.lossless() == old[0..<place] + new)
    }

    @Test("the speakers drop whole packets, from the one that contains the time")
    func cutFrame() throws {
        try pipeline.feed(Buffers.pcm(Sound.noise(10_000), from: 100, sizes: [999]))
        try pipeline.finish()
        #expect(pipeline.cutFrame(for: Buffers.time(0)) == 100)
        #expect(pipeline.cutFrame(for: Buffers.time(451)) == 100)
        #expect(pipeline.cutFrame(for: Buffers.time(452)) == 452)
        #expect(pipeline.cutFrame(for: Buffers.time(10_100)) == nil)
    }

    static let unitPlaces: [Int64] = [1024, 1025, 5000, 20_480, 29_695, 29_697, 29_999, 30_000]

    @Test("inside access units, the part before the time becomes ALAC", arguments: unitPlaces)
    func units(place: Int64) throws {
        let track = try AACTrack(Sound.sweep(30_000))
        let new = Sound.noise(6000, seed: 3)
        try pipeline.feed(track.buffers(from: 44_100))
        try pipeline.finish()
        try replace(from: Buffers.time(44_100 + place))
        try pipeline.feed(Buffers.pcm(new, from: 44_100 + place, sizes: [777]))
        try pipeline.finish()
        let received = try ModelReceiver(store)
        #expect(received.holes.isEmpty)
        #expect(received.end == 44_100 + place + 6000)
        let old = received[44_100..<44_100 + place]
        #expect(Sound.distance(old, track.decoded[0..<Int(place)]) <= Self.tolerance)
        #expect(received[44_100 + place..<received.end] == Sound.float(new))
    }

    @Test("access units replace access units", arguments: [5000, 20_480, 40_000, 80_000, 150_000])
    func unitsByUnits(place: Int64) throws {
        let (first, second) = (
            try AACTrack(Sound.sweep(60_001)), try AACTrack(Sound.sweep(120_000, from: 60_001))
        )
        let new = try AACTrack(Sound.sweep(100_000, from: 7))
        try pipeline.feed(first.buffers(from: 0))
        try pipeline.feed(second.buffers(from: 60_001))
        try pipeline.finish()
        try replace(from: Buffers.time(place))
        try pipeline.feed(new.buffers(from: place))
        try pipeline.finish()
        let received = try ModelReceiver(store)
        #expect(received.holes.isEmpty)
        #expect(received.end == place + 100_000)
        let expected = (first.decoded + second.decoded)[0..<Int(place)] + new.decoded
        #expect(Sound.distance(received[0..<received.end], expected) <= Self.tolerance)
    }

    @Test("replacement works twice at one position, and at an earlier one")
    func again() throws {
        let (old, new) = (Sound.noise(10_000), Sound.noise(4000, seed: 3))
        try pipeline.feed(Buffers.pcm(old, from: 0, sizes: [999]))
        for place in [7001, 7001, 3333] as [Int64] {
            try replace(from: Buffers.time(place))
            try pipeline.feed(Buffers.pcm(new, from: place, sizes: [500]))
        }
        try pipeline.finish()
        #expect(try store.lossless() == old[0..<3333] + new)
    }

    @Test("a resampled source keeps its filter's history before the time")
    func resampled() throws {
        let sound = Sound.sweep(96_000, rate: .hz48000)
        try pipeline.feed(Buffers.pcm(sound[0..<48_000], from: 0, sizes: [4800]))
        // A time far beyond the audio: nothing changes.
        try replace(from: Buffers.time(48_000, rate: .hz48000) + Buffers.time(10_000))
        try pipeline.feed(Buffers.pcm(sound[48_000..<96_000], from: 48_000, sizes: [4800]))
        try pipeline.finish()
        let heard = try store.lossless()
        #expect(heard.frameCount == 88_200)
        #expect(Sound.distance(heard[2000..<86_000], Sound.sweep(84_000, from: 2000)) < 4 / 32_768)
    }
}

@Suite("Cutting queued buffers at a given time")
struct BacklogCutTests {
    static let tolerance: Float = 8 / 32_768
    let store = PacketStore()
    let pipeline: RenderPipeline

    init() { pipeline = RenderPipeline(store: store, policy: WireFormatPolicy()) }

    private func play() throws -> ModelReceiver {
        while let buffer = pipeline.backlog.first {
            pipeline.backlog.removeFirst()
            _ = try pipeline.process(buffer)
        }
        try pipeline.finish()
        return try ModelReceiver(store)
    }

    private func queue(_ buffers: [CMSampleBuffer]) {
        for buffer in buffers { pipeline.backlog.append(buffer) }
    }

    @Test("samples are cut to the frame", arguments: [1, 999, 1000, 1001, 4321, 9998, 10_000])
    func samples(place: Int) throws {
        let (old, new) = (Sound.noise(10_000), Sound.noise(3000, seed: 3))
        queue(try Buffers.pcm(old, from: 50, sizes: [1000]))
        pipeline.dropBacklog(from: Buffers.time(Int64(50 + place)))
        queue(try Buffers.pcm(new, from: Int64(50 + place), sizes: [700]))
        let received = try play()
        #expect(received[50..<received.end] == Sound.float(old[0..<place] + new))
    }

    @Test("access units are cut", arguments: [1024, 5000, 20_480, 25_000, 29_990])
    func units(place: Int) throws {
        let track = try AACTrack(Sound.sweep(30_000))
        let new = Sound.noise(3000, seed: 3)
        queue(try track.buffers(from: 0, size: 12))
        pipeline.dropBacklog(from: Buffers.time(Int64(place)))
        queue(try Buffers.pcm(new, from: Int64(place), sizes: [700]))
        let received = try play()
        let (old, rest) = (received[0..<Int64(place)], received[Int64(place)..<received.end])
        #expect(Sound.distance(old, track.decoded[0..<place]) <= Self.tolerance)
        #expect(rest == Sound.float(new))
    }

    @Test("the remaining duration is counted")
    func size() throws {
        queue(try Buffers.pcm(Sound.noise(44_100), from: 0, sizes: [4410]))
        #expect(abs(pipeline.backlog.size.seconds - 1) < 1e-9)
        #expect(pipeline.backlog.size.bytes == 176_400)
        pipeline.backlog.removeFirst()
        pipeline.dropBacklog(from: Buffers.time(22_051))
        #expect(abs(pipeline.backlog.size.seconds - 17_641.0 / 44_100) < 1e-9)
        pipeline.dropBacklog(from: .zero)
        #expect(pipeline.backlog.isEmpty)
        #expect(pipeline.backlog.size.bytes == 0)
    }

    @Test("the queue is first in, first out over thousands of buffers")
    func order() throws {
        var backlog = BufferBacklog()
        let sound = Sound.noise(1)
        for index in 0..<1000 { backlog.append(try Buffers.pcm(sound, at: Buffers.time(Int64(index)))) }
        for index in 0..<1000 {
            #expect(backlog.first?.presentationTimeStamp == Buffers.time(Int64(index)))
            backlog.removeFirst()
        }
        #expect(backlog.isEmpty)
    }
}
