import CoreMedia
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

@testable import Playback

@Suite("Files as sample buffers")
struct PacketSourceTests {
    static let frameCount = 150_000
    static let names = MediaFile.kinds.map(\.name)

    private static func write(_ name: String) throws -> TestFolder {
        let folder = try TestFolder()
        let rate: SampleRate = name.contains("opus") ? .hz48000 : .hz44100
        try MediaFile.kind(name).write(
            Signal.sweep(frameCount: frameCount, rate: rate), to: folder.file(name))
        return folder
    }

    private static func all(_ source: PacketSource) throws -> [CMSampleBuffer] {
        var buffers: [CMSampleBuffer] = []
        while let buffer = try source.nextBuffer() { buffers.append(buffer) }
        return buffers
    }

    /// Decodes buffers as the renderer does, before any rate conversion.
    private static func rendered(_ buffers: [CMSampleBuffer], _ format: CMFormatDescription) throws
        -> PCMBuffer?
    {
        let rate = SampleRate(hertz: Int(format.audioStreamBasicDescription?.mSampleRate ?? 0)) ?? .hz44100
        let chain = try SourceChain(
            format, origin: .zero,
            to: PCMFormat(sampleRate: rate, channelCount: 2, sampleFormat: .float32))
        var sound: PCMBuffer?
        var end: Int64 = 0
        for stretch in try buffers.flatMap(chain.decode) {
            if sound == nil {
                sound = PCMBuffer(format: stretch.frames.format)
            } else {
                #expect(stretch.timestamp == end)
            }
            end = stretch.timestamp + Int64(stretch.frames.frameCount)
            sound?.append(stretch.frames)
        }
        return sound
    }

    @Test("buffers with trims decode to exactly the file's audio", arguments: names)
    func whole(name: String) throws {
        let folder = try Self.write(name)
        let expected = try DecodedRun(path: folder.file(name)).buffer
        let source = try PacketSource(path: folder.file(name), start: .zero, position: .zero)
        let buffers = try Self.all(source)
        let heard = try HeardSound(buffers)
        #expect(heard.start == .zero)
        #expect(heard.holeCount == 0)
        #expect(heard.buffer == expected)
        #expect(source.end.seconds == Double(expected.frameCount) / Double(expected.format.sampleRate.hertz))
        #expect(try Self.rendered(buffers, source.format) == expected)
        #expect(buffers.dropLast().allSatisfy { $0.duration.seconds >= 1 && $0.duration.seconds < 1.2 })
    }

    @Test("short buffers, too, include the decoder's pre-roll", arguments: names)
    func short(name: String) throws {
        let folder = try Self.write(name)
        let source = try PacketSource(
            MediaReader(folder.file(name)), start: .zero, frames: 100_000..<130_000, seconds: 0.1)
        // Inaudible buffers are not given to a renderer.
        #expect(try Self.all(source).allSatisfy { $0.outputDuration > .zero })
    }

    /// Positions in the middle of packets, at their edges, and one frame long.
    static let ranges: [Range<Int64>] = [
        0..<1, 0..<1024, 44_100..<88_200, 99_999..<100_000, 70_001..<149_999, 149_990..<200_000,
    ]

    @Test("a range yields exactly that range", arguments: names)
    func part(name: String) throws {
        let folder = try Self.write(name)
        let isLossless = MediaFile.kinds.first { $0.name == name }?.isLossless ?? false
        let expected = try DecodedRun(path: folder.file(name)).buffer
        let reader = try MediaReader(folder.file(name))
        for (index, range) in Self.ranges.enumerated() {
            let source = try PacketSource(reader, start: .zero, frames: range, isAnew: index > 0)
            let heard = try HeardSound(try Self.all(source))
            let part = expected[
                Int(range.lowerBound)..<Int(min(range.upperBound, Int64(expected.frameCount)))]
            let found = try #require(heard.buffer, "\(range)")
            #expect(heard.holeCount == 0, "\(range)")
            #expect(found.frameCount == part.frameCount, "\(range)")
            #expect(
                heard.start
                    == CMTime(value: range.lowerBound, timescale: Int32(part.format.sampleRate.hertz)),
                "\(range)")
            if isLossless {
                #expect(found == part, "\(range)")
            } else {
                #expect(Signal.distance(found, part) <= 1 / 32_768, "\(range)")
            }
        }
    }

    @Test("an empty range yields nothing")
    func empty() throws {
        let folder = try Self.write("aac.m4a")
        let reader = try MediaReader(folder.file("aac.m4a"))
        for frames in [500..<500, 150_000..<160_000, 10_000_000..<Int64.max] as [Range<Int64>] {
            let source = try PacketSource(reader, start: .zero, frames: frames)
            let heard = try HeardSound(try Self.all(source))
            #expect(heard.buffer?.isEmpty ?? true, "\(frames)")
        }
    }

    static let formats: [(String, AudioFormatID, UInt32, UInt32)] = [
        ("a.wav", kAudioFormatLinearPCM, 1, 16), ("a24.wav", kAudioFormatLinearPCM, 1, 24),
        ("a.aiff", kAudioFormatLinearPCM, 1, 16), ("a.flac", kAudioFormatFLAC, 0, 16),
        ("a24.flac", kAudioFormatFLAC, 0, 24), ("alac.m4a", kAudioFormatAppleLossless, 4096, 0),
        ("aac.m4a", kAudioFormatMPEG4AAC, 1024, 0), ("aac.aac", kAudioFormatMPEG4AAC, 1024, 0),
        ("cbr.mp3", kAudioFormatMPEGLayer3, 1152, 0), ("a.opus", kAudioFormatOpus, 0, 0),
        ("a.ogg", kAudioFormatLinearPCM, 1, 32),
    ]

    @Test("formats have CoreMedia's names", arguments: formats)
    func format(name: String, format: AudioFormatID, framesPerPacket: UInt32, bits: UInt32) throws {
        let folder = try Self.write(name)
        let source = try PacketSource(path: folder.file(name), start: .zero, position: .zero)
        let description = try #require(source.format.audioStreamBasicDescription)
        #expect(description.mFormatID == format)
        #expect(description.mFramesPerPacket == framesPerPacket)
        #expect(description.mBitsPerChannel == bits)
        #expect(description.mChannelsPerFrame == 2)
        #expect(source.format.audioChannelLayout?.tag == kAudioChannelLayoutTag_Stereo)
        let isBigEndian = description.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
        #expect(isBigEndian == (name == "a.aiff"))
        if name == "alac.m4a" { #expect(description.mFormatFlags == 1) }
    }

    @Test("a position on another timeline is applied")
    func moved() throws {
        let folder = try Self.write("aac.m4a")
        let start = CMTime(value: 500, timescale: 44_100)
        let source = try PacketSource(
            path: folder.file("aac.m4a"), start: start, position: CMTime(value: 1, timescale: 1))
        let heard = try HeardSound(try Self.all(source))
        #expect(heard.start == CMTime(value: 44_600, timescale: 44_100))
        #expect(source.end == CMTime(value: 150_500, timescale: 44_100))
    }
}

extension PacketSource {
    /// Returns a whole file from a position on.
    fileprivate convenience init(path: String, start: CMTime, position: CMTime) throws {
        let reader = try MediaReader(path)
        let scale = CMTimeScale(reader.info.sampleRate.hertz)
        let frame = max(0, position.convertScale(scale, method: .roundTowardZero).value)
        try self.init(reader, start: start, frames: frame..<max(frame, .max))
    }
}
