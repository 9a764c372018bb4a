import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

@Suite("Media information")
struct MediaInfoTests {
    /// Name, the library's name of the encoding, whether the frame count is exact.
    static let files: [(String, String, Bool)] = [
        ("a.wav", "pcm_s16le", true), ("a24.wav", "pcm_s24le", true), ("a.aiff", "pcm_s16be", true),
        ("a.flac", "flac", true), ("alac.m4a", "alac", true), ("aac.m4a", "aac", true),
        ("aac.aac", "aac", false), ("cbr.mp3", "mp3", true), ("vbr.mp3", "mp3", true),
        ("a.ogg", "vorbis", true), ("a.opus", "opus", true), ("opus.webm", "opus", false),
    ]

    @Test("the encoding and the frame count are read", arguments: files)
    func counts(name: String, codecName: String, isExact: Bool) throws {
        let folder = try TestFolder()
        try MediaFile.kind(name).write(
            Signal.sweep(frameCount: 50_001, rate: WholeFilesTests.rate(name)), to: folder.file(name))
        let info = try MediaReader(folder.file(name)).info
        #expect(info.stream.codecName == codecName && info.isFrameCountExact == isExact)
        if isExact { #expect(info.frameCount == 50_001) }
    }

    @Test("a decoder delivers the requested sample format", arguments: SampleFormat.allCases)
    func sampleFormats(sampleFormat: SampleFormat) throws {
        let folder = try TestFolder()
        let path = folder.file("a24.flac")
        try MediaFile.kind("a24.flac").write(Signal.sweep(frameCount: 9000), to: path)
        let natural = try DecodedRun(path: path).buffer
        let reader = try MediaReader(path)
        let decoder = try AudioDecoder(reader.info.stream, sampleFormat: sampleFormat)
        var buffer = PCMBuffer(format: decoder.outputFormat)
        while let packet = try reader.nextPacket() {
            if let audio = decoder.decode(packet) { buffer.append(audio.buffer) }
        }
        if let audio = decoder.drain() { buffer.append(audio.buffer) }
        var converter = SampleConverter(to: sampleFormat)
        #expect(buffer == converter.convert(natural))
    }
}
