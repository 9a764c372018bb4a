import AudioToolbox

/// A converter with a test's input procedure, through the C functions alone.
final class Conversion {
    /// The behaviour of the input procedure.
    enum Step {
        case bytes([UInt8], packets: Int)
        case packets([[UInt8]])
        case status(OSStatus)
        case end
    }

    let converter: AudioConverterRef
    let target: AudioStreamBasicDescription
    var steps: [Step] = []
    private(set) var calls = 0
    private var bytes: [UnsafeMutableRawPointer] = []
    private var descriptions: [UnsafeMutablePointer<AudioStreamPacketDescription>] = []

    init(_ source: AudioStreamBasicDescription, _ target: AudioStreamBasicDescription) throws {
        var (source, target) = (source, target)
        var made: AudioConverterRef?
        let status = AudioConverterNew(&source, &target, &made)
        guard let made, status == noErr else { throw Status(code: status) }
        converter = made
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        AudioConverterGetProperty(made, kAudioConverterCurrentOutputStreamDescription, &size, &target)
        self.target = target
    }

    deinit {
        AudioConverterDispose(converter)
        bytes.forEach { $0.deallocate() }
        descriptions.forEach { $0.deallocate() }
    }

    struct Status: Error {
        var code: OSStatus
    }

    private func give(
        _ count: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
        _ places: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) -> OSStatus {
        calls += 1
        let step = steps.isEmpty ? .end : steps.removeFirst()
        switch step {
        case .end: count.pointee = 0
        case .status(let status):
            count.pointee = 0
            return status
        case .bytes(let data, let packets):
            list.pointee.mBuffers.mData = keep(data)
            list.pointee.mBuffers.mDataByteSize = UInt32(data.count)
            count.pointee = UInt32(packets)
        case .packets(let packets):
            list.pointee.mBuffers.mData = keep(packets.flatMap { $0 })
            list.pointee.mBuffers.mDataByteSize = UInt32(packets.reduce(0) { $0 + $1.count })
            let memory = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: packets.count)
            var offset = 0
            for (index, packet) in packets.enumerated() {
                memory[index] = AudioStreamPacketDescription(
                    mStartOffset: Int64(offset), mVariableFramesInPacket: 0,
                    mDataByteSize: UInt32(packet.count))
                offset += packet.count
            }
            descriptions.append(memory)
            places?.pointee = memory
            count.pointee = UInt32(packets.count)
        }
        return noErr
    }

    private func keep(_ data: [UInt8]) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, data.count), alignment: 16)
        memory.copyMemory(from: data, byteCount: data.count)
        bytes.append(memory)
        return memory
    }

    /// Makes one call for at most the given number of packets.
    ///
    /// - Returns: The bytes of each buffer, the sizes of compressed packets, how many packets, and the code.
    func fill(
        _ packets: Int, room: Int
    ) -> (buffers: [[UInt8]], sizes: [Int], count: Int, status: OSStatus) {
        let isPlanar =
            target.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
            && target.mFormatID == kAudioFormatLinearPCM
        let planes = isPlanar ? Int(target.mChannelsPerFrame) : 1
        let list = AudioBufferList.allocate(maximumBuffers: planes)
        defer { free(list.unsafeMutablePointer) }
        for index in list.indices {
            list[index] = AudioBuffer(
                mNumberChannels: isPlanar ? 1 : target.mChannelsPerFrame, mDataByteSize: UInt32(room),
                mData: .allocate(byteCount: max(1, room), alignment: 16))
        }
        defer { list.forEach { $0.mData?.deallocate() } }
        var count = UInt32(packets)
        var places = [AudioStreamPacketDescription](repeating: .init(), count: max(1, packets))
        let owner = Unmanaged.passUnretained(self).toOpaque()
        let status = AudioConverterFillComplexBuffer(
            converter,
            { _, count, list, places, user in
                guard let user else { return -1 }
                return Unmanaged<Conversion>.fromOpaque(user).takeUnretainedValue().give(count, list, places)
            }, owner, &count, list.unsafeMutablePointer, &places)
        let isPCM = target.mFormatID == kAudioFormatLinearPCM
        return (
            list.map { Array(UnsafeRawBufferPointer(start: $0.mData, count: Int($0.mDataByteSize))) },
            isPCM ? [] : places.prefix(Int(count)).map { Int($0.mDataByteSize) }, Int(count), status
        )
    }

    /// Converts everything to the end, one buffer.
    func all(packets: Int = 4096) throws -> [UInt8] {
        var output: [UInt8] = []
        while true {
            let result = fill(packets, room: packets * 64)
            guard result.status == noErr else { throw Status(code: result.status) }
            if result.count == 0 { return output }
            output += result.buffers[0]
        }
    }

    /// Converts everything to the end, as packets.
    func allPackets() throws -> [[UInt8]] {
        var output: [[UInt8]] = []
        while true {
            let result = fill(8, room: 1 << 18)
            guard result.status == noErr else { throw Status(code: result.status) }
            if result.count == 0 { return output }
            var place = 0
            for size in result.sizes {
                output.append(Array(result.buffers[0][place..<place + size]))
                place += size
            }
        }
    }
}

extension AudioStreamBasicDescription {
    /// Describes interleaved or planar PCM.
    static func pcm(
        _ bits: UInt32, rate: Double = 44_100, channels: UInt32 = 2, flags: AudioFormatFlags? = nil,
        bytes: UInt32? = nil
    ) -> AudioStreamBasicDescription {
        let flags = flags ?? kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
        let width = (bytes ?? bits / 8) * (flags & kAudioFormatFlagIsNonInterleaved != 0 ? 1 : channels)
        return AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: width,
            mFramesPerPacket: 1, mBytesPerFrame: width, mChannelsPerFrame: channels, mBitsPerChannel: bits,
            mReserved: 0)
    }

    static func float(rate: Double = 44_100, channels: UInt32 = 2) -> AudioStreamBasicDescription {
        pcm(32, rate: rate, channels: channels, flags: kAudioFormatFlagsNativeFloatPacked)
    }

    static func compressed(
        _ id: AudioFormatID, rate: Double = 44_100, channels: UInt32 = 2, flags: UInt32 = 0
    )
        -> AudioStreamBasicDescription
    {
        var stream = AudioStreamBasicDescription()
        (stream.mSampleRate, stream.mFormatID, stream.mChannelsPerFrame) = (rate, id, channels)
        stream.mFormatFlags = flags
        return stream
    }
}
