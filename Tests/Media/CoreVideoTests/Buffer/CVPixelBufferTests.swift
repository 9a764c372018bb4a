import Testing

@testable import CoreVideo

@Suite("CVPixelBuffer")
struct CVPixelBufferTests {
    @Test("a packed buffer has aligned rows of zeros and no planes")
    func packed() throws {
        let buffer = try Make.buffer(5, 3)
        #expect(CVPixelBufferGetWidth(buffer) == 5 && CVPixelBufferGetHeight(buffer) == 3)
        #expect(CVPixelBufferGetBytesPerRow(buffer) == 64 && CVPixelBufferGetDataSize(buffer) == 192)
        #expect(!CVPixelBufferIsPlanar(buffer) && CVPixelBufferGetPlaneCount(buffer) == 0)
        #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 0) == nil)
        #expect(CVPixelBufferGetWidthOfPlane(buffer, 0) == 0 && CVPixelBufferGetHeightOfPlane(buffer, 0) == 0)
        #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA)
        let address = try #require(CVPixelBufferGetBaseAddress(buffer))
        #expect(Int(bitPattern: address) % 64 == 0)
        #expect(UnsafeRawBufferPointer(start: address, count: 192).allSatisfy { $0 == 0 })
        #expect(buffer.planes.count == 1 && buffer.byteCount == 192)
    }

