import Foundation

extension CMSampleBuffer {
    /// Options for the audio buffer list methods.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The raw bits, in the form of the C functions.
        public let rawValue: UInt32

        /// Creates flags from their bits; unnamed bits are kept.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Aligns buffers to 16 bytes; memory from `malloc` is always aligned that way here.
        public static let audioBufferListAssure16ByteAlignment = Flags(
            rawValue: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment)
    }

    /// Calls `body` with the data as an audio buffer list: one buffer, or one per channel if not interleaved.
    ///
    /// Contiguous data is not copied. The list is valid until `body` returns.
    public func withAudioBufferList<R>(
        blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = [],
        body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> R
    ) throws -> R {
        let (description, data) = try contiguousAudio()
        let list = AudioBufferList.allocate(maximumBuffers: description.planeCount)
        defer { free(list.unsafeMutablePointer) }
        try fill(list, from: data, as: description)
        return try withExtendedLifetime(data) { try body(list, data) }
    }

    /// Returns the format and the contiguous data; makes the data ready if needed.
    func contiguousAudio() throws -> (AudioStreamBasicDescription, CMBlockBuffer) {
        guard let description = formatDescription?.audioStreamBasicDescription else {
            throw Error.invalidMediaTypeForOperation
        }
        if dataReadiness != .ready { try makeDataReady() }
        guard let dataBuffer else { throw Error.bufferNotReady }
        guard description.mChannelsPerFrame <= 1024 else { throw Error.invalidMediaFormat }
        return (description, dataBuffer.isContiguous ? dataBuffer : try dataBuffer.makeContiguous())
    }

    /// Points the buffers of a list, one for each plane of the format, at the data.
    func fill(
        _ list: UnsafeMutableAudioBufferListPointer, from data: CMBlockBuffer,
        as description: AudioStreamBasicDescription
    ) throws {
        let planes = description.planeCount
        try data.withUnsafeMutableBytes { bytes in
            let size = bytes.count / planes
            guard let byteSize = UInt32(exactly: size) else { throw Error.invalidSampleData }
            for plane in 0..<planes {
                list[plane] = AudioBuffer(
                    mNumberChannels: planes == 1 ? description.mChannelsPerFrame : 1,
                    mDataByteSize: byteSize, mData: bytes.baseAddress.map { $0 + plane * size })
            }
        }
    }

    /// Copies PCM frames into the buffers of a list; throws ``Error/arrayTooSmall`` if the buffers lack room.
    public func copyPCMData(
        fromRange range: Range<Int>, into bufferList: UnsafeMutablePointer<AudioBufferList>
    ) throws {
        guard let description = formatDescription?.audioStreamBasicDescription, description.isLinearPCM
        else { throw Error.invalidMediaTypeForOperation }
        guard range.lowerBound >= 0, range.upperBound <= numSamples else { throw Error.sampleIndexOutOfRange }
        let destination = UnsafeMutableAudioBufferListPointer(bufferList)
        try withAudioBufferList { source, _ in
            guard destination.count == source.count else { throw Error.arrayTooSmall }
            let frameSize = Int(description.mBytesPerFrame)
            for (index, plane) in source.enumerated() {
                guard range.upperBound <= Int(plane.mDataByteSize) / max(1, frameSize) else {
                    throw Error.invalidSampleData
                }
                let (start, count) = (range.lowerBound * frameSize, range.count * frameSize)
                guard count <= Int(destination[index].mDataByteSize),
                    let from = plane.mData, let to = destination[index].mData
                else { throw Error.arrayTooSmall }
                to.copyMemory(from: from + start, byteCount: count)
                destination[index].mDataByteSize = UInt32(count)
            }
        }
    }

    /// Sets the data to a copy of the audio in a list, plane after plane, and marks the data ready.
    public func setDataBuffer(
        fromAudioBufferList bufferList: UnsafePointer<AudioBufferList>,
        blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = []
    ) throws {
        guard let description = formatDescription?.audioStreamBasicDescription else {
            throw Error.invalidMediaTypeForOperation
        }
        let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
        guard list.count == description.planeCount else { throw Error.invalidMediaFormat }
        let total = list.reduce(0) { $0 + Int($1.mDataByteSize) }
        if sizes.areKnown, total < totalSampleSize { throw Error.invalidSampleData }
        let data = try CMBlockBuffer(length: total)
        var position = 0
        for buffer in list where buffer.mDataByteSize > 0 {
            guard let bytes = buffer.mData else { throw Error.requiredParameterMissing }
            let end = position + Int(buffer.mDataByteSize)
            try data[position..<end].replaceDataBytes(
                with: UnsafeRawBufferPointer(start: bytes, count: end - position))
            position = end
        }
        try setDataBuffer(data)
        try setDataReadiness(.ready)
    }
}

/// Aligns buffers to 16 bytes.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1 << 0
