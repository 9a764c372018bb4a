import Foundation

// The C functions of CMBlockBuffer. A function that can fail returns a result code; see the constants.

/// The functions that allocate and free a block's memory, instead of `malloc` and `free`.
public struct CMBlockBufferCustomBlockSource {
    /// The structure's version; zero.
    public var version: UInt32
    /// The function that allocates a block. Receives `refCon` and the size in bytes.
    public var AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?
    /// The function that frees a block. Receives `refCon`, the address and the size in bytes.
    public var FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?
    /// The value passed to both functions.
    public var refCon: UnsafeMutableRawPointer?

    /// Creates a value from its fields.
    public init(
        version: UInt32,
        AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?,
        FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?,
        refCon: UnsafeMutableRawPointer?
    ) {
        self.version = version
        self.AllocateBlock = AllocateBlock
        self.FreeBlock = FreeBlock
        self.refCon = refCon
    }
}

/// The current version of ``CMBlockBufferCustomBlockSource``.
public let kCMBlockBufferCustomBlockSourceVersion: UInt32 = 0

/// Creates an empty buffer.
@discardableResult
public func CMBlockBufferCreateEmpty(
    allocator: CFAllocator?, capacity: UInt32, flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    status {
        blockBufferOut.pointee = try CMBlockBuffer(capacity: Int(capacity), flags: .init(rawValue: flags))
    }
}

/// Creates a buffer on the caller's memory block, or on a new block if `memoryBlock` is `nil`.
@discardableResult
public func CMBlockBufferCreateWithMemoryBlock(
    allocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?, blockLength: Int,
    blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    status {
        let buffer = try CMBlockBuffer()
        try check(
            CMBlockBufferAppendMemoryBlock(
                buffer, memoryBlock: memoryBlock, length: blockLength, blockAllocator: blockAllocator,
                customBlockSource: customBlockSource, offsetToData: offsetToData, dataLength: dataLength,
                flags: flags))
        blockBufferOut.pointee = buffer
    }
}

/// Appends the caller's memory block, or a new block if `memoryBlock` is `nil`.
@discardableResult
public func CMBlockBufferAppendMemoryBlock(
    _ theBuffer: CMBlockBuffer, memoryBlock: UnsafeMutableRawPointer?, length blockLength: Int,
    blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags
) -> OSStatus {
    status {
        // Checks the range before the block takes ownership: on an error the caller keeps the memory.
        guard blockLength >= 0 else { throw CMBlockBuffer.Error.badLengthParameter }
        guard offsetToData >= 0, offsetToData <= blockLength else {
            throw CMBlockBuffer.Error.badOffsetParameter
        }
        guard dataLength >= 0, dataLength <= blockLength - offsetToData else {
            throw CMBlockBuffer.Error.badLengthParameter
        }
        let block = try makeBlock(memoryBlock, blockLength, blockAllocator, customBlockSource?.pointee)
        try theBuffer.append(
            block: block, offset: offsetToData, length: dataLength, flags: .init(rawValue: flags))
    }
}

private func makeBlock(
    _ memory: UnsafeMutableRawPointer?, _ length: Int, _ allocator: CFAllocator?,
    _ source: CMBlockBufferCustomBlockSource?
) throws -> MemoryBlock {
    let refCon = source?.refCon
    let release = source.map { source in
        { (memory: UnsafeMutableRawPointer, length: Int) in
            if let free = source.FreeBlock { free(refCon, memory, length) }
        }
    }
    if let memory {
        let plain: MemoryBlock.Deallocator = { memory, _ in free(memory) }
        let frees = allocator?.freesMemory ?? true
        return MemoryBlock(pointer: memory, length: length, deallocate: release ?? (frees ? plain : nil))
    }
    guard let release else { return MemoryBlock(length: length) }
    guard let allocate = source?.AllocateBlock else { throw CMBlockBuffer.Error.badCustomBlockSource }
    return MemoryBlock(length: length, allocate: { allocate(refCon, $0) }, deallocate: release)
}

/// Creates a buffer that shares part of another; a length of zero means everything from the offset on.
@discardableResult
public func CMBlockBufferCreateWithBufferReference(
    allocator: CFAllocator?, referenceBuffer: CMBlockBuffer, offsetToData: Int, dataLength: Int,
    flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    status {
        let buffer = try CMBlockBuffer()
        try check(
            CMBlockBufferAppendBufferReference(
                buffer, targetBBuf: referenceBuffer, offsetToData: offsetToData, dataLength: dataLength,
                flags: flags))
        blockBufferOut.pointee = buffer
    }
}

/// Appends part of another buffer by reference; a length of zero means everything from the offset on.
@discardableResult
public func CMBlockBufferAppendBufferReference(
    _ theBuffer: CMBlockBuffer, targetBBuf: CMBlockBuffer, offsetToData: Int, dataLength: Int,
    flags: CMBlockBufferFlags
) -> OSStatus {
    status {
        let length = dataLength == 0 ? max(0, targetBBuf.dataLength - max(0, offsetToData)) : dataLength
        let shared = try targetBBuf.segments(from: offsetToData, length: length)
        guard !shared.isEmpty || CMBlockBuffer.Flags(rawValue: flags).contains(.permitEmptyReference) else {
            throw CMBlockBuffer.Error.emptyBlockBuffer
        }
        try theBuffer.append(shared)
    }
}