    @Test("chroma planes of a picture with odd sides are rounded up")
    func oddSides() throws {
        let buffer = try Make.buffer(3, 5, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(CVPixelBufferIsPlanar(buffer) && CVPixelBufferGetPlaneCount(buffer) == 2)
        #expect(CVPixelBufferGetWidthOfPlane(buffer, 0) == 3 && CVPixelBufferGetHeightOfPlane(buffer, 0) == 5)
        #expect(CVPixelBufferGetWidthOfPlane(buffer, 1) == 2 && CVPixelBufferGetHeightOfPlane(buffer, 1) == 3)
        #expect(CVPixelBufferGetWidthOfPlane(buffer, 2) == 0 && CVPixelBufferGetWidthOfPlane(buffer, -1) == 0)
        #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 1) == 64)
        #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 2) == 0)
        #expect(CVPixelBufferGetDataSize(buffer) == 5 * 64 + 3 * 64)
        let luma = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, 0))
        let chroma = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, 1))
        #expect(chroma - luma == 320 && CVPixelBufferGetBaseAddress(buffer) == luma)
        let planar = try Make.buffer(3, 5, kCVPixelFormatType_420YpCbCr8Planar)
        #expect((0..<3).map { CVPixelBufferGetWidthOfPlane(planar, $0) } == [3, 2, 2])
        #expect((0..<3).map { CVPixelBufferGetHeightOfPlane(planar, $0) } == [5, 3, 3])
    }

    /// Each format with the bytes of a row of 65 pixels, and the sizes and rows of the planes after the
    /// first.
    static let layouts: [(type: OSType, row: Int, others: [[Int]])] = [
        (kCVPixelFormatType_32ARGB, 260, []), (kCVPixelFormatType_32ABGR, 260, []),
        (kCVPixelFormatType_32RGBA, 260, []), (kCVPixelFormatType_24RGB, 195, []),
        (kCVPixelFormatType_24BGR, 195, []), (kCVPixelFormatType_64ARGB, 520, []),
        (kCVPixelFormatType_64RGBALE, 520, []), (kCVPixelFormatType_64RGBAHalf, 520, []),
        (kCVPixelFormatType_128RGBAFloat, 1040, []), (kCVPixelFormatType_OneComponent8, 65, []),
        (kCVPixelFormatType_OneComponent16, 130, []), (kCVPixelFormatType_OneComponent16Half, 130, []),
        (kCVPixelFormatType_OneComponent32Float, 260, []), (kCVPixelFormatType_TwoComponent8, 130, []),
        (kCVPixelFormatType_422YpCbCr8, 132, []), (kCVPixelFormatType_422YpCbCr8_yuvs, 132, []),
        (kCVPixelFormatType_422YpCbCr8FullRange, 132, []),
        (kCVPixelFormatType_420YpCbCr8PlanarFullRange, 65, [[33, 4, 33], [33, 4, 33]]),
        (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 65, [[33, 4, 66]]),
        (kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar, 65, [[33, 4, 66], [65, 7, 65]]),
        (kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, 65, [[33, 7, 66]]),
        (kCVPixelFormatType_422YpCbCr8BiPlanarFullRange, 65, [[33, 7, 66]]),
        (kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange, 65, [[65, 7, 130]]),
        (kCVPixelFormatType_444YpCbCr8BiPlanarFullRange, 65, [[65, 7, 130]]),
        (kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, 130, [[33, 4, 132]]),
        (kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, 130, [[33, 4, 132]]),
        (kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, 130, [[33, 7, 132]]),
        (kCVPixelFormatType_422YpCbCr10BiPlanarFullRange, 130, [[33, 7, 132]]),
        (kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange, 130, [[65, 7, 260]]),
        (kCVPixelFormatType_444YpCbCr10BiPlanarFullRange, 130, [[65, 7, 260]]),
    ]

    @Test("every format has the planes and rows of its definition", arguments: layouts.indices)
    func formats(index: Int) throws {
        func aligned(_ bytes: Int) -> Int { (bytes + 63) / 64 * 64 }
        let (type, row, others) = Self.layouts[index]
        let buffer = try Make.buffer(65, 7, type)
        #expect(CVPixelBufferGetBytesPerRow(buffer) == aligned(row))
        #expect(CVPixelBufferGetPlaneCount(buffer) == (others.isEmpty ? 0 : others.count + 1))
        var total = aligned(row) * 7
        for (index, other) in others.enumerated() {
            #expect(CVPixelBufferGetWidthOfPlane(buffer, index + 1) == other[0])
            #expect(CVPixelBufferGetHeightOfPlane(buffer, index + 1) == other[1])
            #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, index + 1) == aligned(other[2]))
            total += aligned(other[2]) * other[1]
        }
        #expect(CVPixelBufferGetDataSize(buffer) == total)
        // Every byte of every plane is the buffer's own.
        for plane in buffer.planes { memset(plane.address, 0xA5, plane.byteCount) }
    }

    @Test("sizes outside the limits are refused")
    func sizes() {
        for (width, height) in [(0, 1), (1, 0), (-1, 5), (16_385, 1), (1, 16_385), (.max, 1), (.min, .min)] {
            #expect(Make.code(width, height) == kCVReturnInvalidSize)
        }
        #expect(Make.code(1, 16_384) == kCVReturnSuccess && Make.code(16_384, 1) == kCVReturnSuccess)
        #expect(Make.code(16_384, 16_384, kCVPixelFormatType_64ARGB) == kCVReturnInvalidSize)
        #expect(
            Make.code(16_384, 16_384, kCVPixelFormatType_444YpCbCr10BiPlanarFullRange) == kCVReturnInvalidSize
        )
        #expect(Make.code(8, 8, 0x1234_5678) == kCVReturnInvalidPixelFormat)
    }

    @Test("a caller's alignment is used if it is a power of two")
    func alignment() throws {
        func attributes(_ value: Any) -> CFDictionary {
            [kCVPixelBufferBytesPerRowAlignmentKey: value] as CFDictionary
        }
        let buffer = try Make.buffer(5, 3, attributes: attributes(256))
        let address = try #require(CVPixelBufferGetBaseAddress(buffer))
        #expect(CVPixelBufferGetBytesPerRow(buffer) == 256 && Int(bitPattern: address) % 256 == 0)
        #expect(CVPixelBufferGetBytesPerRow(try Make.buffer(5, 3, attributes: attributes(16))) == 64)
        for value: Any in [0, -64, 48, 131_072, "64"] {
            #expect(
                Make.code(5, 3, attributes: attributes(value)) == kCVReturnInvalidPixelBufferAttributes)
        }
        #expect(Make.code(1, 16_384, attributes: attributes(65_536)) == kCVReturnSuccess)
        #expect(
            Make.code(1, 16_384, kCVPixelFormatType_420YpCbCr8Planar, attributes: attributes(65_536))
                == kCVReturnInvalidSize)
    }

    @Test("locks are counted by kind, and an unlock without a lock is an error")
    func locks() throws {
        let buffer = try Make.buffer(2, 2)
        #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnError)
        #expect(CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
        #expect(CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
        #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnError)
        #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
        #expect(buffer.locks.withLock { $0.isLocked })
        #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
        #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnError)
        let unknown = CVPixelBufferLockFlags(rawValue: 1 << 20)
        #expect(CVPixelBufferLockBaseAddress(buffer, unknown) == kCVReturnInvalidArgument)
        #expect(CVPixelBufferUnlockBaseAddress(buffer, unknown) == kCVReturnInvalidArgument)
        #expect(!buffer.locks.withLock { $0.isLocked })
    }

    @Test("the creation attributes contain the caller's and the buffer's own")
    func attributes() throws {
        let given = NSMutableDictionary(dictionary: [
            kCVPixelBufferMetalCompatibilityKey: true,
            kCVPixelBufferIOSurfacePropertiesKey: [:] as NSDictionary, kCVPixelBufferWidthKey: 99,
        ])
        let buffer = try Make.buffer(4, 2, attributes: given)
        given.removeAllObjects()
        let attributes = CVPixelBufferCopyCreationAttributes(buffer)
        #expect((attributes[kCVPixelBufferWidthKey] as? NSNumber)?.intValue == 4)
        #expect((attributes[kCVPixelBufferHeightKey] as? NSNumber)?.intValue == 2)
        #expect(
            (attributes[kCVPixelBufferPixelFormatTypeKey] as? NSNumber)?.uint32Value
                == kCVPixelFormatType_32BGRA)
        #expect((attributes[kCVPixelBufferMetalCompatibilityKey] as? NSNumber)?.boolValue == true)
        #expect(attributes[kCVPixelBufferIOSurfacePropertiesKey] is NSDictionary)
    }

    @Test("there is no padding around a picture")
    func extendedPixels() throws {
        let buffer = try Make.buffer(4, 2)
        var (left, right, top, bottom) = (9, 9, 9, 9)
        CVPixelBufferGetExtendedPixels(buffer, &left, &right, &top, &bottom)
        #expect((left, right, top, bottom) == (0, 0, 0, 0))
        CVPixelBufferGetExtendedPixels(buffer, nil, nil, nil, nil)
        #expect(CVPixelBufferFillExtendedPixels(buffer) == kCVReturnSuccess)
    }

    @Test("buffers are equal only to themselves")
    func identity() throws {
        let (one, other) = (try Make.buffer(1, 1), try Make.buffer(1, 1))
        #expect(one == one && one != other && Set([one, other, one]).count == 2)
    }
}
