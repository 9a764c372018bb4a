import Foundation

/// The contiguous sound of a buffer, one plane for each channel, or one for all.
struct AudioPlanes {
    let description: AudioStreamBasicDescription
    let data: CMBlockBuffer

    /// - Throws: ``CMSampleBuffer/Error/invalidMediaFormat`` for more channels than a list may have.
    init(_ data: CMBlockBuffer, _ description: AudioStreamBasicDescription) throws {
        guard description.mChannelsPerFrame <= 1024 else { throw CMSampleBuffer.Error.invalidMediaFormat }
        self.description = description
        self.data = data.isContiguous ? data : try data.makeContiguous()
    }

    /// Points the buffers of a list, one for each plane, at the data.
    func fill(_ list: UnsafeMutableAudioBufferListPointer) throws {
        let planes = description.planeCount
        try data.withUnsafeMutableBytes { bytes in
            let size = bytes.count / planes
            guard let byteSize = UInt32(exactly: size) else { throw CMSampleBuffer.Error.invalidSampleData }
            for plane in 0..<planes {
                list[plane] = AudioBuffer(
                    mNumberChannels: planes == 1 ? description.mChannelsPerFrame : 1,
                    mDataByteSize: byteSize, mData: bytes.baseAddress.map { $0 + plane * size })
            }
        }
    }
}

extension UnsafeMutableAudioBufferListPointer {
    /// Copies frames from the planes of `source`, which has as many.
    ///
    /// - Throws: ``CMSampleBuffer/Error/arrayTooSmall`` if a buffer lacks room.
    func copy(
        _ range: Range<Int>, from source: UnsafeMutableAudioBufferListPointer, bytesPerFrame frameSize: Int
    ) throws {
        guard count == source.count else { throw CMSampleBuffer.Error.arrayTooSmall }
        for (index, plane) in source.enumerated() {
            guard range.upperBound <= Int(plane.mDataByteSize) / Swift.max(1, frameSize) else {
                throw CMSampleBuffer.Error.invalidSampleData
            }
            let (start, length) = (range.lowerBound * frameSize, range.count * frameSize)
            guard length <= Int(self[index].mDataByteSize), let from = plane.mData, let to = self[index].mData
            else { throw CMSampleBuffer.Error.arrayTooSmall }
            to.copyMemory(from: from + start, byteCount: length)
            self[index].mDataByteSize = UInt32(length)
        }
    }

    /// The bytes of all buffers together.
    var byteCount: Int { reduce(0) { $0 + Int($1.mDataByteSize) } }

    /// Returns a copy of the buffers' bytes, one after the other.
    func joined() throws -> CMBlockBuffer {
        let data = try CMBlockBuffer(length: byteCount)
        var position = 0
        for buffer in self where buffer.mDataByteSize > 0 {
            guard let bytes = buffer.mData else { throw CMSampleBuffer.Error.requiredParameterMissing }
            let end = position + Int(buffer.mDataByteSize)
            try data[position..<end].replaceDataBytes(
                with: UnsafeRawBufferPointer(start: bytes, count: end - position))
            position = end
        }
        return data
    }
}
