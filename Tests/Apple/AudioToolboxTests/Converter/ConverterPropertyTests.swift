import AudioToolbox
import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

@Suite("Properties of audio converters")
struct ConverterPropertyTests {
    private func info(
        _ conversion: Conversion, _ id: AudioConverterPropertyID
    ) -> (status: OSStatus, size: UInt32, isWritable: Bool) {
        var size: UInt32 = 999
        var isWritable = DarwinBoolean(false)
        let status = AudioConverterGetPropertyInfo(conversion.converter, id, &size, &isWritable)
        return (status, size, isWritable.boolValue)
    }

    /// The bytes of a value, or its error code.
    private func value(
        _ conversion: Conversion, _ id: AudioConverterPropertyID, room: Int = 4096
    ) -> Result<[UInt8], Conversion.Status> {
        var bytes = [UInt8](repeating: 0xEE, count: max(1, room))
        var size = UInt32(room)
        let status = AudioConverterGetProperty(conversion.converter, id, &size, &bytes)
        return status == noErr
            ? .success(Array(bytes.prefix(Int(size)))) : .failure(Conversion.Status(code: status))
    }

    private func number(_ conversion: Conversion, _ id: AudioConverterPropertyID) -> UInt32? {
        guard let bytes = try? value(conversion, id).get(), bytes.count == 4 else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }

    private func code(_ conversion: Conversion, _ id: AudioConverterPropertyID, room: Int = 4096) -> OSStatus
    {
        guard case .failure(let status) = value(conversion, id, room: room) else { return noErr }
        return status.code
    }

    private func set(_ conversion: Conversion, _ id: AudioConverterPropertyID, _ bytes: [UInt8]) -> OSStatus {
        AudioConverterSetProperty(conversion.converter, id, UInt32(bytes.count), bytes)
    }

    private static func bytes<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    static let known: [(id: AudioConverterPropertyID, size: UInt32, isWritable: Bool)] = [
        (kAudioConverterCurrentInputStreamDescription, 40, false),
        (kAudioConverterCurrentOutputStreamDescription, 40, false),
        (kAudioConverterSampleRateConverterQuality, 4, true),
        (kAudioConverterSampleRateConverterComplexity, 4, true), (kAudioConverterPrimeMethod, 4, true),
        (kAudioConverterPropertyDithering, 4, true), (kAudioConverterPrimeInfo, 8, true),
        (kAudioConverterPropertyMinimumInputBufferSize, 4, false),
        (kAudioConverterPropertyMinimumOutputBufferSize, 4, false),
        (kAudioConverterPropertyMaximumInputPacketSize, 4, false),
        (kAudioConverterPropertyMaximumOutputPacketSize, 4, false),
        (kAudioConverterPropertyCalculateInputBufferSize, 4, false),
        (kAudioConverterPropertyCalculateOutputBufferSize, 4, false),
    ]

    @Test("a property of every conversion has a size, which a read confirms", arguments: known)
    func knownProperty(id: AudioConverterPropertyID, size: UInt32, isWritable: Bool) throws {
        let conversion = try Conversion(.pcm(16), .float())
        let told = info(conversion, id)
        #expect(told.status == noErr && told.size == size && told.isWritable == isWritable)
        #expect(try value(conversion, id).get().count == Int(size))
        #expect(code(conversion, id, room: Int(size) - 1) == kAudioConverterErr_BadPropertySizeError)
        #expect(AudioConverterGetPropertyInfo(conversion.converter, id, nil, nil) == noErr)
    }

    static let absent: [AudioConverterPropertyID] = [
        kAudioConverterEncodeBitRate, kAudioConverterCodecQuality, kAudioConverterCompressionMagicCookie,
        kAudioConverterDecompressionMagicCookie, kAudioConverterApplicableEncodeBitRates,
        kAudioConverterAvailableEncodeSampleRates, kAudioConverterPropertyBitDepthHint,
        kAudioConverterPropertyFormatList, kAudioConverterInputChannelLayout, 0, .max,
    ]

