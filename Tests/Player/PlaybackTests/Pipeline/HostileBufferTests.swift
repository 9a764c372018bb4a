import AirPlaySender
import CoreMedia
import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiTestSupport

@testable import Playback

@Suite("Malformed sample buffers")
struct HostileBufferTests {
    let store = PacketStore()
    let pipeline: RenderPipeline

    init() { pipeline = RenderPipeline(store: store, policy: WireFormatPolicy()) }

    static let times: [CMTime] = [
        .invalid, .indefinite, .positiveInfinity, .negativeInfinity, CMTime(value: .max, timescale: 1),
        CMTime(value: .min, timescale: 1), CMTime(value: .max, timescale: 44_100),
        CMTime(value: .min, timescale: 44_100), CMTime(value: .max, timescale: .max),
        CMTime(value: 4_000_000_000, timescale: 1),
    ]

    @Test("invalid and excessive times are refused", arguments: times)
    func absurdTimes(time: CMTime) throws {
        let sound = Sound.noise(100)
        #expect(throws: RenderError.self) { try pipeline.process(Buffers.pcm(sound, at: time)) }
        let unit = try Buffers.packets(
            [[1, 2, 3]], framesPerPacket: 1024, format: AACTrack.format(rate: .hz44100), at: time)
        #expect(throws: RenderError.self) { try pipeline.process(unit) }
        #expect(store.byteCount == 0)
        // Later audio is unaffected.
        try pipeline.feed(Buffers.pcm(sound, from: 0, sizes: [100]))
        try pipeline.finish()
        #expect(try store.lossless() == sound)
    }

    @Test(
        "an excessive trim is refused or leaves nothing",
        arguments: [Int64.max, Int64.max - 44_100, 1 << 60] as [Int64])
    func absurdTrims(frames: Int64) throws {
        for (start, end) in [(frames, 0), (0, frames), (frames, frames)] as [(Int64, Int64)] {
            for isUnits in [false, true] {
                let buffer =
                    try isUnits
                    ? Buffers.packets(
                        [[1, 2, 3]], framesPerPacket: 1024, format: AACTrack.format(rate: .hz44100), at: .zero
                    )
                    : Buffers.pcm(Sound.noise(100), at: .zero)
                Buffers.trim(buffer, start: start, end: end)
                _ = try? pipeline.process(buffer)
            }
        }
        try pipeline.finish()
        #expect(store.byteCount < 1000)
    }

    static let durations: [CMTime] = [
        CMTime(value: .max, timescale: 1), CMTime(value: .min, timescale: 1), .positiveInfinity, .invalid,
        CMTime(value: 1 << 40, timescale: 44_100), CMTime(value: -5, timescale: 1),
    ]

