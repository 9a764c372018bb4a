/// The result code of a Core Video call: zero is success.
public typealias CVReturn = Int32

/// Success.
public let kCVReturnSuccess: CVReturn = 0
/// The first of the error codes.
public let kCVReturnFirst: CVReturn = -6660
/// An error without a code of its own, such as unlocking a buffer that is not locked.
public let kCVReturnError: CVReturn = -6660
/// A parameter is invalid.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// Memory allocation failed.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The operation is not supported.
public let kCVReturnUnsupported: CVReturn = -6663
/// There is no such display.
public let kCVReturnInvalidDisplay: CVReturn = -6670
/// The pixel format is not supported.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// A size is not positive or exceeds the limit.
public let kCVReturnInvalidSize: CVReturn = -6681
/// An attribute of the pixel buffer is missing or invalid.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
/// The buffer is not compatible with OpenGL.
public let kCVReturnPixelBufferNotOpenGLCompatible: CVReturn = -6683
/// The buffer is not compatible with Metal.
public let kCVReturnPixelBufferNotMetalCompatible: CVReturn = -6684
/// The pool has as many buffers in use as the caller allows.
public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689
/// The pool could not be created.
public let kCVReturnPoolAllocationFailed: CVReturn = -6690
/// An attribute of the pool is invalid.
public let kCVReturnInvalidPoolAttributes: CVReturn = -6691
/// The call may succeed later.
public let kCVReturnRetry: CVReturn = -6692
/// The last of the error codes.
public let kCVReturnLast: CVReturn = -6699

/// Option bits of a call.
public typealias CVOptionFlags = UInt64
