import AirPlayMessages
import AirPlaySender
import Testing
import TuttiMediaTime
import TuttiPCM

@testable import Playback

/// Where a receiver loses audio at a codec change, as shairport-sync does, the track after AAC is encoded again.
@Suite("An encoder that continues where access units end")
struct EncodedJoinTests {
    let store = PacketStore()
    let pipeline: RenderPipeline

    init() {
        pipeline = RenderPipeline(store: store, policy: WireFormatPolicy())
        pipeline.formats.learn(
            of: PacketOutputTraits(receivers: [
                ReceiverDescription(airPlay: AirPlayTXTRecord(["model": "ShairportSync"]))
            ]))
    }

    /// The largest error in the first tenth of a second after the join; a poor first unit is wrong by a third.
    private func errorBehindSeam(_ received: ModelReceiver, at seam: Int64, _ expected: PCMBuffer) -> Float {
        let range = seam - 1024..<seam + 4410
        return Sound.distance(received[range], expected[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    @Test(
        "the encoder is settled at the join, wherever in a unit that is",
        arguments: [60_001, 61_440, 61_441, 61_952, 62_463, 24_576, 45_000])
    func seam(length: Int) throws {
        let whole = Sound.sweep(length + 60_000)
        let first = try AACTrack(Sound.sweep(length))
        let second = try AACTrack(Sound.sweep(60_000, from: length))
        try pipeline.feed(first.buffers(from: 0))
        try pipeline.feed(second.buffers(from: Int64(length)))
        try pipeline.finish()
        let received = try ModelReceiver(store)
        #expect(received.codecs == [.aac44100])
        #expect(received.holes.isEmpty)
        #expect(errorBehindSeam(received, at: Int64(length), whole) < 0.03)
    }

    @Test("the units before the join are the first track's own")
    func untouched() throws {
        let first = try AACTrack(Sound.sweep(60_001))
        let second = try AACTrack(Sound.sweep(60_000, from: 60_001))
        try pipeline.feed(first.buffers(from: 0))
        try pipeline.feed(second.buffers(from: 60_001))
        try pipeline.finish()
        let sent = try ModelReceiver(store).packets.map(\.payload)
        let own = Array(first.units.dropFirst(4).dropLast(2))
        let start = try #require(sent.firstIndex(of: own[0]))
        let isTheirs = Array(sent[start..<min(start + own.count, sent.count)]) == own
        #expect(isTheirs)
    }

    @Test("other audio that follows joins the same way")
    func losslessBehind() throws {
        let whole = Sound.sweep(120_001)
        let first = try AACTrack(Sound.sweep(60_001))
        try pipeline.feed(first.buffers(from: 0))
        try pipeline.feed(Buffers.pcm(whole[60_001..<120_001], from: 60_001, sizes: [1000]))
        try pipeline.finish()
        let received = try ModelReceiver(store)
        #expect(received.holes.isEmpty)
        #expect(errorBehindSeam(received, at: 60_001, whole) < 0.03)
    }
}
