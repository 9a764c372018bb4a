import AudioToolbox
import Testing

@Suite("Samples of every layout")
struct SampleLayoutTests {
    private static let signed = kAudioFormatFlagIsSignedInteger
    private static let float = kAudioFormatFlagIsFloat
    private static let big = kAudioFormatFlagIsBigEndian
    private static let high = kAudioFormatFlagIsAlignedHigh

    /// One layout, its bytes, and their 16-bit samples.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var stream: AudioStreamBasicDescription
        var bytes: [UInt8]
        var samples: [Int16]
        /// Whether these are the only bytes for the samples.
        var isPlain: Bool

        var testDescription: String { name }

        init(
            _ name: String, _ stream: AudioStreamBasicDescription, _ bytes: [UInt8], _ samples: [Int16],
            isPlain: Bool = true
        ) {
            (self.name, self.stream, self.bytes, self.samples) = (name, stream, bytes, samples)
            self.isPlain = isPlain
        }
    }

    private static func mono(
        _ bits: UInt32, _ flags: AudioFormatFlags, bytes: UInt32? = nil
    ) -> AudioStreamBasicDescription { .pcm(bits, channels: 1, flags: flags, bytes: bytes) }

    private static func bytes<Value>(_ values: [Value]) -> [UInt8] {
        values.flatMap { withUnsafeBytes(of: $0) { Array($0) } }
    }

    static let layouts: [Row] = [
        Row("8 bits, unsigned", mono(8, 0), [0x80, 0xFF, 0x00], [0, 0x7F00, -0x8000]),
        Row("8 bits, signed", mono(8, signed), [0, 0x7F, 0x80], [0, 0x7F00, -0x8000]),
        Row("16 bits, unsigned", mono(16, 0), [0, 0x80, 0xFF, 0xFF, 0, 0], [0, 0x7FFF, -0x8000]),
        Row("16 bits, big-endian", mono(16, signed | big), [0x12, 0x34, 0xFF, 0xFE], [0x1234, -2]),
        Row(
            "12 bits, at the lower end", mono(12, signed, bytes: 2), [0xFF, 0x07, 0x00, 0x08, 0x00, 0xF8],
            [0x7FF0, -0x8000, -0x8000], isPlain: false),
        Row(
            "12 bits, at the upper end, with junk below", mono(12, signed | high, bytes: 2),
            [0xFF, 0x7F, 0x0F, 0x80], [0x7FF0, -0x8000], isPlain: false),
        Row(
            "24 bits, big-endian", mono(24, signed | big), [0x12, 0x34, 0x00, 0xED, 0xCC, 0x00],
            [0x1234, -0x1234]),
        Row(
            "24 bits in four bytes, at the lower end", mono(24, signed, bytes: 4),
            [0x00, 0x34, 0x12, 0x00, 0x00, 0xCC, 0xED, 0xFF], [0x1234, -0x1234]),
        Row("32 bits, unsigned", mono(32, 0), [0, 0, 0, 0x80, 0, 0, 0x34, 0x92], [0, 0x1234]),
        Row(
            "floating point beyond full scale", mono(32, float), bytes([Float(0.5), 7, -7, .infinity, .nan]),
            [0x4000, 0x7FFF, -0x8000, 0x7FFF, 0], isPlain: false),
        Row(
            "64-bit floating point", mono(64, float), bytes([0.25, -1.0, 1e300, -1e300]),
            [0x2000, -0x8000, 0x7FFF, -0x8000], isPlain: false),
        Row(
            "64-bit floating point, big-endian", mono(64, float | big),
            bytes([(0.25).bitPattern.byteSwapped, (-0.5).bitPattern.byteSwapped]), [0x2000, -0x4000]),
        Row(
            "µ-law", .compressed(kAudioFormatULaw, channels: 1), [0x00, 0x80, 0xFF, 0x7F, 0xF0],
            [-32_124, 32_124, 0, 0, 120]),
        Row(
            "A-law", .compressed(kAudioFormatALaw, channels: 1), [0xD5, 0x55, 0xAA, 0x2A],
            [8, -8, 32_256, -32_256]),
    ]

    @Test("a layout is read as the samples that its standard says", arguments: layouts)
    func reading(row: Row) throws {
        let conversion = try Conversion(row.stream, .pcm(16, channels: 1))
        conversion.steps = [.bytes(row.bytes, packets: row.samples.count)]
        #expect(try conversion.all() == Self.bytes(row.samples))
    }

    @Test(
        "samples written in a layout are the same when they are read again",
        arguments: layouts.filter { $0.stream.mFormatID == kAudioFormatLinearPCM })
    func writing(row: Row) throws {
        let conversion = try Conversion(.pcm(16, channels: 1), row.stream)
        conversion.steps = [.bytes(Self.bytes(row.samples), packets: row.samples.count)]
        let made = try conversion.all()
        #expect(made.count == row.bytes.count)
        if row.isPlain { #expect(made == row.bytes) }
        let back = try Conversion(row.stream, .pcm(16, channels: 1))
        back.steps = [.bytes(made, packets: row.samples.count)]
        #expect(try back.all() == Self.bytes(row.samples))
    }

    @Test("a sample between two steps of a narrow layout is rounded to the nearest, and full scale is cut")
    func rounding() throws {
        let conversion = try Conversion(.pcm(16, channels: 1), Self.mono(8, 0))
        let samples: [Int16] = [0, 0x7F, 0x80, -0x80, -0x81, 0x7FFF, -0x8000]
        conversion.steps = [.bytes(Self.bytes(samples), packets: samples.count)]
        #expect(try conversion.all() == [0x80, 0x80, 0x81, 0x80, 0x7F, 0xFF, 0x00])
    }

    @Test("the bits above a right-aligned sample repeat its sign, or are zero without a sign")
    func rightAligned() throws {
        let signed = try Conversion(.pcm(16, channels: 1), Self.mono(12, Self.signed, bytes: 2))
        signed.steps = [.bytes(Self.bytes([Int16(-0x10), 0x10]), packets: 2)]
        #expect(try signed.all() == [0xFF, 0xFF, 0x01, 0x00])
        let unsigned = try Conversion(.pcm(16, channels: 1), Self.mono(12, 0, bytes: 2))
        unsigned.steps = [.bytes(Self.bytes([Int16(-0x10), 0x10]), packets: 2)]
        #expect(try unsigned.all() == [0xFF, 0x07, 0x01, 0x08])
    }

    static let invalid: [AudioStreamBasicDescription] = [
        mono(7, signed, bytes: 1), mono(16, signed, bytes: 1), mono(32, signed, bytes: 5), mono(0, signed),
        mono(16, float), mono(64, float, bytes: 4), .pcm(16, channels: 65), .pcm(16, rate: 0),
        .pcm(16, rate: -44_100), .pcm(16, rate: .infinity),
        AudioStreamBasicDescription(
            mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM, mFormatFlags: signed, mBytesPerPacket: 3,
            mFramesPerPacket: 1, mBytesPerFrame: 3, mChannelsPerFrame: 2, mBitsPerChannel: 16, mReserved: 0),
    ]

    @Test("an impossible layout is refused on either side", arguments: invalid)
    func refusals(stream: AudioStreamBasicDescription) {
        #expect(throws: Conversion.Status.self) { try Conversion(stream, .pcm(16)) }
        if stream.mSampleRate != 0 {
            #expect(throws: Conversion.Status.self) { try Conversion(.pcm(16), stream) }
        }
    }

    @Test("a missing rate, channel count and frame size of the destination follow from the source")
    func completion() throws {
        var target = AudioStreamBasicDescription()
        (target.mFormatID, target.mBitsPerChannel) = (kAudioFormatLinearPCM, 16)
        target.mFormatFlags = Self.signed
        let conversion = try Conversion(.pcm(16, rate: 32_000, channels: 1), target)
        conversion.steps = [.bytes([1, 2, 3, 4], packets: 2)]
        #expect(try conversion.all() == [1, 2, 3, 4])
        #expect(conversion.target.mSampleRate == 32_000 && conversion.target.mChannelsPerFrame == 1)
    }

    // MARK: Planes

    private static let planar = AudioStreamBasicDescription.pcm(
        16, flags: signed | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved)

    /// The result of one call for frames in planes.
    private func convert(
        _ conversion: Conversion, _ planes: [[Int16]], frames: UInt32, room: Int, buffers: Int = 1
    ) -> (status: OSStatus, sizes: [UInt32], first: [Int16]) {
        let (input, output) = (
            AudioBufferList.allocate(maximumBuffers: planes.count),
            AudioBufferList.allocate(maximumBuffers: buffers)
        )
        defer {
            free(input.unsafeMutablePointer)
            free(output.unsafeMutablePointer)
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
        let target = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * buffers, alignment: 16)
        defer {
            memory.deallocate()
            target.deallocate()
        }
        target.initializeMemory(as: UInt8.self, repeating: 0)
        for index in planes.indices {
            let place = UnsafeMutableRawBufferPointer(rebasing: memory[index * 16..<(index + 1) * 16])
            planes[index].withUnsafeBytes { place.copyMemory(from: $0) }
            input[index] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(planes[index].count * 2), mData: place.baseAddress)
        }
        for index in 0..<buffers {
            output[index] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(room),
                mData: target.baseAddress.map { $0 + 64 * index })
        }
        let status = AudioConverterConvertComplexBuffer(
            conversion.converter, frames, input.unsafePointer, output.unsafeMutablePointer)
        let count = status == noErr ? Int(output[0].mDataByteSize) / 2 : 0
        let samples = Array(target.bindMemory(to: Int16.self).prefix(count))
        return (status, output.map(\.mDataByteSize), samples)
    }

    @Test("planes are interleaved in one call, of the frames asked for and no more")
    func interleaving() throws {
        let conversion = try Conversion(Self.planar, .pcm(16))
        let all = convert(conversion, [[1, 2, 3], [4, 5, 6]], frames: 3, room: 12)
        #expect(all.status == noErr && all.first == [1, 4, 2, 5, 3, 6] && all.sizes == [12])
        let some = convert(conversion, [[1, 2, 3], [4, 5, 6]], frames: 2, room: 64)
        #expect(some.status == noErr && some.first == [1, 4, 2, 5] && some.sizes == [8])
        let none = convert(conversion, [[1], [4]], frames: 0, room: 4)
        #expect(none.status == noErr && none.sizes == [0])
    }

    @Test("samples go to planes of their own, and every plane has the size of its frames")
    func planes() throws {
        let conversion = try Conversion(Self.planar, Self.planar)
        let result = convert(conversion, [[1, 2], [3, 4]], frames: 2, room: 10, buffers: 2)
        #expect(result.status == noErr && result.first == [1, 2] && result.sizes == [4, 4])
    }

    @Test("a plane that is short or missing, too little room, and another rate have their codes")
    func planeRefusals() throws {
        let conversion = try Conversion(Self.planar, .pcm(16))
        let short = convert(conversion, [[1, 2, 3], [4, 5]], frames: 3, room: 12)
        #expect(short.status == kAudioConverterErr_InvalidInputSize)
        let missing = convert(conversion, [[1, 2, 3]], frames: 1, room: 12)
        #expect(missing.status == kAudioConverterErr_InvalidInputSize)
        let narrow = convert(conversion, [[1, 2, 3], [4, 5, 6]], frames: 3, room: 11)
        #expect(narrow.status == kAudioConverterErr_InvalidOutputSize)
        let other = try Conversion(Self.planar, .pcm(16, rate: 48_000))
        let rate = convert(other, [[1], [2]], frames: 1, room: 12)
        #expect(rate.status == kAudioConverterErr_OperationNotSupported)
        let encoder = try Conversion(Self.planar, .compressed(kAudioFormatAppleLossless))
        let packets = convert(encoder, [[1], [2]], frames: 1, room: 12)
        #expect(packets.status == kAudioConverterErr_OperationNotSupported)
    }

    @Test("a run with a partial frame is refused, and an empty one is not")
    func partialFrame() throws {
        let conversion = try Conversion(.pcm(16), .pcm(16))
        var output = [Int16](repeating: 9, count: 4)
        var size: UInt32 = 8
        #expect(
            AudioConverterConvertBuffer(conversion.converter, 6, [Int16(1), 2, 3], &size, &output)
                == kAudioConverterErr_InvalidInputSize)
        #expect(size == 8 && output == [9, 9, 9, 9])
        #expect(AudioConverterConvertBuffer(conversion.converter, 0, [Int16(1)], &size, &output) == noErr)
        #expect(size == 0 && output == [9, 9, 9, 9])
    }
}
