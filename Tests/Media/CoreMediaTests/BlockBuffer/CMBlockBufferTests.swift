import Foundation
import Synchronization
import Testing
import TuttiTestSupport

@testable import CoreMedia

@Suite("CMBlockBuffer")
struct CMBlockBufferTests {
    static func code(_ body: () throws -> Void) -> OSStatus { status { try body() } }

    static func buffer(_ pieces: [[UInt8]]) throws -> CMBlockBuffer {
        let whole = try CMBlockBuffer()
        for piece in pieces {
            let block = try CMBlockBuffer(length: piece.count)
            try block.replaceDataBytes(with: piece)
            try whole.append(bufferReference: block, flags: .permitEmptyReference)
        }
        return whole
    }

    @Test("memory is allocated at the first write, or when assured")
    func lazyMemory() throws {
        let buffer = try CMBlockBuffer(length: 4)
        #expect(buffer.dataLength == 4 && buffer.isContiguous && !buffer.isEmpty)
        #expect(Self.code { _ = try buffer.dataBytes() } == kCMBlockBufferUnallocatedBlockErr)
        #expect(
            CMBlockBufferGetDataPointer(
                buffer, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil)
                == kCMBlockBufferUnallocatedBlockErr)
        #expect(CMBlockBufferAssureBlockMemory(buffer) == noErr)
        #expect(try buffer.dataBytes() == Data(count: 4))
        let assured = try CMBlockBuffer(length: 2, flags: .assureMemoryNow)
        #expect(try assured.dataBytes() == Data(count: 2))
    }

    @Test("reads and writes across random pieces behave like one array")
    func pieces() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let pieces = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
            }
            let buffer = try Self.buffer(pieces)
            var model = pieces.flatMap { $0 }
            #expect(buffer.dataLength == model.count)
            #expect(Array(try buffer.dataBytes()) == model)
            #expect(buffer.isContiguous == (pieces.filter { !$0.isEmpty }.count == 1))
            let start = Int.random(in: 0...model.count, using: &generator)
            let length = Int.random(in: 0...model.count - start, using: &generator)
            #expect(
                Array(try buffer[start..<start + length].dataBytes()) == Array(model[start..<start + length]))
            let replacement = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let replaced = CMBlockBufferReplaceDataBytes(
                with: replacement, blockBuffer: buffer, offsetIntoDestination: start, dataLength: length)
            #expect(replaced == noErr)
            model.replaceSubrange(start..<start + length, with: replacement)
            #expect(try buffer.withContiguousStorage { Array($0) } == model)
            let copy = try buffer.makeContiguous()
            #expect(Array(try copy.dataBytes()) == model)
            var access = [UInt8](repeating: 0, count: length + 1)
            var found: UnsafeMutablePointer<CChar>?
            try access.withUnsafeMutableBytes { room in
                let temporary = try #require(room.baseAddress)
                let code = CMBlockBufferAccessDataBytes(
                    buffer, atOffset: start, length: length, temporaryBlock: temporary,
                    returnedPointerOut: &found)
                #expect(code == noErr)
                let bytes = UnsafeRawBufferPointer(start: found, count: length)
                #expect(Array(bytes) == Array(model[start..<start + length]))
            }
        }
    }

    @Test("contiguous bytes are accessed in place")
    func noCopy() throws {
        let buffer = try CMBlockBuffer(length: 8, flags: .assureMemoryNow)
        let place = try buffer.withUnsafeMutableBytes { UInt(bitPattern: $0.baseAddress) }
        #expect(try buffer.withContiguousStorage { UInt(bitPattern: $0.baseAddress) } == place)
        #expect(try buffer[2..<5].withContiguousStorage { UInt(bitPattern: $0.baseAddress) } == place + 2)
        #expect(
            try buffer[2...].withUnsafeMutableBytes(atOffset: 1) { UInt(bitPattern: $0.baseAddress) } == place
                + 3)
        let shared = try CMBlockBuffer(bufferReference: buffer[4..<8])
        #expect(try shared.withContiguousStorage { UInt(bitPattern: $0.baseAddress) } == place + 4)
        try shared.fillDataBytes(with: 9)
        #expect(Array(try buffer.dataBytes()) == [0, 0, 0, 0, 9, 9, 9, 9])
        #expect(
            try buffer.makeContiguous().withContiguousStorage { UInt(bitPattern: $0.baseAddress) } == place)
        let copy = try buffer.makeContiguous(flags: .alwaysCopyData)
        #expect(try copy.withContiguousStorage { UInt(bitPattern: $0.baseAddress) } != place)
    }

    @Test("external memory is borrowed, freed by its owner, or freed by us")
    func ownership() throws {
        let borrowed = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
        borrowed.copyBytes(from: [1, 2, 3])
        do {
            let buffer = try CMBlockBuffer(buffer: borrowed, allocator: kCFAllocatorNull)
            #expect(Array(try buffer.dataBytes()) == [1, 2, 3])
        }
        #expect(Array(borrowed) == [1, 2, 3])
        let freed = Atomic<Int>(0)
        do {
            var slice: CMBlockBuffer?
            do {
                let owner = try CMBlockBuffer(
                    buffer: borrowed, deallocator: { _, length in freed.store(length, ordering: .relaxed) })
                slice = try CMBlockBuffer(bufferReference: owner[1..<2])
            }
            #expect(freed.load(ordering: .relaxed) == 0)
            #expect(try slice?.dataBytes() == Data([2]))
        }
        #expect(freed.load(ordering: .relaxed) == 3)
        borrowed.deallocate()
        let empty = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        #expect(
            Self.code { _ = try CMBlockBuffer(buffer: empty) } == kCMBlockBufferBadPointerParameterErr)
        let ours = try #require(malloc(5))
        _ = try CMBlockBuffer(buffer: UnsafeMutableRawBufferPointer(start: ours, count: 5))
    }

    @Test("a custom block source allocates and frees")
    func customSource() throws {
        let counts = UnsafeMutablePointer<Int>.allocate(capacity: 2)
        counts.initialize(repeating: 0, count: 2)
        defer { counts.deallocate() }
        var source = CMBlockBufferCustomBlockSource(
            version: kCMBlockBufferCustomBlockSourceVersion,
            AllocateBlock: { counts, size in
                counts?.assumingMemoryBound(to: Int.self)[0] += 1
                return malloc(size)
            },
            FreeBlock: { counts, memory, _ in
                counts?.assumingMemoryBound(to: Int.self)[1] += 1
                free(memory)
            }, refCon: counts)
        do {
            var buffer: CMBlockBuffer?
            let code = CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: nil, blockLength: 6, blockAllocator: nil,
                customBlockSource: &source,
                offsetToData: 2, dataLength: 3, flags: kCMBlockBufferAssureMemoryNowFlag,
                blockBufferOut: &buffer)
            #expect(code == noErr && buffer?.dataLength == 3 && counts[0] == 1 && counts[1] == 0)
        }
        #expect(counts[1] == 1)
        source.AllocateBlock = nil
        var buffer: CMBlockBuffer?
        let code = CMBlockBufferCreateWithMemoryBlock(
            allocator: nil, memoryBlock: nil, blockLength: 6, blockAllocator: nil, customBlockSource: &source,
            offsetToData: 0, dataLength: 6, flags: 0, blockBufferOut: &buffer)
        #expect(code == kCMBlockBufferBadCustomBlockSourceErr && buffer == nil)
    }

    @Test("lengths and offsets out of bounds are refused")
    func bounds() throws {
        let buffer = try Self.buffer([[1, 2], [3, 4, 5]])
        var room = [UInt8](repeating: 0, count: 8)
        for (offset, length, expected) in [
            (0, 5, noErr), (5, 0, noErr), (4, 1, noErr), (-1, 1, kCMBlockBufferBadOffsetParameterErr),
            (6, 0, kCMBlockBufferBadOffsetParameterErr), (0, 6, kCMBlockBufferBadLengthParameterErr),
            (3, -1, kCMBlockBufferBadLengthParameterErr), (2, .max, kCMBlockBufferBadLengthParameterErr),
            (.max, .max, kCMBlockBufferBadOffsetParameterErr),
        ] as [(Int, Int, OSStatus)] {
            #expect(
                CMBlockBufferCopyDataBytes(buffer, atOffset: offset, dataLength: length, destination: &room)
                    == expected)
        }
        #expect(Self.code { _ = try CMBlockBuffer(length: -1) } == kCMBlockBufferBadLengthParameterErr)
        #expect(
            Self.code { _ = try CMBlockBuffer(length: 4, range: 2..<6) }
                == kCMBlockBufferBadLengthParameterErr)
        #expect(
            Self.code { try buffer.replaceDataBytes(with: Data(count: 6)) }
                == kCMBlockBufferBadLengthParameterErr)
        #expect(
            Self.code { try buffer.withUnsafeMutableBytes(atOffset: 6) { _ in } }
                == kCMBlockBufferBadOffsetParameterErr)
        let small = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        #expect(Self.code { try buffer.copyDataBytes(to: small) } == kCMBlockBufferInsufficientSpaceErr)
        var made: CMBlockBuffer?
        #expect(
            CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: nil, blockLength: 4, blockAllocator: nil, customBlockSource: nil,
                offsetToData: 5, dataLength: 1, flags: 0, blockBufferOut: &made)
                == kCMBlockBufferBadOffsetParameterErr)
        let first = try CMBlockBuffer(length: .max)
        #expect(Self.code { try first.append(length: 1) } == kCMBlockBufferBadLengthParameterErr)
    }

    @Test("a failed allocation is an error, at once or at the first write")
    func noMemory() throws {
        var source = CMBlockBufferCustomBlockSource(
            version: 0, AllocateBlock: { _, _ in nil }, FreeBlock: nil, refCon: nil)
        func make(_ flags: CMBlockBufferFlags, _ buffer: inout CMBlockBuffer?) -> OSStatus {
            CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: nil, blockLength: 6, blockAllocator: nil,
                customBlockSource: &source,
                offsetToData: 0, dataLength: 6, flags: flags, blockBufferOut: &buffer)
        }
        var buffer: CMBlockBuffer?
        #expect(make(kCMBlockBufferAssureMemoryNowFlag, &buffer) == kCMBlockBufferBlockAllocationFailedErr)
        #expect(buffer == nil && make(0, &buffer) == noErr)
        let later = try #require(buffer)
        #expect(Self.code { try later.fillDataBytes(with: 1) } == kCMBlockBufferBlockAllocationFailedErr)
        #expect(CMBlockBufferAssureBlockMemory(later) == kCMBlockBufferBlockAllocationFailedErr)
    }

    @Test("references to empty buffers need the permitting flag")
    func emptyReferences() throws {
        let empty = try CMBlockBuffer()
        #expect(empty.isEmpty && !empty.isContiguous && CMBlockBufferIsEmpty(empty))
        #expect(Self.code { _ = try CMBlockBuffer(bufferReference: empty) } == kCMBlockBufferEmptyBBufErr)
        let reference = try CMBlockBuffer(bufferReference: empty, flags: .permitEmptyReference)
        #expect(reference.dataLength == 0)
        #expect(try reference.withContiguousStorage { $0.count } == 0)
        #expect(
            CMBlockBufferGetDataPointer(
                empty, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil)
                == kCMBlockBufferEmptyBBufErr)
    }

    @Test("the C calls work: appending, contiguity, pointers, filling")
    func spelledInC() throws {
        var buffer: CMBlockBuffer?
        #expect(
            CMBlockBufferCreateEmpty(allocator: nil, capacity: 4, flags: 0, blockBufferOut: &buffer) == noErr)
        let whole = try #require(buffer)
        let piece = try Self.buffer([[1, 2, 3, 4]])
        for offset in [2, 0] {
            let code = CMBlockBufferAppendBufferReference(
                whole, targetBBuf: piece, offsetToData: offset, dataLength: 2, flags: 0)
            #expect(code == noErr)
        }
        #expect(Array(try whole.dataBytes()) == [3, 4, 1, 2])
        #expect(CMBlockBufferGetDataLength(whole) == 4)
        #expect(!CMBlockBufferIsRangeContiguous(whole, atOffset: 1, length: 2))
        #expect(CMBlockBufferIsRangeContiguous(whole, atOffset: 2, length: 0))
        var (here, total) = (0, 0)
        var pointer: UnsafeMutablePointer<CChar>?
        #expect(
            CMBlockBufferGetDataPointer(
                whole, atOffset: 1, lengthAtOffsetOut: &here, totalLengthOut: &total, dataPointerOut: &pointer
            )
                == noErr)
        #expect(here == 1 && total == 4 && pointer?.pointee == 4)
        var contiguous: CMBlockBuffer?
        #expect(
            CMBlockBufferCreateContiguous(
                allocator: nil, sourceBuffer: whole, blockAllocator: nil, customBlockSource: nil,
                offsetToData: 1,
                dataLength: 0, flags: 0, blockBufferOut: &contiguous) == noErr)
        #expect(contiguous?.isContiguous == true)
        #expect(try contiguous?.dataBytes() == Data([4, 1, 2]))
        #expect(
            CMBlockBufferFillDataBytes(with: 7, blockBuffer: whole, offsetIntoDestination: 3, dataLength: 0)
                == noErr)
        #expect(Array(try whole.dataBytes()) == [3, 4, 1, 7])
        #expect(Array(try piece.dataBytes()) == [1, 7, 3, 4])
    }

    @Test("error codes are in Apple's order")
    func codes() {
        let all = [
            kCMBlockBufferStructureAllocationFailedErr, kCMBlockBufferBlockAllocationFailedErr,
            kCMBlockBufferBadCustomBlockSourceErr, kCMBlockBufferBadOffsetParameterErr,
            kCMBlockBufferBadLengthParameterErr, kCMBlockBufferBadPointerParameterErr,
            kCMBlockBufferEmptyBBufErr,
            kCMBlockBufferUnallocatedBlockErr, kCMBlockBufferInsufficientSpaceErr,
        ]
        #expect(all == Array((-12708 ... -12700).reversed()))
        #expect(CMBlockBuffer.Error.emptyBlockBuffer.domain == NSOSStatusErrorDomain)
    }
}
