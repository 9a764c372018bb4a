import Foundation

/// Options of a lock on a pixel buffer.
public struct CVPixelBufferLockFlags: OptionSet, Hashable, Sendable {
    /// The raw bits.
    public let rawValue: CVOptionFlags

    /// Creates flags from their bits; unnamed bits are kept.
    public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

    /// The caller only reads the pixels.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// The locks that callers hold on a pixel buffer.
struct LockCounts {
    private var reading = 0
    private var writing = 0

    var isLocked: Bool { reading > 0 || writing > 0 }

    mutating func lock(_ flags: CVPixelBufferLockFlags) -> CVReturn {
        guard flags.isSubset(of: .readOnly) else { return kCVReturnInvalidArgument }
        if flags.contains(.readOnly) { reading += 1 } else { writing += 1 }
        return kCVReturnSuccess
    }

    mutating func unlock(_ flags: CVPixelBufferLockFlags) -> CVReturn {
        guard flags.isSubset(of: .readOnly) else { return kCVReturnInvalidArgument }
        let isReading = flags.contains(.readOnly)
        guard (isReading ? reading : writing) > 0 else { return kCVReturnError }
        if isReading { reading -= 1 } else { writing -= 1 }
        return kCVReturnSuccess
    }
}

/// Announces access to the pixels; every call needs an ``CVPixelBufferUnlockBaseAddress(_:_:)`` with the same
/// flags.
///
/// The pixels are always in main memory here, so the call only counts and does not wait.
///
/// - Returns: ``kCVReturnSuccess``, or ``kCVReturnInvalidArgument`` for unknown flags.
@discardableResult
public func CVPixelBufferLockBaseAddress(
    _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
    pixelBuffer.locks.withLock { $0.lock(lockFlags) }
}

/// Ends an access to the pixels.
///
/// - Returns: ``kCVReturnSuccess``, ``kCVReturnError`` without a lock of these flags, or
///   ``kCVReturnInvalidArgument`` for unknown flags.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
    _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
    pixelBuffer.locks.withLock { $0.unlock(unlockFlags) }
}

/// Returns the width in pixels.
@discardableResult
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// Returns the height in pixels.
@discardableResult
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// Returns the pixel format.
@discardableResult
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
    pixelBuffer.pixelFormat
}

/// Returns the address of the first pixel; in a planar format, that of the first plane.
///
/// The address stays the same for the buffer's life, locked or not. On Apple's platforms only a locked buffer
/// has an address.
@discardableResult
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
    pixelBuffer.planes.first?.address
}

/// Returns the distance from one row to the next in bytes; in a planar format, that of the first plane.
@discardableResult
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
    pixelBuffer.planes.first?.bytesPerRow ?? 0
}

/// Returns the bytes of all rows of all planes.
@discardableResult
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.byteCount }

/// Returns whether the pixel format has planes.
@discardableResult
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.isPlanar }

/// Returns the number of planes; 0 for a format without planes.
@discardableResult
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
    pixelBuffer.isPlanar ? pixelBuffer.planes.count : 0
}

/// Returns the width of a plane in its own samples; 0 if there is no such plane.
@discardableResult
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.plane(planeIndex)?.width ?? 0
}

/// Returns the number of a plane's rows; 0 if there is no such plane.
@discardableResult
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.plane(planeIndex)?.height ?? 0
}

/// Returns the address of a plane's first sample; `nil` if there is no such plane.
@discardableResult
public func CVPixelBufferGetBaseAddressOfPlane(
    _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
    pixelBuffer.plane(planeIndex)?.address
}

/// Returns the distance from one row of a plane to the next in bytes; 0 if there is no such plane.
@discardableResult
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.plane(planeIndex)?.bytesPerRow ?? 0
}

/// Returns the padding around the picture in pixels, which is always 0 here.
public func CVPixelBufferGetExtendedPixels(
    _ pixelBuffer: CVPixelBuffer, _ extraColumnsOnLeft: UnsafeMutablePointer<Int>?,
    _ extraColumnsOnRight: UnsafeMutablePointer<Int>?, _ extraRowsOnTop: UnsafeMutablePointer<Int>?,
    _ extraRowsOnBottom: UnsafeMutablePointer<Int>?
) {
    for extra in [extraColumnsOnLeft, extraColumnsOnRight, extraRowsOnTop, extraRowsOnBottom] {
        extra?.pointee = 0
    }
}

/// Does nothing: pictures have no padding here.
@discardableResult
public func CVPixelBufferFillExtendedPixels(_ pixelBuffer: CVPixelBuffer) -> CVReturn { kCVReturnSuccess }

/// Returns the attributes that the buffer's creator gave, with the buffer's format and size.
@discardableResult
public func CVPixelBufferCopyCreationAttributes(_ pixelBuffer: CVPixelBuffer) -> CFDictionary {
    pixelBuffer.creationAttributes
}
