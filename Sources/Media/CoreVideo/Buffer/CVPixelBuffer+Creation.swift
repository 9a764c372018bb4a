import Foundation

/// A function that takes back a caller's memory. Receives the `refcon` and the address.
public typealias CVPixelBufferReleaseBytesCallback =
    @Sendable @convention(c) (_ releaseRefCon: UnsafeMutableRawPointer?, _ baseAddress: UnsafeRawPointer?) ->
    Void

/// A function that takes back a caller's planes. Receives the `refcon`, the address and the size of the
/// memory as the caller gave them, and the number and the addresses of the planes.
public typealias CVPixelBufferReleasePlanarBytesCallback =
    @Sendable @convention(c) (
        _ releaseRefCon: UnsafeMutableRawPointer?, _ dataPtr: UnsafeRawPointer?, _ dataSize: Int,
        _ numberOfPlanes: Int, _ planeAddresses: UnsafeMutablePointer<UnsafeRawPointer?>?
    ) -> Void

/// Creates a buffer with its own memory, in which every byte is zero.
///
/// Rows and planes begin at multiples of 64 bytes, or of the attribute
/// ``kCVPixelBufferBytesPerRowAlignmentKey`` if that is more. The size and the format in the attributes have
/// no effect.
///
/// - Parameters:
///   - width: The width in pixels, 1…16,384.
///   - height: The height in pixels, 1…16,384.
///   - pixelFormatType: One of the `kCVPixelFormatType` constants.
/// - Returns: ``kCVReturnSuccess``, ``kCVReturnInvalidSize`` beyond these limits or 1 GiB,
///   ``kCVReturnInvalidPixelFormat``, ``kCVReturnInvalidPixelBufferAttributes`` for an invalid alignment, or
///   ``kCVReturnAllocationFailed``.
@discardableResult
public func CVPixelBufferCreate(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    status { () throws(PixelBufferError) in
        let layout = try PixelLayout(
            pixelFormatType, width: width, height: height, attributes: pixelBufferAttributes)
        pixelBufferOut.pointee = CVBuffer(
            try PixelMemory(layout), attributes: pixelBufferAttributes)
    }
}

/// Creates a buffer on a caller's memory, for a format without planes.
///
/// The buffer calls `releaseCallback` once when it goes away, on any thread; after an error, never.
///
/// - Parameter bytesPerRow: The distance from one row to the next in bytes, at least a row's bytes.
/// - Returns: ``kCVReturnSuccess``, ``kCVReturnInvalidSize`` beyond 16,384 pixels a side or 1 GiB,
///   ``kCVReturnInvalidPixelFormat``, or ``kCVReturnInvalidArgument`` for a planar format or rows that are
///   too short.
@discardableResult
public func CVPixelBufferCreateWithBytes(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int,
    _ releaseCallback: CVPixelBufferReleaseBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
    _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    status { () throws(PixelBufferError) in
        let format = try PixelFormat(supported: pixelFormatType, width: width, height: height)
        let plane = CVPlane(address: baseAddress, width: width, height: height, bytesPerRow: bytesPerRow)
        guard !format.isPlanar else { throw PixelBufferError(kCVReturnInvalidArgument) }
        try format.check([plane], width: width, height: height)
        pixelBufferOut.pointee = CVBuffer(
            pixelFormatType, width, height, [plane], isPlanar: false,
            owner: BorrowedMemory { releaseCallback?(releaseRefCon, UnsafeRawPointer(baseAddress)) },
            attributes: pixelBufferAttributes)
    }
}

