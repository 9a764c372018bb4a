import AVFoundation
import Testing

@Suite("Reading audio files")
struct AVAudioFileTests {
    static let commons: [AVAudioCommonFormat] = [
        .pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32,
    ]

    /// Returns the sample of a channel as a number in the buffer's format.
    static func sample(_ buffer: AVAudioPCMBuffer, _ frame: Int, _ channel: Int) -> Double? {
        let place = frame * buffer.stride
        switch buffer.format.commonFormat {
        case .pcmFormatFloat32: return (buffer.floatChannelData?[channel][place]).map(Double.init)
        case .pcmFormatInt16: return (buffer.int16ChannelData?[channel][place]).map(Double.init)
        case .pcmFormatInt32: return (buffer.int32ChannelData?[channel][place]).map(Double.init)
        case .pcmFormatFloat64, .otherFormat:
            let list = UnsafeMutableAudioBufferListPointer(
                UnsafeMutablePointer(mutating: buffer.audioBufferList))
            let samples = UnsafeBufferPointer<Double>(list[list.count > 1 ? channel : 0])
            return samples[list.count > 1 ? frame : place + channel]
        }
    }

    /// Returns the same sample of the source, by the rules of conversion.
    static func expected(
        _ sound: WaveSound, _ format: AVAudioCommonFormat, _ frame: Int, _ channel: Int
    ) -> Double {
        if case .float = sound.samples {
            let value = Double(sound.float(frame, channel))
            switch format {
            case .pcmFormatInt16:
                return min(max((value * 0x1p15).rounded(.toNearestOrEven), -0x1p15), 0x1p15 - 1)
            case .pcmFormatInt32:
                return min(max((value * 0x1p31).rounded(.toNearestOrEven), -0x1p31), 0x1p31 - 1)
            default: return value
            }
        }
        let word = sound.word(frame, channel)
        switch format {
        case .pcmFormatInt16: return min((Double(word) / 0x1p16 + 0.5).rounded(.down), 0x1p15 - 1)
        case .pcmFormatInt32: return Double(word)
        case .pcmFormatFloat32: return Double(Float(word) / 0x1p31)
        default: return Double(word) / 0x1p31
        }
    }

    static func expectFrames(
        _ buffer: AVAudioPCMBuffer, of sound: WaveSound, from start: Int,
        _ location: SourceLocation = #_sourceLocation
    ) {
        for frame in 0..<Int(buffer.frameLength) {
            for channel in 0..<sound.channelCount {
                let found = sample(buffer, frame, channel)
                let wanted = expected(sound, buffer.format.commonFormat, start + frame, channel)
                if found != wanted {
                    Issue.record(
                        "frame \(start + frame), channel \(channel): \(found ?? .nan) is not \(wanted)",
                        sourceLocation: location)
                    return
                }
            }
        }
    }

    @Test("every source sample format reads into every common format", arguments: WaveSound.kinds, commons)
    func formats(sound: WaveSound, common: AVAudioCommonFormat) throws {
        let folder = try SoundFolder()
        for (channels, interleaved) in [(1, true), (2, true), (2, false), (6, true), (6, false)] {
            var sound = sound
            sound.channelCount = channels
            let url = try folder.write(sound.bytes, to: "a.wav")
            let file = try AVAudioFile(forReading: url, commonFormat: common, interleaved: interleaved)
            let format = file.processingFormat
            #expect(file.url == url && file.length == 1000 && file.framePosition == 0)
            #expect(format.commonFormat == common && format.isInterleaved == interleaved)
            #expect(format.channelCount == UInt32(channels) && format.sampleRate == 44_100)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 2000))
            try file.read(into: buffer)
            #expect(buffer.frameLength == 1000 && file.framePosition == 1000)
            Self.expectFrames(buffer, of: sound, from: 0)
        }
    }

