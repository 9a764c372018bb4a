import AudioToolbox
import AVFoundation

/// A stream parser and a converter, joined through their C functions. Not thread-safe.
final class StreamDecoder {
    private var stream: AudioFileStreamID?
    private var converter: AudioConverterRef?
    private var format = AudioStreamBasicDescription()
    private var packets: [Data] = []
    private var nextPacket = 0
    private var description = AudioStreamPacketDescription()
    /// The packet that the converter reads, at a stable address.
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    private let output = AudioStreamBasicDescription(
        mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked, mBytesPerPacket: 4,
        mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16, mReserved: 0)

    init() {
        AudioFileStreamOpen(
            Unmanaged.passUnretained(self).toOpaque(),
            { client, _, property, _ in
                guard property == kAudioFileStreamProperty_ReadyToProducePackets else { return }
                Unmanaged<StreamDecoder>.fromOpaque(client).takeUnretainedValue().makeConverter()
            },
            { client, byteCount, packetCount, bytes, descriptions in
                let decoder = Unmanaged<StreamDecoder>.fromOpaque(client).takeUnretainedValue()
                decoder.take(bytes, Int(byteCount), Int(packetCount), descriptions)
            }, 0, &stream)
    }

    deinit {
        if let stream { AudioFileStreamClose(stream) }
        if let converter { AudioConverterDispose(converter) }
        room.deallocate()
    }

    func parse(_ data: Data) -> OSStatus {
        guard let stream else { return -1 }
        return data.withUnsafeBytes {
            AudioFileStreamParseBytes(stream, UInt32($0.count), $0.baseAddress, [])
        }
    }

    private func makeConverter() {
        guard let stream else { return }
        var size = UInt32(MemoryLayout.size(ofValue: format))
        AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_DataFormat, &size, &format)
        var output = output
        guard AudioConverterNew(&format, &output, &converter) == noErr, let converter else { return }
        var cookieSize: UInt32 = 0
        let id = kAudioFileStreamProperty_MagicCookieData
        if AudioFileStreamGetPropertyInfo(stream, id, &cookieSize, nil) == noErr {
            var cookie = [UInt8](repeating: 0, count: Int(cookieSize))
            AudioFileStreamGetProperty(stream, id, &cookieSize, &cookie)
            AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, cookieSize, cookie)
        }
        var table = AudioFilePacketTableInfo()
        size = UInt32(MemoryLayout.size(ofValue: table))
        if AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_PacketTableInfo, &size, &table)
            == noErr
        {
            var prime = AudioConverterPrimeInfo(
                leadingFrames: UInt32(table.mPrimingFrames), trailingFrames: UInt32(table.mRemainderFrames))
            AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, 8, &prime)
        }
    }

    private func take(
        _ bytes: UnsafeRawPointer, _ byteCount: Int, _ count: Int,
        _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    ) {
        guard let descriptions else { return packets.append(Data(bytes: bytes, count: byteCount)) }
        for index in 0..<count {
            let start = bytes + Int(descriptions[index].mStartOffset)
            packets.append(Data(bytes: start, count: Int(descriptions[index].mDataByteSize)))
        }
    }

    /// Returns up to half a second of audio; `nil` at the end.
    func nextSampleBuffer(at time: CMTime) -> CMSampleBuffer? {
        guard let converter else { return nil }
        var frames: UInt32 = 22_050
        guard let memory = malloc(Int(frames) * 4) else { return nil }
        var list = AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: frames * 4, mData: memory))
        AudioConverterFillComplexBuffer(
            converter,
            { _, count, list, descriptions, user in
                guard let user else { return -1 }
                let decoder = Unmanaged<StreamDecoder>.fromOpaque(user).takeUnretainedValue()
                return decoder.give(count, list, descriptions)
            }, Unmanaged.passUnretained(self).toOpaque(), &frames, &list, nil)
        guard frames > 0 else {
            free(memory)
            return nil
        }
        return sampleBuffer(memory, frames: Int(frames), at: time)
    }

    private func give(
        _ count: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
        _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) -> OSStatus {
        guard nextPacket < packets.count else {
            count.pointee = 0
            return noErr
        }
        let packet = packets[nextPacket]
        nextPacket += 1
        packet.copyBytes(to: room)
        list.pointee.mBuffers.mData = room.baseAddress
        list.pointee.mBuffers.mDataByteSize = UInt32(packet.count)
        count.pointee = format.mBytesPerPacket > 0 ? UInt32(packet.count) / format.mBytesPerPacket : 1
        description = AudioStreamPacketDescription(
            mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count))
        withUnsafeMutablePointer(to: &description) { descriptions?.pointee = $0 }
        return noErr
    }

    private func sampleBuffer(_ memory: UnsafeMutableRawPointer, frames: Int, at time: CMTime)
        -> CMSampleBuffer?
    {
        var block: CMBlockBuffer?
        CMBlockBufferCreateWithMemoryBlock(
            allocator: nil, memoryBlock: memory, blockLength: frames * 4, blockAllocator: kCFAllocatorMalloc,
            customBlockSource: nil, offsetToData: 0, dataLength: frames * 4, flags: 0, blockBufferOut: &block)
        var output = output
        var description: CMAudioFormatDescription?
        CMAudioFormatDescriptionCreate(
            allocator: nil, asbd: &output, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
            extensions: nil, formatDescriptionOut: &description)
        guard let block, let description else { return nil }
        var buffer: CMSampleBuffer?
        CMAudioSampleBufferCreateReadyWithPacketDescriptions(
            allocator: nil, dataBuffer: block, formatDescription: description, sampleCount: frames,
            presentationTimeStamp: time, packetDescriptions: nil, sampleBufferOut: &buffer)
        return buffer
    }
}
