import Foundation

extension CMSampleBuffer {
    /// Options of the audio buffer list calls.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The bits, as the C functions take them.
        public let rawValue: UInt32

        /// The flags of these bits; bits without a name are kept.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Buffers begin at multiples of 16 bytes; memory from `malloc` does that by itself here.
        public static let audioBufferListAssure16ByteAlignment = Flags(
            rawValue: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment)
    }

    /// Lends the data as an audio buffer list: one buffer, or one for each channel that has its own.
    ///
    /// Contiguous data is not copied. The list is good until `body` returns.
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

    /// The format and the data in one piece.
    func contiguousAudio() throws -> (AudioStreamBasicDescription, CMBlockBuffer) {
        guard let description = formatDescription?.audioStreamBasicDescription else {
            throw Error.invalidMediaTypeForOperation
        }
        if dataReadiness != .ready { try makeDataReady() }
        guard let dataBuffer else { throw Error.bufferNotReady }
        guard description.mChannelsPerFrame <= 1024 else { throw Error.invalidMediaFormat }
        return (description, dataBuffer.isContiguous ? dataBuffer : try dataBuffer.makeContiguous())
    }

    /// Points the buffers of a list at the data. The list has as many as the format needs.
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

    /// Copies frames of PCM into the buffers of a list, which must have room for them.
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

    /// Gives the buffer a copy of the audio in a list as its data, plane after plane, and makes it ready.
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

/// Buffers begin at multiples of 16 bytes.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1 << 0
