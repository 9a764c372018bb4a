import Foundation

// Keys of the dictionaries that describe a pixel buffer before its creation, with the type of the value in
// parentheses. Keys about graphics hardware are kept with the buffer and have no effect here.

/// The pixel format (a number; in a pool also an array of numbers, of which the first supported one counts).
public var kCVPixelBufferPixelFormatTypeKey: CFString { Keys.pixelFormatType.string }
/// The width in pixels (a number).
public var kCVPixelBufferWidthKey: CFString { Keys.width.string }
/// The height in pixels (a number).
public var kCVPixelBufferHeightKey: CFString { Keys.height.string }
/// The alignment of each row in bytes (a number, a power of two up to 65,536; never less than 64 here).
public var kCVPixelBufferBytesPerRowAlignmentKey: CFString { Keys.bytesPerRowAlignment.string }
/// The alignment of each plane in bytes (a number; always that of the rows here).
public var kCVPixelBufferPlaneAlignmentKey: CFString { Keys.planeAlignment.string }
/// The columns of padding on the left (a number; without effect here).
public var kCVPixelBufferExtendedPixelsLeftKey: CFString { Keys.extendedPixelsLeft.string }
/// The rows of padding at the top (a number; without effect here).
public var kCVPixelBufferExtendedPixelsTopKey: CFString { Keys.extendedPixelsTop.string }
/// The columns of padding on the right (a number; without effect here).
public var kCVPixelBufferExtendedPixelsRightKey: CFString { Keys.extendedPixelsRight.string }
/// The rows of padding at the bottom (a number; without effect here).
public var kCVPixelBufferExtendedPixelsBottomKey: CFString { Keys.extendedPixelsBottom.string }
/// The allocator of the buffer's memory (an object; without effect here).
public var kCVPixelBufferMemoryAllocatorKey: CFString { Keys.memoryAllocator.string }
/// The properties of an IOSurface (a dictionary; without effect here).
public var kCVPixelBufferIOSurfacePropertiesKey: CFString { Keys.ioSurfaceProperties.string }
/// Whether Metal can use the buffer (a Boolean; without effect here).
public var kCVPixelBufferMetalCompatibilityKey: CFString { Keys.metalCompatibility.string }
/// Whether OpenGL can use the buffer (a Boolean; without effect here).
public var kCVPixelBufferOpenGLCompatibilityKey: CFString { Keys.openGLCompatibility.string }
/// Whether OpenGL ES can use the buffer (a Boolean; without effect here).
public var kCVPixelBufferOpenGLESCompatibilityKey: CFString { Keys.openGLESCompatibility.string }
/// Whether an OpenGL ES texture cache can use the buffer (a Boolean; without effect here).
public var kCVPixelBufferOpenGLESTextureCacheCompatibilityKey: CFString {
    Keys.textureCacheCompatibility.string
}
/// Whether a `CGImage` can use the pixels (a Boolean; without effect here).
public var kCVPixelBufferCGImageCompatibilityKey: CFString { Keys.cgImageCompatibility.string }
/// Whether a bitmap context can draw into the pixels (a Boolean; without effect here).
public var kCVPixelBufferCGBitmapContextCompatibilityKey: CFString {
    Keys.cgBitmapContextCompatibility.string
}

// Keys of the dictionary that describes a pool.

/// The number of buffers, in use or free, that the pool keeps whatever their age (a number; 0 if missing).
public var kCVPixelBufferPoolMinimumBufferCountKey: CFString { Keys.poolMinimumBufferCount.string }
/// The age in seconds at which the pool releases a free buffer (a number; 1 if missing, 0 for never).
public var kCVPixelBufferPoolMaximumBufferAgeKey: CFString { Keys.poolMaximumBufferAge.string }
/// The number of buffers in use at which the pool refuses another one (a number, for one creation).
public var kCVPixelBufferPoolAllocationThresholdKey: CFString { Keys.poolAllocationThreshold.string }
/// The name of the notification that a buffer of a pool became free after a refusal.
public var kCVPixelBufferPoolFreeBufferNotification: CFString { Keys.poolFreeBufferNotification.string }

/// String objects with stable addresses, because C callers keep pointers to the keys.
private enum Keys {
    static let pixelFormatType = ConstantString("PixelFormatType")
    static let width = ConstantString("Width")
    static let height = ConstantString("Height")
    static let bytesPerRowAlignment = ConstantString("BytesPerRowAlignment")
    static let planeAlignment = ConstantString("PlaneAlignment")
    static let extendedPixelsLeft = ConstantString("ExtendedPixelsLeft")
    static let extendedPixelsTop = ConstantString("ExtendedPixelsTop")
    static let extendedPixelsRight = ConstantString("ExtendedPixelsRight")
    static let extendedPixelsBottom = ConstantString("ExtendedPixelsBottom")
    static let memoryAllocator = ConstantString("MemoryAllocator")
    static let ioSurfaceProperties = ConstantString("IOSurfaceProperties")
    static let metalCompatibility = ConstantString("MetalCompatibility")
    static let openGLCompatibility = ConstantString("OpenGLCompatibility")
    static let openGLESCompatibility = ConstantString("OpenGLESCompatibility")
    static let textureCacheCompatibility = ConstantString("OpenGLESTextureCacheCompatibility")
    static let cgImageCompatibility = ConstantString("CGImageCompatibility")
    static let cgBitmapContextCompatibility = ConstantString("CGBitmapContextCompatibility")
    static let poolMinimumBufferCount = ConstantString("MinimumBufferCount")
    static let poolMaximumBufferAge = ConstantString("MaximumBufferAge")
    static let poolAllocationThreshold = ConstantString("BufferPoolAllocationThreshold")
    static let poolFreeBufferNotification = ConstantString("CVPixelBufferPoolFreeBufferNotification")
}
