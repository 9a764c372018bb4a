import CTuttiFFmpeg
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

@Suite("Whole files decode to the encoded audio")
struct WholeFilesTests {
    static let names = MediaFile.kinds.map(\.name)

    static func rate(_ name: String) -> SampleRate { name.contains("opus") ? .hz48000 : .hz44100 }

    @Test("length and content are exact", arguments: names, [1, 1000, 44_100, 100_003])
    func content(name: String, frameCount: Int) throws {
        // The tools may fail for a few frames: too few packets to be recognized, a padding field that overflows.
        if name == "aac.aac" && frameCount < 44_100 || name.hasSuffix("mp3") && frameCount == 1 { return }
        let folder = try TestFolder()
        let kind = try #require(MediaFile.kinds.first { $0.name == name })
        let original = Signal.sweep(frameCount: frameCount, rate: Self.rate(name))
        try kind.file.write(original, to: folder.file(name))
        let reader = try MediaReader(folder.file(name))
        let run = try DecodedRun(reader)
        #expect(run.corruptPacketCount == 0)
        #expect(reader.warnings.isEmpty)
        #expect(run.start == 0)
        if kind.isLossless {
            var converter = SampleConverter(to: run.buffer.format.sampleFormat)
            #expect(run.buffer == converter.convert(original))
            #expect(reader.info.frameCount == Int64(frameCount))
            #expect(reader.info.bitDepth == (name.contains("24") ? 24 : 16))
            #expect(run.buffer.format.sampleFormat == (name.contains("24") ? .int24in32 : .int16))
            return
        }
        #expect(reader.info.bitDepth == nil)
        #expect(run.buffer.format.sampleFormat == .float32)
        // The library's AAC encoder needs a few packets to find its rate.
        let settled = name.hasPrefix("aac") ? min(frameCount, 8192)..<frameCount : 0..<frameCount
        if name == "aac.aac" {
            // Without a container nothing states the priming.
            #expect(run.buffer.frameCount >= frameCount + 1024)
            let moved = run.buffer[1024..<1024 + frameCount]
            #expect(Signal.distance(moved, original, frames: settled) < 0.03)
            return
        }
        #expect(run.buffer.frameCount == frameCount)
        if frameCount > 1000 { #expect(Signal.distance(run.buffer, original, frames: settled) < 0.08) }
        if name != "opus.webm" { #expect(reader.info.frameCount == Int64(frameCount)) }
    }

    @Test(
        "two halves of one recording join without a gap",
        arguments: ["aac.m4a", "cbr.mp3", "vbr.mp3", "a.opus", "a.ogg", "a.flac"])
    func gapless(name: String) throws {
        let folder = try TestFolder()
        let rate = Self.rate(name)
        let whole = Signal.sweep(frameCount: 90_000, rate: rate)
        var joined: PCMBuffer?
        for (index, range) in [0..<44_444, 44_444..<90_000].enumerated() {
            let path = folder.file("\(index)-\(name)")
            try MediaFile.kind(name).write(whole[range], to: path)
            let half = try DecodedRun(path: path).buffer
            #expect(half.frameCount == range.count)
            if joined == nil { joined = half } else { joined?.append(half) }
        }
        let buffer = try #require(joined)
        // Near the cut the encoders see an abrupt end; elsewhere the halves are aligned.
        #expect(Signal.distance(buffer, whole, frames: 8192..<42_000) < 0.03)
        #expect(Signal.distance(buffer, whole, frames: 44_444 + 8192..<88_000) < 0.03)
        #expect(Signal.distance(buffer, whole, frames: 43_400..<44_400) < 0.25)
    }

    @Test(
        "codecs are named",
        arguments: [
            ("a.wav", AudioCodec.pcm(.integer(bits: 16))), ("a.flac", .flac), ("alac.m4a", .alac),
            ("aac.m4a", .aac),
            ("aac.aac", .aac), ("cbr.mp3", .mp3), ("a.ogg", .vorbis), ("a.opus", .opus),
        ])
    func codec(name: String, codec: AudioCodec) throws {
        let folder = try TestFolder()
        try MediaFile.kind(name).write(
            Signal.sweep(frameCount: 48_000, rate: Self.rate(name)), to: folder.file(name))
        let info = try MediaReader(folder.file(name)).info
        #expect(info.codec == codec)
        #expect(info.channelCount == 2)
        #expect(info.sampleRate == Self.rate(name))
        #expect(info.isSeekable)
        if codec == .aac {
            #expect(info.aacProfile == .lowComplexity)
            #expect(Array(info.cookie.prefix(2)) == [0x12, 0x10])
        }
    }
}