    @Test("packets that claim an endless duration yield no endless audio", arguments: durations)
    func absurdDurations(duration: CMTime) throws {
        for id in [kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3] {
            let buffer = try CMSampleBuffer(
                dataBuffer: Buffers.block([1, 2, 3, 4]),
                formatDescription: Buffers.description(id, framesPerPacket: 1024), numSamples: 2,
                sampleTimings: [
                    CMSampleTimingInfo(
                        duration: duration, presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
                ], sampleSizes: [2, 2])
            _ = try? pipeline.process(buffer)
        }
        try pipeline.finish()
        #expect((store.endFrame ?? 0) <= 1 << 20)
        #expect(store.byteCount < 1 << 20)
    }

    @Test("a gap beyond the limit is a discontinuity, not hours of silence")
    func longGap() throws {
        let sound = Sound.noise(1000)
        let far = 44_100 * 3600 * 24 as Int64
        try pipeline.feed(Buffers.pcm(sound, from: 0, sizes: [1000]))
        try pipeline.feed(Buffers.pcm(sound, from: far, sizes: [300]))
        try pipeline.finish()
        let received = try ModelReceiver(store)
        #expect(received.packets.count < 10)
        #expect(received.packets.first { $0.frame >= far }?.frame == far)
        #expect(store.endFrame == far + 1000)
        #expect(try store.lossless() == sound + sound)
    }

    @Test("a gap of a minute is silence")
    func minute() throws {
        let sound = Sound.noise(1000)
        let gap = 44_100 * 60 as Int64
        try pipeline.feed(Buffers.pcm(sound, from: 0, sizes: [1000]))
        try pipeline.feed(Buffers.pcm(sound, from: 1000 + gap, sizes: [1000]))
        try pipeline.finish()
        #expect(store.isContiguous)
        #expect(store.endFrame == 2000 + gap)
    }

    @Test("units after a long gap are at their position")
    func longGapOfUnits() throws {
        let track = try AACTrack(Sound.sweep(90_000))
        let far = 44_100 * 3600 * 24 as Int64
        try pipeline.feed(track.buffers(from: 0))
        try pipeline.feed(track.buffers(from: far))
        try pipeline.finish()
        #expect(store.endFrame == far + 90_000)
        #expect(store.byteCount < 2 << 20)
    }

    @Test("a time far in the past is an overlap")
    func farBack() throws {
        let sound = Sound.noise(1000)
        try pipeline.feed(Buffers.pcm(sound, from: 44_100 * 7200, sizes: [1000]))
        try pipeline.feed(Buffers.pcm(sound, from: 0, sizes: [1000]))
        try pipeline.finish()
        #expect(try store.lossless() == sound)
    }

    @Test("a buffer without samples changes nothing")
    func empty() throws {
        for format in [
            try Buffers.description(of: Sound.noise(1).format), try AACTrack.format(rate: .hz44100),
        ] {
            let buffer = try CMSampleBuffer(
                dataBuffer: Buffers.block([]), formatDescription: format, numSamples: 0,
                sampleTimings: [
                    CMSampleTimingInfo(
                        duration: Buffers.time(1), presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
                ], sampleSizes: [])
            #expect(try pipeline.process(buffer) == nil)
        }
        let track = try AACTrack(Sound.sweep(20_480))
        try pipeline.feed(track.buffers(from: 44_100))
        try pipeline.finish()
        #expect(try ModelReceiver(store).codecs == [.aac44100])
        #expect(store.startFrame == 42_052)
    }

    @Test("a buffer without data is an error")
    func noData() throws {
        for format in [
            try Buffers.description(of: Sound.noise(1).format), try AACTrack.format(rate: .hz44100),
        ] {
            let buffer = try CMSampleBuffer(
                dataBuffer: nil, formatDescription: format, numSamples: 2,
                sampleTimings: [
                    CMSampleTimingInfo(
                        duration: Buffers.time(1024), presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
                ], sampleSizes: [4, 4])
            #expect(throws: RenderError.self) { try pipeline.process(buffer) }
        }
    }

    @Test("with less data than frames, the available frames play")
    func shortData() throws {
        let sound = Sound.noise(60)
        let buffer = try CMSampleBuffer(
            dataBuffer: Buffers.block(sound.bytes + [1, 2]),
            formatDescription: Buffers.description(of: sound.format), numSamples: 100,
            sampleTimings: [
                CMSampleTimingInfo(
                    duration: Buffers.time(1), presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
            ], sampleSizes: [4])
        _ = try pipeline.process(buffer)
        try pipeline.finish()
        #expect(try store.lossless() == sound)
    }

    @Test("an empty unit does not shift the others", arguments: [1, 5, 40, 60])
    func emptyUnit(position: Int) throws {
        let track = try AACTrack(Sound.sweep(102_400))
        var units = track.units
        units[position] = []
        let buffer = try Buffers.packets(
            units, framesPerPacket: 1024, format: AACTrack.format(rate: .hz44100), at: Buffers.time(-1024))
        Buffers.trim(buffer, start: 1024)
        _ = try pipeline.process(buffer)
        try pipeline.finish()
        let received = try ModelReceiver(store)
        #expect(received.end == 102_400)
        let after = Int64(position * 1024 + 2048)
        #expect(
            Sound.distance(received[after..<102_400], track.decoded[Int(after)..<102_400]) <= 8 / 32_768)
    }

    @Test("corrupt units do no harm")
    func nonsense() throws {
        var generator = SeededGenerator(seed: 5)
        let units = (0..<80).map { _ in
            (0..<50).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
        let format = try AACTrack.format(rate: .hz44100)
        let first = try AACTrack(Sound.sweep(30_001))
        try pipeline.feed(first.buffers(from: 0))
        // After a join, so that the bridge must decode the units.
        let buffer = try Buffers.packets(
            units, framesPerPacket: 1024, format: format, at: Buffers.time(30_001))
        _ = try? pipeline.process(buffer)
        try? pipeline.finish()
        #expect((store.endFrame ?? 0) <= 30_001 + 80 * 1024)
    }

    static let descriptions: [(rate: Double, channels: UInt32, bits: UInt32, bytes: UInt32)] = [
        (.nan, 2, 16, 4), (.infinity, 2, 16, 4), (1e300, 2, 16, 4), (-44_100, 2, 16, 4), (0, 2, 16, 4),
        (44_100, 0, 16, 4), (44_100, 65, 16, 130), (44_100, .max, 16, 4), (44_100, 2, 0, 4),
        (44_100, 2, 64, 4),
        (44_100, 2, 16, 0), (44_100, 2, 16, 3), (44_100, 2, .max, 4), (44_100, 2, 16, .max),
    ]

    @Test("impossible formats are refused", arguments: descriptions)
    func formats(rate: Double, channels: UInt32, bits: UInt32, bytes: UInt32) throws {
        for id in [kAudioFormatLinearPCM, kAudioFormatMPEG4AAC, kAudioFormatFLAC] {
            guard
                let format = try? Buffers.description(
                    id, rate: rate, flags: kAudioFormatFlagIsSignedInteger, bytes: bytes,
                    framesPerPacket: id == kAudioFormatMPEG4AAC ? 1024 : 1, channels: channels, bits: bits),
                let buffer = try? Buffers.packets(
                    [[1, 2, 3, 4]], framesPerPacket: 1, format: format, at: .zero)
            else { continue }
            _ = try? pipeline.process(buffer)
            _ = try? pipeline.finish()
            pipeline.flush()
        }
        #expect(store.byteCount < 10_000)
    }
}
