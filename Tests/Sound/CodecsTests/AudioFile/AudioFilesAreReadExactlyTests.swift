import AVFoundation
import CTuttiFFmpeg
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

/// The tests are in this module because only it can write files of every kind.
@Suite("AVAudioFile reads every kind of file to the frame")
struct AudioFilesAreReadExactlyTests {
    static let frameCount = 60_000
    static let names = MediaFile.kinds.map(\.name)

    static func write(_ name: String, to folder: TestFolder, frameCount: Int = frameCount) throws -> URL {
        let kind = try #require(MediaFile.kinds.first { $0.name == name })
        let sound = Signal.sweep(frameCount: frameCount, rate: WholeFilesTests.rate(name))
        try kind.file.write(sound, to: folder.file(name))
        return URL(fileURLWithPath: folder.file(name))
    }

    /// Returns a file's frames, interleaved, read in pieces of `size` until the end.
    static func samples(_ file: AVAudioFile, pieces size: AVAudioFrameCount) throws
        -> [Float]
    {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: size))
        var samples: [Float] = []
        while file.framePosition < file.length {
            try file.read(into: buffer)
            let channels = try #require(buffer.floatChannelData)
            for frame in 0..<Int(buffer.frameLength) { samples += [channels[0][frame], channels[1][frame]] }
        }
        return samples
    }

    /// Returns the same by the decoder alone.
    static func decoded(_ path: String) throws -> [Float] {
        var converter = SampleConverter(to: .float32)
        return converter.convert(try DecodedRun(path: path).buffer).floatSamples
    }

    @Test(
        "chunked reads of any size return all frames, and the length is known before the first read",
        arguments: names)
    func whole(name: String) throws {
        let folder = try TestFolder()
        let url = try Self.write(name, to: folder)
        let expected = try Self.decoded(url.path)
        for size in [997, 200_000] as [AVAudioFrameCount] {
            let file = try AVAudioFile(forReading: url)
            #expect(file.length == Int64(expected.count / 2))
            #expect(try Self.samples(file, pieces: size) == expected)
            #expect(file.framePosition == file.length)
        }
        // Without a container nothing separates priming from audio.
        if name != "aac.aac" { #expect(expected.count == Self.frameCount * 2) }
    }

    static let places = [0, 1, 700, 4096, 30_001, 30_000, 50_999, 59_990, 12_345, 12_344, 0]

    @Test("a read from any position returns the same frames as a read in order", arguments: names)
    func seek(name: String) throws {
        let folder = try TestFolder()
        let url = try Self.write(name, to: folder)
        let isLossless = MediaFile.kinds.first { $0.name == name }?.isLossless == true
        let whole = try Self.decoded(url.path)
        let file = try AVAudioFile(forReading: url)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 3000))
        for place in Self.places {
            file.framePosition = Int64(place)
            try file.read(into: buffer)
            let count = min(3000, whole.count / 2 - place)
            #expect(Int(buffer.frameLength) == count && file.framePosition == Int64(place + count))
            let channels = try #require(buffer.floatChannelData)
            var distance: Float = 0
            for frame in 0..<min(count, Int(buffer.frameLength)) {
                for channel in 0..<2 {
                    let expected = whole[(place + frame) * 2 + channel]
                    distance = max(distance, abs(channels[channel][frame] - expected))
                }
            }
            // A decoder that starts in the middle rounds its sums in another order.
            #expect(distance <= (isLossless ? 0 : 1 / 32_768), "from \(place)")
        }
    }

    /// Encoding, frames of a packet, flags, whether there is a cookie.
    static let formats: [(String, AudioFormatID, UInt32, AudioFormatFlags, Bool)] = [
        ("a.aiff", kAudioFormatLinearPCM, 1, 4 | 8 | 2, false),
        ("a24.wav", kAudioFormatLinearPCM, 1, 4 | 8, false), ("a.flac", kAudioFormatFLAC, 0, 1, true),
        ("a24.flac", kAudioFormatFLAC, 0, 3, true), ("alac.m4a", kAudioFormatAppleLossless, 4096, 1, true),
        ("alac24.m4a", kAudioFormatAppleLossless, 4096, 3, true),
        ("aac.m4a", kAudioFormatMPEG4AAC, 1024, 0, true), ("aac.aac", kAudioFormatMPEG4AAC, 1024, 0, true),
        ("vbr.mp3", kAudioFormatMPEGLayer3, 1152, 0, false), ("a.opus", kAudioFormatOpus, 0, 0, true),
    ]

    @Test("the file format describes the stored data", arguments: formats)
    func fileFormat(
        name: String, format: AudioFormatID, framesPerPacket: UInt32, flags: AudioFormatFlags, hasCookie: Bool
    ) throws {
        let folder = try TestFolder()
        let file = try AVAudioFile(forReading: try Self.write(name, to: folder, frameCount: 48_000))
        let stream = file.fileFormat.streamDescription.pointee
        #expect(stream.mFormatID == format && stream.mFramesPerPacket == framesPerPacket)
        #expect(stream.mFormatFlags == flags && stream.mChannelsPerFrame == 2)
        #expect((file.fileFormat.magicCookie != nil) == hasCookie)
        #expect(file.fileFormat.sampleRate == Double(WholeFilesTests.rate(name).hertz))
    }

    @Test("a long file without a stored length is counted without decoding, then read in one pass")
    func unknownLength() throws {
        let folder = try TestFolder()
        // The encoder's header frame holds the number of frames; without it there is only a bit rate.
        let url = try Self.write("vbr.mp3", to: folder)
        let bytes = try TestFolder.bytes(of: url.path)
        let start = try #require(Self.secondFrame(of: bytes))
        let bare = try folder.write(Array(bytes[start...]), to: "bare.mp3")
        #expect(try !MediaReader(bare).info.isFrameCountExact)
        let file = try AVAudioFile(forReading: URL(fileURLWithPath: bare))
        let expected = try Self.decoded(bare)
        #expect(file.length == Int64(expected.count / 2))
        #expect(try Self.samples(file, pieces: 4096) == expected)
        #expect(file.length == Int64(expected.count / 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 10))
        for place in [file.length, .max / 2, .max - 1, .max] {
            file.framePosition = place
            #expect(throws: (any Error).self) { try file.read(into: buffer) }
            #expect(buffer.frameLength == 0 && file.framePosition == place)
        }
    }

    @Test("a container with rounded times loses no frame, and the final length is right")
    func roundedTimes() throws {
        let folder = try TestFolder()
        let (count, path) = (30_001, folder.file("a.mka"))
        try MediaFile(codec: "flac", sampleFormat: AV_SAMPLE_FMT_S16).write(
            Signal.sweep(frameCount: count), to: path)
        let file = try AVAudioFile(forReading: URL(fileURLWithPath: path))
        #expect(abs(file.length - Int64(count)) <= 2 * 45)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 40_000))
        try file.read(into: buffer)
        #expect(Int(buffer.frameLength) == count && file.length == Int64(count))
    }

    /// Returns where the second MPEG frame begins: after the one that starts with a sync word and holds `Xing` or
    /// `Info`.
    private static func secondFrame(of bytes: [UInt8]) -> Int? {
        let header = bytes.indices.first { index in
            ["Xing", "Info"].contains { bytes[index...].starts(with: $0.utf8) }
        }
        guard let header else { return nil }
        let sync = Array(bytes[(header - 36)..<(header - 34)])
        return (header + 40..<bytes.count - 1).first { bytes[$0] == sync[0] && bytes[$0 + 1] == sync[1] }
    }

    @Test("16 bit to 16 bit and 24 bit to 32 bit changes no bit", arguments: ["a.flac", "alac24.m4a"])
    func lossless(name: String) throws {
        let folder = try TestFolder()
        let url = try Self.write(name, to: folder)
        let is24Bit = name.contains("24")
        let file = try AVAudioFile(
            forReading: url, commonFormat: is24Bit ? .pcmFormatInt32 : .pcmFormatInt16, interleaved: true)
        let count = AVAudioFrameCount(Self.frameCount)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: count))
        try file.read(into: buffer)
        let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: buffer.audioBufferList))
        let original = try DecodedRun(path: url.path).buffer
        if is24Bit {
            #expect(Array(UnsafeBufferPointer<Int32>(list[0])) == original.int32Samples)
        } else {
            #expect(Array(UnsafeBufferPointer<Int16>(list[0])) == original.int16Samples)
        }
    }
}
