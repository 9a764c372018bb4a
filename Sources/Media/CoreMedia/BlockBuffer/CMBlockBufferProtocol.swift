import Foundation

/// The readable and writable bytes of a block buffer or of a slice of one.
public protocol CMBlockBufferProtocol {
    /// The offset of the first byte in ``baseBuffer``.
    var startIndex: Int { get }
    /// The offset after the last byte in ``baseBuffer``.
    var endIndex: Int { get }
    /// The buffer that holds the bytes.
    var baseBuffer: CMBlockBuffer { get }
}

extension CMBlockBuffer: CMBlockBufferProtocol {
    /// 0, the start of the buffer.
    public var startIndex: Int { 0 }
    /// The number of bytes.
    public var endIndex: Int { dataLength }
    /// The buffer itself.
    public var baseBuffer: CMBlockBuffer { self }

    /// A part of a block buffer that shares the buffer's bytes. Offsets are those of the whole buffer.
    public struct Slice: CMBlockBufferProtocol, Sendable {
        /// The offset of the first byte in ``baseBuffer``.
        public let startIndex: Int
        /// The offset after the last byte in ``baseBuffer``.
        public let endIndex: Int
        /// The buffer that this slice is part of.
        public let baseBuffer: CMBlockBuffer
    }
}

extension CMBlockBufferProtocol {
    /// The number of bytes.
    public var dataLength: Int { endIndex - startIndex }

    /// Whether the bytes lie in one segment, which those of an empty slice do not.
    public var isContiguous: Bool { ((try? sharedSegments())?.count ?? 0) == 1 }

    /// The slice at these offsets, which shares the bytes; traps if the range is out of bounds.
    public subscript(range: Range<Int>) -> CMBlockBuffer.Slice {
        precondition(range.lowerBound >= startIndex && range.upperBound <= endIndex, "range out of bounds")
        return CMBlockBuffer.Slice(
            startIndex: range.lowerBound, endIndex: range.upperBound, baseBuffer: baseBuffer)
    }

    /// The slice at these offsets, which shares the bytes; traps if the range is out of bounds.
    public subscript(range: some RangeExpression<Int>) -> CMBlockBuffer.Slice {
        self[range.relative(to: startIndex..<endIndex)]
    }

    func sharedSegments() throws -> [BlockSegment] {
        try baseBuffer.segments(from: startIndex, length: endIndex - startIndex)
    }

    /// Returns a copy of the bytes.
    public func dataBytes() throws -> Data {
        var data = Data(count: dataLength)
        try data.withUnsafeMutableBytes { try copyDataBytes(to: $0) }
        return data
    }

    /// Copies all bytes to `destination`, which must have room for them.
    ///
    /// - Throws: ``CMBlockBuffer/Error/insufficientSpace``, or ``CMBlockBuffer/Error/unallocatedBlock``.
    public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
        let segments = try sharedSegments()
        guard destination.count >= dataLength else { throw CMBlockBuffer.Error.insufficientSpace }
        var position = 0
        for segment in segments where segment.length > 0 {
            guard let bytes = segment.allocated else { throw CMBlockBuffer.Error.unallocatedBlock }
            let target = UnsafeMutableRawBufferPointer(
                rebasing: destination[position..<position + segment.length])
            target.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: segment.length))
            position += segment.length
        }
    }

    /// Writes `source` over the first bytes, allocating memory where the buffer has none.
    public func replaceDataBytes(with source: UnsafeRawBufferPointer) throws {
        guard source.count <= dataLength else { throw CMBlockBuffer.Error.badLengthParameter }
        var position = 0
        for segment in try baseBuffer.segments(from: startIndex, length: source.count) {
            let part = UnsafeRawBufferPointer(rebasing: source[position..<position + segment.length])
            UnsafeMutableRawBufferPointer(start: try segment.assured(), count: segment.length)
                .copyMemory(from: part)
            position += segment.length
        }
    }

    /// Writes `data` over the first bytes, allocating memory where the buffer has none.
    public func replaceDataBytes(with data: some DataProtocol) throws {
        var position = startIndex
        for region in data.regions {
            let end = position + region.count
            guard end <= endIndex else { throw CMBlockBuffer.Error.badLengthParameter }
            try region.withUnsafeBytes { try self[position..<end].replaceDataBytes(with: $0) }
            position = end
        }
    }

    /// Sets every byte to `byte`, allocating memory where the buffer has none.
    public func fillDataBytes(with byte: CChar) throws {
        for segment in try sharedSegments() {
            memset(try segment.assured(), Int32(byte), segment.length)
        }
    }

    /// Returns the bytes in one segment: by reference if they are contiguous and `flags` asks for no copy,
    /// else as a copy.
    public func makeContiguous(
        allocator: CFAllocator? = kCFAllocatorDefault, flags: CMBlockBuffer.Flags = []
    ) throws -> CMBlockBuffer {
        let segments = try sharedSegments()
        if segments.count == 1, !flags.contains(.alwaysCopyData) { return CMBlockBuffer(segments: segments) }
        let copy = try CMBlockBuffer(length: dataLength, flags: .assureMemoryNow)
        try copy.withUnsafeMutableBytes { try copyDataBytes(to: $0) }
        return copy
    }

    /// Calls `body` with all bytes in one piece, without a copy if they are contiguous.
    ///
    /// The pointer is valid until `body` returns; do not write the bytes meanwhile.
    public func withContiguousStorage<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        if startIndex == 0, let segment = baseBuffer.onlySegment, segment.length == endIndex {
            return try lend(segment, to: body)
        }
        let segments = try sharedSegments()
        if segments.isEmpty { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        if segments.count == 1 { return try lend(segments[0], to: body) }
        return try lend(makeContiguous().segments[0], to: body)
    }

    private func lend<R>(_ segment: BlockSegment, to body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        guard let bytes = segment.allocated else { throw CMBlockBuffer.Error.unallocatedBlock }
        return try withExtendedLifetime(segment.block) {
            try body(UnsafeRawBufferPointer(start: bytes, count: segment.length))
        }
    }

    /// Calls `body` with the bytes from `offset` to the end of their segment, to read or write in place.
    ///
    /// - Throws: ``CMBlockBuffer/Error/unallocatedBlock`` if the segment has no memory yet.
    public func withUnsafeMutableBytes<R>(
        atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> R
    ) throws -> R {
        guard offset >= 0, offset <= dataLength else { throw CMBlockBuffer.Error.badOffsetParameter }
        let rest = try baseBuffer.segments(from: startIndex + offset, length: dataLength - offset)
        guard let segment = rest.first else {
            return try body(UnsafeMutableRawBufferPointer(start: nil, count: 0))
        }
        guard let bytes = segment.allocated else { throw CMBlockBuffer.Error.unallocatedBlock }
        return try withExtendedLifetime(segment.block) {
            try body(UnsafeMutableRawBufferPointer(start: bytes, count: segment.length))
        }
    }
}