/// Creates a buffer on a caller's planes.
///
/// The buffer calls `releaseCallback` once when it goes away, on any thread; after an error, never.
///
/// - Parameters:
///   - dataPtr: The memory that contains the planes, for the callback; `nil` if they are apart.
///   - dataSize: The size of that memory in bytes, for the callback.
///   - planeBytesPerRow: The distances from one row to the next in bytes, each at least a row's bytes.
/// - Returns: ``kCVReturnSuccess``, ``kCVReturnInvalidSize`` beyond 16,384 pixels a side or 1 GiB,
///   ``kCVReturnInvalidPixelFormat``, or ``kCVReturnInvalidArgument`` for a format without planes or planes
///   that do not suit the format.
@discardableResult
public func CVPixelBufferCreateWithPlanarBytes(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ dataPtr: UnsafeMutableRawPointer?, _ dataSize: Int, _ numberOfPlanes: Int,
    _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
    _ planeWidth: UnsafeMutablePointer<Int>, _ planeHeight: UnsafeMutablePointer<Int>,
    _ planeBytesPerRow: UnsafeMutablePointer<Int>,
    _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
    _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    status { () throws(PixelBufferError) in
        let format = try PixelFormat(supported: pixelFormatType, width: width, height: height)
        // The count comes first: the caller's arrays may be shorter than the format has planes.
        guard format.isPlanar, numberOfPlanes == format.planes.count else {
            throw PixelBufferError(kCVReturnInvalidArgument)
        }
        let planes = (0..<numberOfPlanes).compactMap { index in
            planeBaseAddress[index].map { address in
                CVPlane(
                    address: address, width: planeWidth[index], height: planeHeight[index],
                    bytesPerRow: planeBytesPerRow[index])
            }
        }
        try format.check(planes, width: width, height: height)
        let owner = BorrowedMemory {
            var addresses: [UnsafeRawPointer?] = planes.map { UnsafeRawPointer($0.address) }
            releaseCallback?(releaseRefCon, UnsafeRawPointer(dataPtr), dataSize, planes.count, &addresses)
        }
        pixelBufferOut.pointee = CVBuffer(
            pixelFormatType, width, height, planes, isPlanar: true, owner: owner,
            attributes: pixelBufferAttributes)
    }
}

extension CVBuffer {
    /// Creates a buffer on its own memory.
    ///
    /// - Parameter owner: An object that keeps `memory`; the memory itself if `nil`.
    convenience init(
        _ memory: PixelMemory, owner: (any AnyObject & Sendable)? = nil, attributes: CFDictionary?
    ) {
        let layout = memory.layout
        self.init(
            layout.type, layout.width, layout.height, memory.planes, isPlanar: layout.isPlanar,
            owner: owner ?? memory, attributes: attributes)
    }
}

extension PixelFormat {
    /// Checks a caller's planes against the format and the size of a picture.
    ///
    /// - Throws: `kCVReturnInvalidArgument`, or `kCVReturnInvalidSize` for more bytes than the limit.
    func check(_ planes: [CVPlane], width: Int, height: Int) throws(PixelBufferError) {
        guard planes.count == self.planes.count else { throw PixelBufferError(kCVReturnInvalidArgument) }
        var total = 0
        for (plane, own) in zip(planes, self.planes) {
            guard (plane.width, plane.height) == own.size(width, height),
                plane.bytesPerRow >= own.bytesPerRow(plane.width)
            else { throw PixelBufferError(kCVReturnInvalidArgument) }
            let (count, overflow) = plane.bytesPerRow.multipliedReportingOverflow(by: plane.height)
            guard !overflow, count <= CVBuffer.byteLimit - total else {
                throw PixelBufferError(kCVReturnInvalidSize)
            }
            total += count
        }
    }
}

extension PixelLayout {
    /// Creates the layout of a picture with the alignment that the attributes ask for.
    init(
        _ type: OSType, width: Int, height: Int, attributes: CFDictionary?
    ) throws(PixelBufferError) {
        guard let wish = attributes?[kCVPixelBufferBytesPerRowAlignmentKey] else {
            try self.init(type, width: width, height: height)
            return
        }
        guard let alignment = (wish as? NSNumber)?.intValue, (1...Self.greatestAlignment).contains(alignment),
            alignment.nonzeroBitCount == 1
        else { throw PixelBufferError(kCVReturnInvalidPixelBufferAttributes) }
        try self.init(type, width: width, height: height, alignment: alignment)
    }
}
