import AVFoundation
import Testing

// Apple raises an exception here: a debug build stops, a release build ignores the call.

/// Calls that no correct program makes.
enum AudioMisuse: String, CaseIterable, Codable {
    case longBuffer, manyPackets, manyBytes, linearPackets, formatWithoutChannels, otherCommonFormat
    case rateThatIsNoNumber, formatOfPictures, placeBeforeTheStart

    private static let aac = AudioStreamBasicDescription(
        mSampleRate: 44_100, mFormatID: kAudioFormatMPEG4AAC, mFormatFlags: 0, mBytesPerPacket: 0,
        mFramesPerPacket: 1024, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0, mReserved: 0)

    private static func packets() throws -> AVAudioCompressedBuffer {
        let format = AVAudioFormat(
            cmAudioFormatDescription: try CMFormatDescription(audioStreamBasicDescription: aac))
        return AVAudioCompressedBuffer(format: format, packetCapacity: 2, maximumPacketSize: 10)
    }

    private static func format(
        _ common: AVAudioCommonFormat, _ rate: Double, _ tag: AudioChannelLayoutTag
    ) throws -> AVAudioFormat {
        let layout = try #require(AVAudioChannelLayout(layoutTag: tag))
        return AVAudioFormat(commonFormat: common, sampleRate: rate, interleaved: true, channelLayout: layout)
    }

    /// Makes the call.
    ///
    /// - Returns: Whether the call had no effect.
    func isWithoutEffect() throws -> Bool {
        let standard = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        switch self {
        case .longBuffer:
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: standard, frameCapacity: 10))
            buffer.frameLength = 11
            return buffer.frameLength == 0
        case .manyPackets:
            let buffer = try Self.packets()
            buffer.packetCount = 3
            return buffer.packetCount == 0
        case .manyBytes:
            let buffer = try Self.packets()
            buffer.byteLength = 21
            return buffer.byteLength == 0
        case .linearPackets:
            let buffer = AVAudioCompressedBuffer(format: standard, packetCapacity: 2, maximumPacketSize: .max)
            return buffer.packetCapacity == 0 && buffer.byteCapacity == 0
        case .formatWithoutChannels:
            return try Self.format(.pcmFormatInt16, 44_100, kAudioChannelLayoutTag_DiscreteInOrder)
                .channelCount == 0
        case .otherCommonFormat:
            return try Self.format(.otherFormat, 44_100, kAudioChannelLayoutTag_Stereo).channelCount == 0
        case .rateThatIsNoNumber:
            return try Self.format(.pcmFormatInt16, .nan, kAudioChannelLayoutTag_Stereo).sampleRate == 0
        case .formatOfPictures:
            let pictures = try CMFormatDescription(videoCodecType: .h264, width: 4, height: 4)
            return AVAudioFormat(cmAudioFormatDescription: pictures).channelCount == 0
        case .placeBeforeTheStart:
            let folder = try SoundFolder()
            let sound = WaveSound(samples: .integer(bits: 16))
            let file = try AVAudioFile(forReading: try folder.write(sound.bytes, to: "a.wav"))
            file.framePosition = -1
            return file.framePosition == 0
        }
    }
}

@Suite("API misuse: audio")
struct AudioMisuseTests {
    #if DEBUG
    @Test("misuse stops a debug build", arguments: AudioMisuse.allCases)
    func stops(misuse: AudioMisuse) async {
        await #expect(processExitsWith: .failure) { [misuse] in
            // An error, or no stop, ends the process normally.
            _ = try? misuse.isWithoutEffect()
        }
    }
    #else
    @Test("misuse has no effect in a release build", arguments: AudioMisuse.allCases)
    func isIgnored(misuse: AudioMisuse) throws {
        #expect(try misuse.isWithoutEffect())
    }
    #endif
}
