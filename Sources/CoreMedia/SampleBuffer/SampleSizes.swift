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
