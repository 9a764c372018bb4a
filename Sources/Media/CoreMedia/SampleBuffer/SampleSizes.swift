/// The sizes and offsets of a buffer's samples in its data.
struct SampleSizes: Sendable {
    /// No size, one that all samples share, or one for each; in bytes.
    let sizes: [Int]
    /// The offset of each sample; `nil` if the samples follow each other without a gap.
    let offsets: [Int]?
    let sampleCount: Int
    /// The size of all samples together, in bytes.
    let total: Int

    /// - Throws: ``CMSampleBuffer/Error/invalidEntryCount``, or
    ///   ``CMSampleBuffer/Error/invalidSampleData`` for a size that is negative or sums that overflow.
    init(sizes: [Int], offsets: [Int]? = nil, sampleCount: Int) throws {
        guard sizes.count <= 1 || sizes.count == sampleCount else {
            throw CMSampleBuffer.Error.invalidEntryCount
        }
        var total = 0
        for size in sizes {
            let (sum, overflow) = total.addingReportingOverflow(size)
            guard size >= 0, !overflow else { throw CMSampleBuffer.Error.invalidSampleData }
            total = sum
        }
        if sizes.count == 1 {
            let (product, overflow) = total.multipliedReportingOverflow(by: sampleCount)
            guard !overflow else { throw CMSampleBuffer.Error.invalidSampleData }
            total = product
        }
        self.sizes = sizes
        self.offsets = offsets
        self.sampleCount = sampleCount
        self.total = total
    }

    /// Creates sizes from packet descriptions, with offsets if the packets leave gaps.
    init(packets: [AudioStreamPacketDescription]) throws {
        var offsets: [Int] = []
        var (position, hasGaps) = (0, false)
        for packet in packets {
            guard let offset = Int(exactly: packet.mStartOffset), offset >= 0,
                offset <= Int.max - Int(packet.mDataByteSize)
            else { throw CMSampleBuffer.Error.invalidSampleData }
            if offset != position { hasGaps = true }
            offsets.append(offset)
            position = offset + Int(packet.mDataByteSize)
        }
        try self.init(
            sizes: packets.map { Int($0.mDataByteSize) }, offsets: hasGaps ? offsets : nil,
            sampleCount: packets.count)
    }

    var areKnown: Bool { !sizes.isEmpty }

    /// Returns the size entries if there are any.
    func knownSizes() throws -> [Int] {
        if !areKnown { throw CMSampleBuffer.Error.bufferHasNoSampleSizes }
        return sizes
    }

    /// Returns the size of the sample at a valid index; zero if unknown.
    func size(at index: Int) -> Int { sizes.count > 1 ? sizes[index] : sizes.first ?? 0 }

    /// Returns the offset of one sample; sums up the sizes before it if they differ.
    func offset(at index: Int) -> Int {
        if let offsets { return index < offsets.count ? offsets[index] : total }
        return sizes.count > 1 ? sizes[..<index].reduce(0, +) : size(at: 0) * index
    }

    /// Returns the samples in `range`, with offsets relative to their start, and the byte range that they
    /// need.
    func part(_ range: Range<Int>) throws -> (sizes: SampleSizes, data: Range<Int>) {
        let kept = sizes.count > 1 ? Array(sizes[range]) : sizes
        guard let offsets else {
            let part = try SampleSizes(sizes: kept, sampleCount: range.count)
            let start = offset(at: range.lowerBound)
            return (part, start..<start + part.total)
        }
        let start = offsets[range].min() ?? 0
        let end = range.map { offsets[$0] + size(at: $0) }.max() ?? start
        let moved = offsets[range].map { $0 - start }
        return (try SampleSizes(sizes: kept, offsets: moved, sampleCount: range.count), start..<end)
    }
}

extension SampleSizes {
    /// Creates the sizes that the caller states, or else those of a PCM format; unknown for other formats.
    init(sizes: [Int], or format: CMFormatDescription?, sampleCount: Int) throws {
        guard sizes.isEmpty, let description = format?.audioStreamBasicDescription,
            description.mBytesPerPacket > 0, description.isLinearPCM
        else {
            try self.init(sizes: sizes, sampleCount: sampleCount)
            return
        }
        try self.init(sizes: [description.bytesPerPacketOfAllPlanes], sampleCount: sampleCount)
    }

    /// Creates the sizes of packets, or of samples of a format whose packets have one size.
    init(
        packets: [AudioStreamPacketDescription], in description: AudioStreamBasicDescription, sampleCount: Int
    ) throws {
        if !packets.isEmpty {
            try self.init(packets: packets)
            return
        }
        guard description.mBytesPerPacket > 0 || sampleCount == 0 else {
            throw CMSampleBuffer.Error.requiredParameterMissing
        }
        try self.init(sizes: [description.bytesPerPacketOfAllPlanes], sampleCount: sampleCount)
    }

    /// Returns the bytes of some samples, cut plane by plane if there are several planes.
    ///
    /// - Parameter place: The byte range of the samples, as ``part(_:)`` returns it.
    func data(
        _ whole: CMBlockBuffer, of range: Range<Int>, at place: Range<Int>, planeCount: Int
    ) throws -> CMBlockBuffer {
        if range == 0..<sampleCount { return whole }
        guard areKnown else { throw CMSampleBuffer.Error.cannotSubdivide }
        guard place.upperBound <= whole.dataLength else { throw CMSampleBuffer.Error.invalidSampleData }
        guard planeCount > 1 else {
            return try CMBlockBuffer(bufferReference: whole[place], flags: .permitEmptyReference)
        }
        let frameSize = size(at: 0) / planeCount
        let result = try CMBlockBuffer()
        for plane in 0..<planeCount {
            let start = (plane * sampleCount + range.lowerBound) * frameSize
            try result.append(bufferReference: whole[start..<start + range.count * frameSize])
        }
        return result
    }

    /// - Throws: ``CMSampleBuffer/Error/invalidSampleData`` if the data ends before the last sample.
    func check(_ data: CMBlockBuffer) throws {
        let end = offsets == nil ? total : try part(0..<sampleCount).data.upperBound
        guard end <= data.dataLength else { throw CMSampleBuffer.Error.invalidSampleData }
    }
}

extension AudioStreamBasicDescription {
    /// The number of buffers that hold one frame: one for each channel, or one for all.
    var planeCount: Int { isNonInterleaved ? Int(max(1, mChannelsPerFrame)) : 1 }

    /// The bytes of one packet in all planes together.
    fileprivate var bytesPerPacketOfAllPlanes: Int { Int(mBytesPerPacket) * planeCount }
}