/// Creates a buffer with contiguous bytes; a length of zero means everything from the offset on.
@discardableResult
public func CMBlockBufferCreateContiguous(
    allocator: CFAllocator?, sourceBuffer: CMBlockBuffer, blockAllocator: CFAllocator?,
    customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int, dataLength: Int,
    flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    status {
        let length = dataLength == 0 ? max(0, sourceBuffer.dataLength - max(0, offsetToData)) : dataLength
        let part = CMBlockBuffer(segments: try sourceBuffer.segments(from: offsetToData, length: length))
        blockBufferOut.pointee = try part.makeContiguous(flags: .init(rawValue: flags))
    }
}

/// Writes bytes into a buffer, allocating memory where the buffer has none.
@discardableResult
public func CMBlockBufferReplaceDataBytes(
    with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer,
    offsetIntoDestination: Int, dataLength: Int
) -> OSStatus {
    status {
        try part(destinationBuffer, offsetIntoDestination, dataLength)
            .replaceDataBytes(with: UnsafeRawBufferPointer(start: sourceBytes, count: dataLength))
    }
}

/// Sets bytes of a buffer to `fillByte`, allocating memory where the buffer has none. A length of zero means
/// everything from the offset on.
@discardableResult
public func CMBlockBufferFillDataBytes(
    with fillByte: CChar, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int,
    dataLength: Int
) -> OSStatus {
    status {
        let rest = max(0, destinationBuffer.dataLength - max(0, offsetIntoDestination))
        try part(destinationBuffer, offsetIntoDestination, dataLength == 0 ? rest : dataLength)
            .fillDataBytes(with: fillByte)
    }
}

/// Copies bytes out of a buffer.
@discardableResult
public func CMBlockBufferCopyDataBytes(
    _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
    destination: UnsafeMutableRawPointer
) -> OSStatus {
    status {
        try part(theSourceBuffer, offsetToData, dataLength)
            .copyDataBytes(to: UnsafeMutableRawBufferPointer(start: destination, count: dataLength))
    }
}

/// Returns a pointer to contiguous bytes in place, or to a copy of the bytes in `temporaryBlock`.
@discardableResult
public func CMBlockBufferAccessDataBytes(
    _ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int, temporaryBlock: UnsafeMutableRawPointer,
    returnedPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> OSStatus {
    status {
        let segments = try theBuffer.segments(from: offset, length: length)
        if segments.count == 1, let bytes = segments[0].allocated {
            returnedPointerOut.pointee = bytes.assumingMemoryBound(to: CChar.self)
            return
        }
        try part(theBuffer, offset, length)
            .copyDataBytes(to: UnsafeMutableRawBufferPointer(start: temporaryBlock, count: length))
        returnedPointerOut.pointee = temporaryBlock.assumingMemoryBound(to: CChar.self)
    }
}

/// Returns the address of a byte, the contiguous bytes from there on, and the buffer's length in bytes.
@discardableResult
public func CMBlockBufferGetDataPointer(
    _ theBuffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
    totalLengthOut: UnsafeMutablePointer<Int>?,
    dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
    status {
        let length = theBuffer.dataLength
        guard length > 0 else { throw CMBlockBuffer.Error.emptyBlockBuffer }
        guard offset >= 0, offset < length else { throw CMBlockBuffer.Error.badOffsetParameter }
        guard let segment = try theBuffer.segments(from: offset, length: length - offset).first,
            let bytes = segment.allocated
        else { throw CMBlockBuffer.Error.unallocatedBlock }
        lengthAtOffsetOut?.pointee = segment.length
        totalLengthOut?.pointee = length
        dataPointerOut?.pointee = bytes.assumingMemoryBound(to: CChar.self)
    }
}

/// Returns the number of bytes in a buffer.
@discardableResult
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }

/// Returns whether a buffer is empty.
@discardableResult
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.isEmpty }

/// Returns whether bytes are contiguous; a length of zero means everything from the offset on. Bytes outside the buffer are
/// not.
@discardableResult
public func CMBlockBufferIsRangeContiguous(
    _ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int
) -> Bool {
    let rest = max(0, theBuffer.dataLength - max(0, offset))
    return (try? theBuffer.segments(from: offset, length: length == 0 ? rest : length))?.count == 1
}

/// Allocates the memory of every segment that has none yet.
@discardableResult
public func CMBlockBufferAssureBlockMemory(_ theBuffer: CMBlockBuffer) -> OSStatus {
    status { try theBuffer.assureBlockMemory() }
}

private func part(_ buffer: CMBlockBuffer, _ offset: Int, _ length: Int) throws -> CMBlockBuffer.Slice {
    let total = buffer.dataLength
    guard offset >= 0, offset <= total else { throw CMBlockBuffer.Error.badOffsetParameter }
    guard length >= 0, length <= total - offset else { throw CMBlockBuffer.Error.badLengthParameter }
    return buffer[offset..<offset + length]
}
