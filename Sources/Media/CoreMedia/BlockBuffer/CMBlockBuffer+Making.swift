import Foundation

extension CMBlockBuffer {
    /// Creates an empty buffer to append to. `capacity` is a hint, which has no effect here.
    public convenience init(capacity: Int = 0, flags: Flags = []) throws {
        self.init(segments: [])
    }

    /// Creates a buffer of `length` bytes, or of the part of them in `range`. The bytes are zero once
    /// allocated: on the first write, or at once with ``Flags/assureMemoryNow``.
    public convenience init(
        length: Int, allocator: CFAllocator? = kCFAllocatorDefault, range: Range<Int>? = nil,
        flags: Flags = []
    ) throws {
        self.init(segments: [])
        try append(length: length, allocator: allocator, range: range, flags: flags)
    }

    /// Creates a buffer that takes ownership of memory from `malloc`. With `kCFAllocatorNull` the buffer
    /// borrows the memory, which must outlive every reference to the buffer's bytes.
    public convenience init(
        buffer: UnsafeMutableRawBufferPointer, allocator: CFAllocator? = kCFAllocatorDefault,
        flags: Flags = []
    ) throws {
        self.init(segments: [])
        try append(buffer: buffer, allocator: allocator, flags: flags)
    }

    /// Creates a buffer on memory that `deallocator` frees, on the thread that releases the last reference.
    public convenience init(
        buffer: UnsafeMutableRawBufferPointer, deallocator: @escaping CustomBlockDeallocator,
        flags: Flags = []
    ) throws {
        self.init(segments: [])
        try append(buffer: buffer, deallocator: deallocator, flags: flags)
    }

    /// Creates a buffer that shares the bytes of another buffer or slice.
    public convenience init(bufferReference: some CMBlockBufferProtocol, flags: Flags = []) throws {
        self.init(segments: [])
        try append(bufferReference: bufferReference, flags: flags)
    }

    /// Appends memory from `malloc` and takes ownership; with `kCFAllocatorNull` the buffer borrows the
    /// memory.
    public func append(
        buffer: UnsafeMutableRawBufferPointer, allocator: CFAllocator? = kCFAllocatorDefault,
        flags: Flags = []
    ) throws {
        let frees = allocator?.freesMemory ?? true
        try append(buffer, deallocate: frees ? { memory, _ in free(memory) } : nil)
    }

    /// Appends memory that `deallocator` frees, on the thread that releases the last reference.
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

    /// Appends the bytes of another buffer or slice by reference.
    public func append(bufferReference: some CMBlockBufferProtocol, flags: Flags = []) throws {
        let shared = try bufferReference.sharedSegments()
        guard !shared.isEmpty || flags.contains(.permitEmptyReference) else { throw Error.emptyBlockBuffer }
        try append(shared)
    }

    /// Appends `length` bytes, or the part of them in `range`. The bytes are zero once allocated: on the
    /// first write, or at once with ``Flags/assureMemoryNow``.
    public func append(
        length: Int, allocator: CFAllocator? = kCFAllocatorDefault, range: Range<Int>? = nil,
        flags: Flags = []
    ) throws {
        let part = range ?? 0..<max(0, length)
        try append(
            block: length >= 0 ? MemoryBlock(length: length) : nil, offset: part.lowerBound,
            length: part.count, flags: flags)
    }

    /// Appends part of a block after the checks that all callers need.
    func append(block: MemoryBlock?, offset: Int, length: Int, flags: Flags) throws {
        guard let block else { throw Error.badLengthParameter }
        guard offset >= 0, offset <= block.length else { throw Error.badOffsetParameter }
        guard length >= 0, length <= block.length - offset else { throw Error.badLengthParameter }
        if flags.contains(.assureMemoryNow), block.assured() == nil { throw Error.blockAllocationFailed }
        try append([BlockSegment(block: block, offset: offset, length: length)])
    }
}
