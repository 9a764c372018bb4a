import AVFoundation
import Synchronization
import Testing

@Suite("Audio buffers")
struct AVAudioBufferTests {
    static func format(
        _ common: AVAudioCommonFormat, channels: UInt32 = 2, interleaved: Bool = false
    ) throws -> AVAudioFormat {
        try #require(
            AVAudioFormat(
                commonFormat: common, sampleRate: 44_100, channels: channels, interleaved: interleaved))
    }

    static func sizes(_ list: UnsafePointer<AudioBufferList>) -> [UInt32] {
        UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list)).map(\.mDataByteSize)
    }

    @Test("list sizes follow the length, sizes of the mutable list the capacity")
    func sizes() throws {
        for (interleaved, width, planes) in [(true, 8, 1), (false, 4, 2)] as [(Bool, UInt32, Int)] {
            let format = try Self.format(.pcmFormatFloat32, interleaved: interleaved)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
            #expect(buffer.frameCapacity == 100 && buffer.frameLength == 0)
            #expect(Self.sizes(buffer.audioBufferList) == Array(repeating: 0, count: planes))
            #expect(Self.sizes(buffer.mutableAudioBufferList) == Array(repeating: 100 * width, count: planes))
            buffer.frameLength = 30
            #expect(buffer.frameLength == 30)
            #expect(Self.sizes(buffer.audioBufferList) == Array(repeating: 30 * width, count: planes))
            buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize = 16
            #expect(buffer.frameLength == 30)
            buffer.frameLength = 100
            #expect(Self.sizes(buffer.mutableAudioBufferList) == Array(repeating: 100 * width, count: planes))
            let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
            #expect(list.allSatisfy { $0.mNumberChannels == UInt32(2 / planes) && $0.mData != nil })
            #expect(buffer.stride == (interleaved ? 2 : 1) && buffer.format === format)
        }
    }

    @Test("channels lie where the list points, and start silent")
    func channels() throws {
        for interleaved in [true, false] {
            let format = try Self.format(.pcmFormatInt16, interleaved: interleaved)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
            let channels = try #require(buffer.int16ChannelData)
            #expect(buffer.floatChannelData == nil && buffer.int32ChannelData == nil)
            buffer.frameLength = 4
            for frame in 0..<4 {
                for channel in 0..<2 {
                    #expect(channels[channel][frame * buffer.stride] == 0)
                    channels[channel][frame * buffer.stride] = Int16(frame * 10 + channel)
                }
            }
            let list = UnsafeMutableAudioBufferListPointer(
                UnsafeMutablePointer(mutating: buffer.audioBufferList))
            let found = list.map { Array(UnsafeBufferPointer<Int16>($0)) }
            let planes: [[Int16]] = [[0, 10, 20, 30], [1, 11, 21, 31]]
            #expect(found == (interleaved ? [[0, 1, 10, 11, 20, 21, 30, 31]] : planes))
        }
        let doubles = try Self.format(.pcmFormatFloat64)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: doubles, frameCapacity: 1))
        #expect(buffer.floatChannelData == nil && buffer.int16ChannelData == nil)
        let words = try #require(
            AVAudioPCMBuffer(pcmFormat: try Self.format(.pcmFormatInt32), frameCapacity: 1))
        #expect(words.int32ChannelData?[1][0] == 0)
    }

    @Test("a copy owns its bytes")
    func copies() throws {
        let format = try Self.format(.pcmFormatFloat32)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 8))
        buffer.frameLength = 3
        buffer.floatChannelData?[1][2] = 0.5
        let copy = try #require(buffer.copy() as? AVAudioPCMBuffer)
        buffer.floatChannelData?[1][2] = 0.25
        #expect(copy.frameLength == 3 && copy.frameCapacity == 8 && copy.format == format)
        #expect(copy.floatChannelData?[1][2] == 0.5)
        let other = try #require(buffer.mutableCopy() as? AVAudioPCMBuffer)
        #expect(other.floatChannelData?[1][2] == 0.25)
    }

    @Test("a buffer on caller memory returns it when the last reference is released")
    func borrowed() throws {
        let released = Atomic<Int>(0)
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        for index in 0..<2 {
            list[index] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: 40, mData: calloc(1, 40))
        }
        let format = try Self.format(.pcmFormatFloat32)
        do {
            let buffer = try #require(
                AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list.unsafePointer) { pointer in
                    released.add(pointer == list.unsafePointer ? 1 : 100, ordering: .relaxed)
                })
            #expect(buffer.frameCapacity == 10 && buffer.frameLength == 10)
            buffer.floatChannelData?[1][9] = 2
            #expect(UnsafeBufferPointer<Float>(list[1])[9] == 2)
            buffer.frameLength = 5
            #expect(list[0].mDataByteSize == 40 && released.load(ordering: .relaxed) == 0)
            let interleaved = try Self.format(.pcmFormatFloat32, interleaved: true)
            #expect(AVAudioPCMBuffer(pcmFormat: interleaved, bufferListNoCopy: list.unsafePointer) == nil)
            withExtendedLifetime(buffer) {}
        }
        #expect(released.load(ordering: .relaxed) == 1)
        for buffer in list { free(buffer.mData) }
        list[0].mData = nil
        #expect(AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list.unsafePointer) == nil)
        free(list.unsafeMutablePointer)
    }

    @Test("a format that is not PCM, or a capacity that is too large, yields no buffer")
    func refused() throws {
        var stream = AudioStreamBasicDescription()
        (stream.mSampleRate, stream.mFormatID, stream.mChannelsPerFrame) = (44_100, kAudioFormatMPEG4AAC, 2)
        let aac = try #require(AVAudioFormat(streamDescription: &stream))
        #expect(AVAudioPCMBuffer(pcmFormat: aac, frameCapacity: 10) == nil)
        stream.mFormatID = kAudioFormatLinearPCM
        let nothing = try #require(AVAudioFormat(streamDescription: &stream))
        #expect(AVAudioPCMBuffer(pcmFormat: nothing, frameCapacity: 10) == nil)
        let format = try Self.format(.pcmFormatFloat32)
        #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: .max) == nil)
        #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 0)?.frameLength == 0)
    }

    @Test("an audio buffer shares the samples of a sample buffer without a copy")
    func fromSampleBuffer() throws {
        let format = try Self.format(.pcmFormatInt16, interleaved: true)
        let block = try CMBlockBuffer(length: 12)
        try block.replaceDataBytes(with: Array(0..<12) as [UInt8])
        let sample = try CMSampleBuffer(
            dataBuffer: block, formatDescription: format.formatDescription, numSamples: 3,
            presentationTimeStamp: .zero, packetDescriptions: [])
        let frames = try sample.withAudioBufferList { list, _ in
            AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list.unsafePointer)
                .map { buffer in (buffer.frameLength, buffer.int16ChannelData?[1][4]) }
        }
        #expect(frames?.0 == 3 && frames?.1 == 0x0B0A)
    }

    @Test("compressed buffers hold packets")
    func compressed() throws {
        var stream = AudioStreamBasicDescription()
        (stream.mSampleRate, stream.mFormatID, stream.mChannelsPerFrame) = (44_100, kAudioFormatMPEG4AAC, 2)
        stream.mFramesPerPacket = 1024
        let format = try #require(AVAudioFormat(streamDescription: &stream))
        let buffer = AVAudioCompressedBuffer(format: format, packetCapacity: 4, maximumPacketSize: 100)
        #expect(buffer.byteCapacity == 400 && buffer.byteLength == 0 && buffer.packetCount == 0)
        #expect(buffer.packetCapacity == 4 && buffer.maximumPacketSize == 100)
        let packets = try #require(buffer.packetDescriptions)
        packets[0] = AudioStreamPacketDescription(
            mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 2)
        buffer.data.storeBytes(of: 0x0102, as: UInt16.self)
        (buffer.byteLength, buffer.packetCount) = (2, 1)
        #expect(Self.sizes(buffer.audioBufferList) == [2])
        let copy = try #require(buffer.copy() as? AVAudioCompressedBuffer)
        #expect(copy.packetCount == 1 && copy.packetDescriptions?[0].mDataByteSize == 2)
        #expect(copy.data.load(as: UInt16.self) == 0x0102 && copy.data != buffer.data)
        (stream.mFormatID, stream.mFramesPerPacket, stream.mBytesPerPacket) = (kAudioFormatULaw, 1, 2)
        let even = try #require(AVAudioFormat(streamDescription: &stream))
        let constant = AVAudioCompressedBuffer(format: even, packetCapacity: 8)
        #expect(constant.packetDescriptions == nil && constant.byteCapacity == 16)
    }
}
