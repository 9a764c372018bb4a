import Synchronization
import Testing

@testable import CoreVideo

/// Counts calls and keeps what they received.
private final class ReleaseRecord: Sendable {
    let calls = Mutex<[[Int]]>([])

    /// The object's address as a C caller passes it.
    var refcon: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ refcon: UnsafeMutableRawPointer?) -> ReleaseRecord? {
        refcon.map { Unmanaged<ReleaseRecord>.fromOpaque($0).takeUnretainedValue() }
    }
}

@Suite("CVPixelBuffer: memory of others")
struct ForeignMemoryTests {
    private final class Owner: Sendable {}

    @Test("a wrapped picture is not copied, and its owner lives as long as the buffer")
    func owner() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
        defer { memory.deallocate() }
        weak var owner: Owner?
        var buffer: CVPixelBuffer?
        do {
            let strong = Owner()
            owner = strong
            buffer = CVBuffer(
                pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 3, height: 5,
                planes: [
                    CVPlane(address: memory, width: 3, height: 5, bytesPerRow: 8),
                    CVPlane(address: memory + 40, width: 2, height: 3, bytesPerRow: 8),
                ], owner: strong)
        }
        #expect(owner != nil)
        let wrapped = try #require(buffer)
        #expect(CVPixelBufferGetBaseAddressOfPlane(wrapped, 0) == memory)
        #expect(CVPixelBufferGetBaseAddressOfPlane(wrapped, 1) == memory + 40)
        #expect(CVPixelBufferGetPlaneCount(wrapped) == 2 && CVPixelBufferGetDataSize(wrapped) == 64)
        memory.storeBytes(of: 7, as: UInt8.self)
        #expect(CVPixelBufferGetBaseAddress(wrapped)?.load(as: UInt8.self) == 7)
        withExtendedLifetime(wrapped) {}
    }

    @Test("the owner is released with the buffer")
    func ownerIsReleased() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
        defer { memory.deallocate() }
        weak var owner: Owner?
        do {
            let strong = Owner()
            owner = strong
            let plane = CVPlane(address: memory, width: 4, height: 4, bytesPerRow: 16)
            let buffer = CVBuffer(
                pixelFormat: kCVPixelFormatType_32BGRA, width: 4, height: 4, planes: [plane], owner: strong)
            #expect(CVPixelBufferGetPlaneCount(buffer) == 0 && !CVPixelBufferIsPlanar(buffer))
            #expect(CVPixelBufferGetBytesPerRow(buffer) == 16 && owner != nil)
        }
        #expect(owner == nil)
    }

    @Test("a caller's memory goes back once, with its address and its reference")
    func bytes() throws {
        let record = ReleaseRecord()
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 48, alignment: 16)
        defer { memory.deallocate() }
        func make(
            width: Int = 4, bytesPerRow: Int = 16, format: OSType = kCVPixelFormatType_32BGRA
        ) -> (CVReturn, CVPixelBuffer?) {
            var buffer: CVPixelBuffer?
            let code = CVPixelBufferCreateWithBytes(
                nil, width, 3, format, memory, bytesPerRow,
                { refcon, address in
                    ReleaseRecord.from(refcon)?.calls.withLock { $0.append([Int(bitPattern: address)]) }
                }, record.refcon, nil, &buffer)
            return (code, buffer)
        }
        do {
            let (code, buffer) = make()
            #expect(code == kCVReturnSuccess && record.calls.withLock { $0.isEmpty })
            #expect(CVPixelBufferGetBaseAddress(try #require(buffer)) == memory)
        }
        #expect(record.calls.withLock { $0 } == [[Int(bitPattern: memory)]])
        #expect(make(bytesPerRow: 15).0 == kCVReturnInvalidArgument)
        #expect(make(bytesPerRow: -16).0 == kCVReturnInvalidArgument)
        #expect(make(bytesPerRow: .max).0 == kCVReturnInvalidSize)
        #expect(make(width: 0).0 == kCVReturnInvalidSize && make(width: 5).0 == kCVReturnInvalidArgument)
        #expect(make(format: 1).0 == kCVReturnInvalidPixelFormat)
        #expect(make(format: kCVPixelFormatType_420YpCbCr8Planar).0 == kCVReturnInvalidArgument)
        #expect(record.calls.withLock { $0.count } == 1)
    }

    @Test("a caller's planes go back once, with their addresses")
    func planes() throws {
        let record = ReleaseRecord()
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        defer { memory.deallocate() }
        func make(
            widths: [Int] = [3, 2], heights: [Int] = [5, 3], rows: [Int] = [4, 4], count: Int = 2,
            second: UnsafeMutableRawPointer? = nil,
            format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        ) -> (CVReturn, CVPixelBuffer?) {
            var buffer: CVPixelBuffer?
            var addresses: [UnsafeMutableRawPointer?] = [memory, second ?? memory + 20]
            var (widths, heights, rows) = (widths, heights, rows)
            let code = CVPixelBufferCreateWithPlanarBytes(
                nil, 3, 5, format, memory, 64, count, &addresses, &widths, &heights, &rows,
                { refcon, address, size, count, planes in
                    let numbers = (0..<count).map { Int(bitPattern: planes?[$0]) }
                    ReleaseRecord.from(refcon)?.calls.withLock {
                        $0.append([Int(bitPattern: address), size] + numbers)
                    }
                }, record.refcon, nil, &buffer)
            return (code, buffer)
        }
        do {
            let (code, buffer) = make()
            #expect(code == kCVReturnSuccess)
            let planar = try #require(buffer)
            #expect(CVPixelBufferGetBaseAddressOfPlane(planar, 1) == memory + 20)
            #expect(CVPixelBufferGetDataSize(planar) == 32)
        }
        let start = Int(bitPattern: memory)
        #expect(record.calls.withLock { $0 } == [[start, 64, start, start + 20]])
        #expect(make(widths: [3, 1]).0 == kCVReturnInvalidArgument)
        #expect(make(heights: [5, 2]).0 == kCVReturnInvalidArgument)
        #expect(make(rows: [4, 3]).0 == kCVReturnInvalidArgument)
        #expect(make(rows: [.max, 4]).0 == kCVReturnInvalidSize)
        #expect(make(rows: [1 << 27, 1 << 28]).0 == kCVReturnInvalidSize)
        #expect(make(count: 1).0 == kCVReturnInvalidArgument && make(count: -1).0 == kCVReturnInvalidArgument)
        #expect(make(format: kCVPixelFormatType_420YpCbCr8Planar).0 == kCVReturnInvalidArgument)
        #expect(make(format: kCVPixelFormatType_32BGRA).0 == kCVReturnInvalidArgument)
        #expect(record.calls.withLock { $0.count } == 1)
    }

    @Test("a plane without an address is refused")
    func missingPlane() {
        var buffer: CVPixelBuffer?
        var addresses: [UnsafeMutableRawPointer?] = [nil, nil]
        var (widths, heights, rows) = ([3, 2], [5, 3], [4, 4])
        let code = CVPixelBufferCreateWithPlanarBytes(
            nil, 3, 5, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, 0, 2, &addresses, &widths,
            &heights,
            &rows, nil, nil, nil, &buffer)
        #expect(code == kCVReturnInvalidArgument && buffer == nil)
    }
}
