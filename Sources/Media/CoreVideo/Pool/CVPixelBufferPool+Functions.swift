import Foundation

/// Options of ``CVPixelBufferPoolFlush(_:_:)``.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Hashable, Sendable {
    /// The raw bits.
    public let rawValue: CVOptionFlags

    /// Creates flags from their bits; unnamed bits are kept.
    public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

    /// Releases all free buffers, whatever their age.
    public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// Creates a pool.
///
/// - Parameters:
///   - poolAttributes: The minimum count and the maximum age of free buffers; both may be missing.
///   - pixelBufferAttributes: The attributes of every buffer, with format, width and height.
/// - Returns: ``kCVReturnSuccess``, ``kCVReturnInvalidPoolAttributes``,
///   ``kCVReturnInvalidPixelBufferAttributes`` if one of the three is missing, or the code with which
///   ``CVPixelBufferCreate(_:_:_:_:_:_:)`` refuses them.
@discardableResult
public func CVPixelBufferPoolCreate(
    _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: CFDictionary?,
    _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
    status { () throws(PixelBufferError) in
        poolOut.pointee = try CVPixelBufferPool(
            PoolAttributes(poolAttributes), BufferAttributes(pixelBufferAttributes))
    }
}

/// Returns the attributes of a pool.
@discardableResult
public func CVPixelBufferPoolGetAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
    pool.poolAttributes.dictionary
}

/// Returns the attributes of a pool's buffers.
@discardableResult
public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
    pool.bufferAttributes.dictionary
}

/// Creates a buffer, with the memory of a released one if there is any.
///
/// - Returns: ``kCVReturnSuccess``, or ``kCVReturnAllocationFailed``.
@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
    _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut)
}

/// Creates a buffer, with the memory of a released one if there is any, unless too many are in use.
///
/// - Parameter auxAttributes: ``kCVPixelBufferPoolAllocationThresholdKey`` or nothing.
/// - Returns: ``kCVReturnSuccess``; ``kCVReturnWouldExceedAllocationThreshold`` if no memory is free and as
///   many buffers as the threshold are in use; ``kCVReturnInvalidArgument`` for a threshold that is no
///   number; or ``kCVReturnAllocationFailed``.
@discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
    _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ auxAttributes: CFDictionary?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    status { () throws(PixelBufferError) in
        var threshold: Int?
        if let wish = auxAttributes?[kCVPixelBufferPoolAllocationThresholdKey] {
            guard let number = wish as? NSNumber else { throw PixelBufferError(kCVReturnInvalidArgument) }
            threshold = number.intValue
        }
        pixelBufferOut.pointee = try pixelBufferPool.makeBuffer(threshold: threshold)
    }
}

/// Releases the memory of free buffers: of all, or of those beyond the pool's maximum age.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
    pool.flush(options)
}