    @Test("the file format describes the stored data", arguments: WaveSound.kinds)
    func fileFormat(sound: WaveSound) throws {
        let folder = try SoundFolder()
        let file = try AVAudioFile(forReading: try folder.write(sound.bytes, to: "a.wav"))
        let stream = file.fileFormat.streamDescription.pointee
        #expect(stream.mFormatID == kAudioFormatLinearPCM && Int(stream.mBitsPerChannel) == sound.bits)
        #expect(Int(stream.mBytesPerFrame) == sound.bits / 4 && file.fileFormat.isInterleaved)
        let kind: AudioFormatFlags =
            if case .float = sound.samples { 1 } else { sound.bits == 8 ? 0 : 4 }
        #expect(stream.mFormatFlags == kind | 8 && file.fileFormat.magicCookie == nil)
        #expect(file.processingFormat.isStandard && file.processingFormat.channelLayout == nil)
        let surround = WaveSound(samples: sound.samples, channelCount: 6)
        let other = try AVAudioFile(forReading: try folder.write(surround.bytes, to: "b.wav"))
        #expect(other.processingFormat.channelLayout?.layoutTag == kAudioChannelLayoutTag_MPEG_5_1_A)
        #expect(other.fileFormat.channelLayout == other.processingFormat.channelLayout)
    }

    static let sound = WaveSound(samples: .integer(bits: 16), frameCount: 20_000)

    static func open(_ folder: SoundFolder) throws -> AVAudioFile {
        try AVAudioFile(forReading: try folder.write(sound.bytes, to: "a.wav"))
    }

