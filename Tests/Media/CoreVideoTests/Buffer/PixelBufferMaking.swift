import Testing

@testable import CoreVideo

/// Buffers for tests.
enum Make {
    /// Creates a buffer of its own memory, or reports the code.
    static func buffer(
        _ width: Int, _ height: Int, _ format: OSType = kCVPixelFormatType_32BGRA,
        attributes: CFDictionary? = nil
    ) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        let code = CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, attributes, &buffer)
        try #require(code == kCVReturnSuccess)
        return try #require(buffer)
    }

    /// Returns the code with which a creation is refused.
    static func code(
        _ width: Int, _ height: Int, _ format: OSType = kCVPixelFormatType_32BGRA,
        attributes: CFDictionary? = nil
    ) -> CVReturn {
        var buffer: CVPixelBuffer?
        let code = CVPixelBufferCreate(nil, width, height, format, attributes, &buffer)
        return (buffer == nil) == (code != kCVReturnSuccess) ? code : kCVReturnError
    }
}