    @Test(
        "a property that uncompressed sound lacks is not supported, and its size not touched",
        arguments: absent)
    func absentProperty(id: AudioConverterPropertyID) throws {
        let conversion = try Conversion(.pcm(16), .float())
        let told = info(conversion, id)
        #expect(told.status == kAudioConverterErr_PropertyNotSupported && told.size == 999)
        #expect(code(conversion, id) == kAudioConverterErr_PropertyNotSupported)
        if id != kAudioConverterInputChannelLayout {
            #expect(set(conversion, id, [0, 0, 0, 0]) == kAudioConverterErr_PropertyNotSupported)
        }
    }

    @Test("numbers are read back as they were set, and those of a wrong size leave them")
    func numbers() throws {
        let conversion = try Conversion(.pcm(16), .float(rate: 48_000))
        let values: [(AudioConverterPropertyID, UInt32)] = [
            (kAudioConverterSampleRateConverterQuality, kAudioConverterQuality_Max),
            (
                kAudioConverterSampleRateConverterComplexity,
                kAudioConverterSampleRateConverterComplexity_Linear
            ),
            (kAudioConverterPrimeMethod, kConverterPrimeMethod_None),
            (kAudioConverterPropertyDithering, kDitherAlgorithm_TPDF),
        ]
        for (id, wanted) in values {
            #expect(number(conversion, id) != wanted)
            #expect(set(conversion, id, Self.bytes(wanted)) == noErr && number(conversion, id) == wanted)
            for wrong in [[], [1, 2, 3], [1, 2, 3, 4, 5]] as [[UInt8]] {
                #expect(set(conversion, id, wrong) == kAudioConverterErr_BadPropertySizeError)
            }
            #expect(number(conversion, id) == wanted)
        }
        let stream = Self.bytes(AudioStreamBasicDescription.pcm(16))
        #expect(
            set(conversion, kAudioConverterCurrentInputStreamDescription, stream)
                == kAudioConverterErr_PropertyNotSupported)
    }

    @Test("the stream descriptions are those of both sides, with the fields that follow filled in")
    func descriptions() throws {
        let conversion = try Conversion(
            .pcm(16, rate: 48_000), .compressed(kAudioFormatAppleLossless, rate: 48_000))
        let input = try value(conversion, kAudioConverterCurrentInputStreamDescription).get()
        #expect(input == Self.bytes(AudioStreamBasicDescription.pcm(16, rate: 48_000)))
        let target = conversion.target
        #expect(target.mFramesPerPacket == 4096 && target.mBytesPerPacket == 0 && target.mBytesPerFrame == 0)
        #expect(target.mFormatFlags == kAppleLosslessFormatFlag_16BitSourceData)
    }

    static let bufferSizes: [(target: AudioStreamBasicDescription, output: UInt32, input: UInt32)] = [
        (.float(), 8000, 4000), (.float(), 1, 4), (.float(rate: 88_200), 8000, 2000),
        (.pcm(16, channels: 1), 1000, 2000),
        (.float(), 0, 0),
    ]

    @Test("buffer sizes are calculated in both directions", arguments: bufferSizes)
    func bufferSize(target: AudioStreamBasicDescription, output: UInt32, input: UInt32) throws {
        let conversion = try Conversion(.pcm(16), target)
        func calculated(_ id: AudioConverterPropertyID, _ size: UInt32) -> UInt32 {
            var (value, length) = (size, UInt32(4))
            AudioConverterGetProperty(conversion.converter, id, &length, &value)
            return value
        }
        #expect(calculated(kAudioConverterPropertyCalculateInputBufferSize, output) == input)
        if output > 1 {
            #expect(calculated(kAudioConverterPropertyCalculateOutputBufferSize, input) == output)
        }
        #expect(calculated(kAudioConverterPropertyCalculateInputBufferSize, .max) > 0)
    }

    @Test("room calculated for packets of a codec is enough for the packets that come")
    func encodedSize() throws {
        let conversion = try Conversion(.pcm(16), .compressed(kAudioFormatAppleLossless))
        let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .int16)
        let noise = Signal.noise(frameCount: 8192, seed: 9, format: format)
        var (size, length) = (UInt32(noise.bytes.count), UInt32(4))
        AudioConverterGetProperty(
            conversion.converter, kAudioConverterPropertyCalculateOutputBufferSize, &length, &size)
        conversion.steps = [.bytes(noise.bytes, packets: 8192)]
        let packets = try conversion.allPackets()
        let largest = try #require(number(conversion, kAudioConverterPropertyMaximumOutputPacketSize))
        #expect(packets.count == 2 && packets.allSatisfy { $0.count <= Int(largest) })
        #expect(packets.reduce(0) { $0 + $1.count } <= Int(size))
    }

    @Test("an encoder states its rates and its depth; a lossless one has no bit rate")
    func encoders() throws {
        let lossy = try Conversion(.float(), .compressed(kAudioFormatMPEG4AAC))
        #expect(number(lossy, kAudioConverterEncodeBitRate) == 128_000)
        let rates = try value(lossy, kAudioConverterApplicableEncodeBitRates).get()
        #expect(rates.count % 16 == 0 && !rates.isEmpty)
        let lowest = rates.withUnsafeBytes { $0.loadUnaligned(as: AudioValueRange.self) }
        #expect(lowest.mMinimum == 64_000 && lowest.mMaximum == 64_000)
        #expect(set(lossy, kAudioConverterEncodeBitRate, Self.bytes(UInt32(192_000))) == noErr)
        #expect(number(lossy, kAudioConverterEncodeBitRate) == 192_000)
        let lossless = try Conversion(
            .pcm(24), .compressed(kAudioFormatAppleLossless, flags: kAppleLosslessFormatFlag_24BitSourceData))
        #expect(number(lossless, kAudioConverterPropertyBitDepthHint) == 24)
        #expect(code(lossless, kAudioConverterEncodeBitRate) == kAudioConverterErr_PropertyNotSupported)
        #expect(
            set(lossless, kAudioConverterEncodeBitRate, Self.bytes(UInt32(192_000)))
                == kAudioConverterErr_PropertyNotSupported)
        #expect(
            set(lossless, kAudioConverterPrimeInfo, Self.bytes(AudioConverterPrimeInfo()))
                == kAudioConverterErr_PropertyNotSupported)
    }

    @Test("an unknown depth of a lossless destination, and a wrong packet length, are refused")
    func wrongTargets() throws {
        var target = AudioStreamBasicDescription.compressed(
            kAudioFormatAppleLossless, flags: kAppleLosslessFormatFlag_32BitSourceData)
        #expect(throws: Conversion.Status.self) { try Conversion(.pcm(32), target) }
        target.mFormatFlags = 0
        target.mFramesPerPacket = 1024
        #expect(throws: Conversion.Status.self) { try Conversion(.pcm(16), target) }
        target.mFramesPerPacket = 4096
        #expect(try Conversion(.pcm(16), target).target.mFramesPerPacket == 4096)
    }

    // MARK: Channels

    private func layout(_ tag: AudioChannelLayoutTag) -> [UInt8] {
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = tag
        return Self.bytes(layout)
    }

    /// The result of routing one frame whose samples are 1, 2, 3 and so on.
    private func route(_ source: AudioChannelLayoutTag, _ target: AudioChannelLayoutTag) throws -> [Int16] {
        let inputs = AudioChannelLayoutTag_GetNumberOfChannels(source)
        let outputs = AudioChannelLayoutTag_GetNumberOfChannels(target)
        let conversion = try Conversion(.pcm(16, channels: inputs), .pcm(16, channels: outputs))
        #expect(set(conversion, kAudioConverterInputChannelLayout, layout(source)) == noErr)
        #expect(set(conversion, kAudioConverterOutputChannelLayout, layout(target)) == noErr)
        #expect(try value(conversion, kAudioConverterOutputChannelLayout).get() == layout(target))
        let samples = (1...Int16(inputs)).flatMap { Self.bytes($0) }
        conversion.steps = [.bytes(samples, packets: 1)]
        return try conversion.all().withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    static let routes: [(source: AudioChannelLayoutTag, target: AudioChannelLayoutTag, samples: [Int16])] = [
        (kAudioChannelLayoutTag_AAC_5_1, kAudioChannelLayoutTag_MPEG_5_1_A, [2, 3, 1, 6, 4, 5]),
        (kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_AAC_5_1, [3, 1, 2, 5, 6, 4]),
        (kAudioChannelLayoutTag_Quadraphonic, kAudioChannelLayoutTag_MPEG_5_1_A, [1, 2, 0, 0, 3, 4]),
        (kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_Stereo, [1, 2]),
        (kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, [1, 1]),
        (kAudioChannelLayoutTag_DiscreteInOrder | 3, kAudioChannelLayoutTag_DiscreteInOrder | 3, [1, 2, 3]),
        (kAudioChannelLayoutTag_Cube, kAudioChannelLayoutTag_Cube, [1, 2, 3, 4, 5, 6, 7, 8]),
        (kAudioChannelLayoutTag_Unknown | 4, kAudioChannelLayoutTag_Quadraphonic, [1, 2, 3, 4]),
    ]

    @Test("channels go to their places, or keep their number if a layout has none", arguments: routes)
    func places(source: AudioChannelLayoutTag, target: AudioChannelLayoutTag, samples: [Int16]) throws {
        #expect(try route(source, target) == samples)
    }

    @Test("one layout alone changes nothing, nor does one of another number of channels")
    func halfLayouts() throws {
        let conversion = try Conversion(.pcm(16), .pcm(16))
        #expect(
            set(conversion, kAudioConverterInputChannelLayout, layout(kAudioChannelLayoutTag_Stereo)) == noErr
        )
        #expect(
            set(conversion, kAudioConverterOutputChannelLayout, layout(kAudioChannelLayoutTag_MPEG_5_1_A))
                == noErr)
        #expect(
            set(conversion, kAudioConverterOutputChannelLayout, [1, 0, 0, 0])
                == kAudioConverterErr_BadPropertySizeError)
        conversion.steps = [.bytes([1, 0, 2, 0], packets: 1)]
        #expect(try conversion.all() == [1, 0, 2, 0])
    }

    @Test("a channel map is read back; an index outside the input is silence, and a mix map needs every gain")
    func maps() throws {
        let conversion = try Conversion(.pcm(16), .pcm(16, channels: 3))
        let map: [Int32] = [1, 99, .min]
        let bytes = map.flatMap { Self.bytes($0) }
        #expect(set(conversion, kAudioConverterChannelMap, bytes) == noErr)
        #expect(try value(conversion, kAudioConverterChannelMap).get() == bytes)
        #expect(info(conversion, kAudioConverterChannelMap).isWritable)
        let gains = [UInt8](repeating: 0, count: 4 * 5)
        #expect(
            set(conversion, kAudioConverterPropertyChannelMixMap, gains)
                == kAudioConverterErr_BadPropertySizeError)
        #expect(
            set(conversion, kAudioConverterChannelMap, Array(bytes.dropLast()))
                == kAudioConverterErr_BadPropertySizeError)
        conversion.steps = [.bytes([1, 0, 2, 0], packets: 1)]
        #expect(try conversion.all() == [2, 0, 0, 0, 0, 0])
        // A mix map takes the place of the channel map.
        #expect(set(conversion, kAudioConverterPropertyChannelMixMap, gains + [0, 0, 0, 0]) == noErr)
        #expect(code(conversion, kAudioConverterChannelMap) == kAudioConverterErr_PropertyNotSupported)
        conversion.steps = [.bytes([1, 0, 2, 0], packets: 1)]
        #expect(try conversion.all() == [0, 0, 0, 0, 0, 0])
    }
}
