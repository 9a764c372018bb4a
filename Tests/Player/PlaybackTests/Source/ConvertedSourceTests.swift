import CoreMedia
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

@testable import Playback

@Suite("Converting files to linear PCM")
struct ConvertedSourceTests {
    static let frameCount = 120_000

    private static func write(_ name: String) throws -> TestFolder {
        let folder = try TestFolder()
        try MediaFile.kind(name).write(Signal.sweep(frameCount: frameCount), to: folder.file(name))
        return folder
    }

    private static func float(rate hertz: Int, channels: Int = 2) throws -> LinearPCMTarget {
        let rate = try #require(SampleRate(hertz: hertz))
        let target = LinearPCMTarget(
            sampleRate: rate, channelCount: channels, bits: 32, isFloat: true, isBigEndian: false,
            isInterleaved: true)
        return try #require(target)
    }

    private static func heard(
        _ path: String, _ frames: Range<Int64>, _ target: LinearPCMTarget
    ) throws -> HeardSound {
        let source = try ConvertedSource(try MediaReader(path), frames: frames, to: target)
        var buffers: [CMSampleBuffer] = []
        while let buffer = try source.nextBuffer() { buffers.append(buffer) }
        return try HeardSound(buffers)
    }

    @Test("lossless audio in its own format is unchanged", arguments: ["a.wav", "a.flac", "alac.m4a"])
    func untouched(name: String) throws {
        let folder = try Self.write(name)
        let target = try #require(
            LinearPCMTarget(
                sampleRate: .hz44100, channelCount: 2, bits: 16, isFloat: false, isBigEndian: false,
                isInterleaved: true))
        let heard = try Self.heard(folder.file(name), 0..<Int64.max, target)
        #expect(heard.buffer == (try DecodedRun(path: folder.file(name)).buffer))
        #expect(heard.start == .zero)
        #expect(heard.holeCount == 0)
    }

    /// Frames of the requested range at the other rate, to the nearest.
    static let rates: [(Int, Range<Int64>, Int)] = [
        (48_000, 0..<Int64.max, 130_612), (48_000, 44_100..<88_200, 48_000), (22_050, 0..<1, 1),
        (96_000, 10_001..<10_002, 2), (8000, 60_000..<Int64.max, 10_884), (44_101, 50_000..<70_000, 20_000),
    ]

    @Test("another rate yields the exact number of frames, at their times", arguments: rates)
    func length(rate: Int, frames: Range<Int64>, count: Int) throws {
        let folder = try Self.write("a.wav")
        let heard = try Self.heard(folder.file("a.wav"), frames, try Self.float(rate: rate))
        #expect(heard.buffer?.frameCount == count)
        #expect(heard.holeCount == 0)
        let start = try #require(heard.start)
        #expect(start.timescale == rate)
        #expect(abs(start.seconds - Double(frames.lowerBound) / 44_100) <= 0.5 / Double(rate))
    }

    @Test("a range equals the same range of the whole", arguments: ["a.wav", "aac.m4a", "cbr.mp3"])
    func part(name: String) throws {
        let folder = try Self.write(name)
        let target = try Self.float(rate: 48_000)
        let whole = try #require(try Self.heard(folder.file(name), 0..<Int64.max, target).buffer)
        // An integral number of frames at both rates: 147 of one are 160 of the other.
        let part = try #require(try Self.heard(folder.file(name), 14_700..<73_500, target).buffer)
        #expect(part.frameCount == 64_000)
        #expect(Signal.distance(part, whole[16_000..<80_000]) < 1e-4)
    }

    @Test("mono is the mean of two channels")
    func mono() throws {
        let folder = try Self.write("a.wav")
        let stereo = try #require(
            try Self.heard(folder.file("a.wav"), 0..<5000, try Self.float(rate: 44_100)).buffer)
        let mono = try #require(
            try Self.heard(folder.file("a.wav"), 0..<5000, try Self.float(rate: 44_100, channels: 1)).buffer)
        #expect(Signal.distance(mono, ChannelMapping(from: .stereo).mono(stereo)) == 0)
    }
}