    static func buffer(_ file: AVAudioFile, _ capacity: AVAudioFrameCount) throws -> AVAudioPCMBuffer {
        try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: capacity))
    }

    @Test(
        "chunked reads of any size yield the same frames",
        arguments: [1, 7, 512, 4096, 9999] as [AVAudioFrameCount])
    func pieces(size: AVAudioFrameCount) throws {
        let folder = try SoundFolder()
        let file = try Self.open(folder)
        file.framePosition = size == 1 ? 19_000 : 0
        let buffer = try Self.buffer(file, size)
        while file.framePosition < file.length {
            let start = Int(file.framePosition)
            try file.read(into: buffer)
            #expect(Int(buffer.frameLength) == min(Int(size), 20_000 - start))
            Self.expectFrames(buffer, of: Self.sound, from: start)
            #expect(file.framePosition == Int64(start) + Int64(buffer.frameLength))
        }
        #expect(file.framePosition == 20_000)
    }

    @Test("reads from any position, in any order, yield the right frames")
    func places() throws {
        let folder = try SoundFolder()
        let file = try Self.open(folder)
        let buffer = try Self.buffer(file, 50)
        for start in [0, 19_999, 5, 5, 4, 10_000, 10_050, 10_020, 9_000, 19_960, 0, 12_345] {
            file.framePosition = Int64(start)
            #expect(file.framePosition == Int64(start))
            try file.read(into: buffer)
            #expect(Int(buffer.frameLength) == min(50, 20_000 - start))
            Self.expectFrames(buffer, of: Self.sound, from: start)
        }
    }

    @Test("a request larger than the rest of the file returns fewer frames")
    func fewer() throws {
        let folder = try SoundFolder()
        let file = try Self.open(folder)
        let buffer = try Self.buffer(file, 100)
        try file.read(into: buffer, frameCount: 30)
        #expect(buffer.frameLength == 30 && file.framePosition == 30)
        try file.read(into: buffer, frameCount: 1000)
        #expect(buffer.frameLength == 100 && file.framePosition == 130)
        Self.expectFrames(buffer, of: Self.sound, from: 30)
        try file.read(into: buffer, frameCount: 0)
        #expect(buffer.frameLength == 0 && file.framePosition == 130)
    }

    private static func code(_ body: () throws -> Void) -> OSStatus? {
        do {
            try body()
            return nil
        } catch {
            let error = error as NSError
            #expect(error.domain == "com.apple.coreaudio.avfaudio" && !error.localizedDescription.isEmpty)
            return OSStatus(error.code)
        }
    }

    @Test(
        "at the end a read throws, empties the buffer and keeps the position; after a seek back reading continues"
    )
    func end() throws {
        let folder = try SoundFolder()
        let file = try Self.open(folder)
        let buffer = try Self.buffer(file, 50)
        for place in [20_000, 20_001, Int64.max] {
            file.framePosition = place
            buffer.frameLength = 50
            #expect(Self.code { try file.read(into: buffer) } == kAudioFileEndOfFileError)
            #expect(buffer.frameLength == 0 && file.framePosition == place && file.length == 20_000)
        }
        file.framePosition = 19_990
        try file.read(into: buffer)
        #expect(buffer.frameLength == 10)
        Self.expectFrames(buffer, of: Self.sound, from: 19_990)
        #expect(Self.code { try file.read(into: buffer) } == kAudioFileEndOfFileError)
    }

    @Test("a buffer of another format is refused and left untouched")
    func foreignBuffer() throws {
        let folder = try SoundFolder()
        let file = try Self.open(folder)
        for (common, rate, interleaved) in [
            (.pcmFormatInt16, 44_100, false), (.pcmFormatFloat32, 48_000, false),
            (.pcmFormatFloat32, 44_100, true),
        ] as [(AVAudioCommonFormat, Double, Bool)] {
            let format = try #require(
                AVAudioFormat(commonFormat: common, sampleRate: rate, channels: 2, interleaved: interleaved))
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 10))
            buffer.frameLength = 7
            #expect(Self.code { try file.read(into: buffer) } == kAudio_ParamError)
            #expect(buffer.frameLength == 7 && file.framePosition == 0)
        }
    }

    @Test("a truncated file ends where its data ends: a loop up to the length ends, too")
    func truncated() throws {
        let folder = try SoundFolder()
        let bytes = Array(Self.sound.bytes[..<(44 + 15_000 * 4 + 2)])
        let file = try AVAudioFile(forReading: try folder.write(bytes, to: "cut.wav"))
        let buffer = try Self.buffer(file, 4096)
        var count = 0
        while file.framePosition < file.length {
            let start = Int(file.framePosition)
            try file.read(into: buffer)
            Self.expectFrames(buffer, of: Self.sound, from: start)
            count += Int(buffer.frameLength)
            try #require(buffer.frameLength > 0)
        }
        #expect(count == 15_000 && file.length == 15_000)
        #expect(Self.code { try file.read(into: buffer) } == kAudioFileEndOfFileError)
    }

    @Test("a file that cannot be opened reports the cause as an error code")
    func refused() throws {
        let folder = try SoundFolder()
        func code(_ url: URL) -> OSStatus? { Self.code { _ = try AVAudioFile(forReading: url) } }
        #expect(code(folder.url.appendingPathComponent("none.wav")) == kAudioFileUnspecifiedError)
        #expect(code(folder.url) == kAudioFileUnspecifiedError)
        #expect(code(try folder.write([], to: "empty.wav")) == kAudioFileInvalidFileError)
        let text = try folder.write(Array(repeating: 65, count: 5000), to: "text.wav")
        #expect(code(text) == kAudioFileUnsupportedFileTypeError)
        let address = try #require(URL(string: "http://localhost:1/a.wav"))
        #expect(code(address) == kAudioFileUnspecifiedError)
        let url = try folder.write(Self.sound.bytes, to: "a.wav")
        let other = Self.code {
            _ = try AVAudioFile(forReading: url, commonFormat: .otherFormat, interleaved: true)
        }
        #expect(other == kAudio_ParamError)
        #expect(kAudioFileUnspecifiedError == 2_003_334_207)
        #expect(kAudioFileUnsupportedFileTypeError == 1_954_115_647)
    }

    @Test("a closed file returns no more frames")
    func closed() throws {
        let folder = try SoundFolder()
        let file = try Self.open(folder)
        let buffer = try Self.buffer(file, 50)
        #expect(file.isOpen)
        file.close()
        #expect(!file.isOpen && file.length == 0)
        #expect(Self.code { try file.read(into: buffer) } == kAudioFileNotOpenError)
    }

    @Test("concurrent reads of one file return every frame once")
    func threads() async throws {
        let folder = try SoundFolder()
        let file = try Self.open(folder)
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let buffer = try Self.buffer(file, 100)
                    var count = 0
                    for _ in 0..<60 {
                        do { try file.read(into: buffer) } catch { break }
                        count += Int(buffer.frameLength)
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(total == 20_000 && file.framePosition == 20_000)
    }
}
