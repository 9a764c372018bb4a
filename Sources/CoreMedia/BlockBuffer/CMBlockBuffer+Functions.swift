import Foundation

// CMBlockBuffer in its C spelling. Every function gives a result code; see the constants.

/// Allocates and frees the memory of a block, in place of `malloc` and `free`.
public struct CMBlockBufferCustomBlockSource {
    /// Zero.
    public var version: UInt32
    /// Allocates a block; given `refCon` and the size.
    public var AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?
    /// Frees a block; given `refCon`, the address and the size.
    public var FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?
    /// Passed to both functions.
    public var refCon: UnsafeMutableRawPointer?

    /// Takes the fields as they are.
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

/// The version of ``CMBlockBufferCustomBlockSource``.
public let kCMBlockBufferCustomBlockSourceVersion: UInt32 = 0

/// Makes an empty buffer.
@discardableResult
public func CMBlockBufferCreateEmpty(
    allocator: CFAllocator?, capacity: UInt32, flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    status {
        blockBufferOut.pointee = try CMBlockBuffer(capacity: Int(capacity), flags: .init(rawValue: flags))
    }
}

/// Makes a buffer on a block of memory, given or to be allocated.
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

/// Adds a block of memory, given or to be allocated, to a buffer.
@discardableResult
public func CMBlockBufferAppendMemoryBlock(
    _ theBuffer: CMBlockBuffer, memoryBlock: UnsafeMutableRawPointer?, length blockLength: Int,
    blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags
) -> OSStatus {
    status {
        // The part is checked before the block takes charge of memory that the caller keeps on an error.
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

/// Makes a buffer that shares a part of another; a length of zero means all from the offset on.
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

/// Shares a part of another buffer; a length of zero means all from the offset on.
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

/// Makes a buffer whose bytes are in one piece; a length of zero means all from the offset on.
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

/// Writes bytes into a buffer, allocating memory where there is none.
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

/// Sets bytes of a buffer, allocating memory where there is none; a length of zero means all from the
/// offset on.
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

/// Gives bytes in place where they are contiguous, else a copy of them in `temporaryBlock`.
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

/// Gives the address of a byte, and how many bytes follow it there and in all.
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

/// How many bytes a buffer has.
@discardableResult
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }

/// Whether a buffer has no byte.
@discardableResult
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.isEmpty }

/// Whether bytes lie in one piece; a length of zero means all from the offset on.
@discardableResult
public func CMBlockBufferIsRangeContiguous(
    _ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int
) -> Bool {
    let rest = max(0, theBuffer.dataLength - max(0, offset))
    return (try? theBuffer.segments(from: offset, length: length == 0 ? rest : length))?.count == 1
}

/// Allocates the memory of every piece that has none yet.
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
