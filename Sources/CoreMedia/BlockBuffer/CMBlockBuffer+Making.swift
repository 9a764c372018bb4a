import Foundation

extension CMBlockBuffer {
    /// An empty buffer, to append to. The capacity is a hint for the number of pieces.
    public convenience init(capacity: Int = 0, flags: Flags = []) throws {
        self.init(segments: [])
    }

    /// A buffer of `length` bytes, or of the part of them that `range` names; zero until written.
    public convenience init(
        length: Int, allocator: CFAllocator? = kCFAllocatorDefault, range: Range<Int>? = nil,
        flags: Flags = []
    ) throws {
        self.init(segments: [])
        try append(length: length, allocator: allocator, range: range, flags: flags)
    }

    /// A buffer on memory from `malloc`, which it frees; with `kCFAllocatorNull` the memory is borrowed,
    /// and must live as long as anything refers to it.
    public convenience init(
        buffer: UnsafeMutableRawBufferPointer, allocator: CFAllocator? = kCFAllocatorDefault,
        flags: Flags = []
    ) throws {
        self.init(segments: [])
        try append(buffer: buffer, allocator: allocator, flags: flags)
    }

    /// A buffer on memory that `deallocator` frees, on the thread that lets go of it last.
    public convenience init(
        buffer: UnsafeMutableRawBufferPointer, deallocator: @escaping CustomBlockDeallocator,
        flags: Flags = []
    ) throws {
        self.init(segments: [])
        try append(buffer: buffer, deallocator: deallocator, flags: flags)
    }

    /// A buffer that shares the bytes of another, or of a part of one.
    public convenience init(bufferReference: some CMBlockBufferProtocol, flags: Flags = []) throws {
        self.init(segments: [])
        try append(bufferReference: bufferReference, flags: flags)
    }

    /// Adds memory from `malloc`, which the buffer frees; with `kCFAllocatorNull` it is borrowed.
    public func append(
        buffer: UnsafeMutableRawBufferPointer, allocator: CFAllocator? = kCFAllocatorDefault,
        flags: Flags = []
    ) throws {
        let frees = allocator?.freesMemory ?? true
        try append(buffer, deallocate: frees ? { memory, _ in free(memory) } : nil)
    }

    /// Adds memory that `deallocator` frees, on the thread that lets go of it last.
    public func append(
        buffer: UnsafeMutableRawBufferPointer, deallocator: @escaping CustomBlockDeallocator,
        flags: Flags = []
    ) throws {
        try append(buffer, deallocate: deallocator)
    }

    private func append(
        _ buffer: UnsafeMutableRawBufferPointer, deallocate: MemoryBlock.Deallocator?
    ) throws {
        guard let address = buffer.baseAddress else { throw Error.badPointerParameter }
        let block = MemoryBlock(pointer: address, length: buffer.count, deallocate: deallocate)
        try append([BlockSegment(block: block, offset: 0, length: buffer.count)])
    }

    /// Shares the bytes of another buffer, or of a part of one.
    public func append(bufferReference: some CMBlockBufferProtocol, flags: Flags = []) throws {
        let shared = try bufferReference.sharedSegments()
        guard !shared.isEmpty || flags.contains(.permitEmptyReference) else { throw Error.emptyBlockBuffer }
        try append(shared)
    }

    /// Adds `length` bytes, or the part of them that `range` names; zero until written.
    public func append(
        length: Int, allocator: CFAllocator? = kCFAllocatorDefault, range: Range<Int>? = nil,
        flags: Flags = []
    ) throws {
        let part = range ?? 0..<max(0, length)
        try append(
            block: length >= 0 ? MemoryBlock(length: length) : nil, offset: part.lowerBound,
            length: part.count, flags: flags)
    }

    /// Adds a part of a block, with the checks that all callers need.
    func append(block: MemoryBlock?, offset: Int, length: Int, flags: Flags) throws {
        guard let block else { throw Error.badLengthParameter }
        guard offset >= 0, offset <= block.length else { throw Error.badOffsetParameter }
        guard length >= 0, length <= block.length - offset else { throw Error.badLengthParameter }
        if flags.contains(.assureMemoryNow), block.assured() == nil { throw Error.blockAllocationFailed }
        try append([BlockSegment(block: block, offset: offset, length: length)])
    }
}
