import CoreVideo
import Foundation

extension CMSampleBuffer {
    /// Creates a buffer with one picture.
    ///
    /// - Throws: ``Error/invalidMediaFormat`` if the format is not that of the picture.
    public convenience init(
        imageBuffer: CVImageBuffer, formatDescription: CMFormatDescription, sampleTiming: CMSampleTimingInfo
    ) throws {
        try self.init(imageBuffer, .ready, formatDescription, sampleTiming, makeDataReady: nil)
    }

    /// Creates a buffer with one picture, whose pixels may come later, from a handler that runs when they are
    /// needed.
    ///
    /// - Throws: ``Error/invalidMediaFormat`` if the format is not that of the picture.
    public convenience init(
        imageBuffer: CVImageBuffer, dataReady: Bool, formatDescription: CMFormatDescription,
        sampleTiming: CMSampleTimingInfo, makeDataReadyHandler: @escaping MakeDataReadyHandler
    ) throws {
        try self.init(
            imageBuffer, dataReady ? .ready : .notReady, formatDescription, sampleTiming,
            makeDataReady: makeDataReadyHandler)
    }

    fileprivate convenience init(
        _ imageBuffer: CVImageBuffer, _ readiness: DataReadiness, _ format: CMFormatDescription,
        _ timing: CMSampleTimingInfo, makeDataReady: MakeDataReadyHandler?
    ) throws {
        guard format.matchesImageBuffer(imageBuffer) else { throw Error.invalidMediaFormat }
        self.init(
            formatDescription: format, timing: try SampleTiming(entries: [timing], sampleCount: 1),
            sizes: try SampleSizes(sizes: [], sampleCount: 1),
            state: SampleBufferState(
                imageBuffer: imageBuffer, readiness: readiness, makeDataReady: makeDataReady))
    }

    /// The picture; `nil` in a buffer of other data.
    public var imageBuffer: CVImageBuffer? { withState { $0.imageBuffer } }

    /// The bytes of the picture; 0 without one. The total sample size does not contain them.
    package var imageByteCount: Int { imageBuffer?.byteCount ?? 0 }
}

/// Returns the picture; `nil` in a buffer of other data.
@discardableResult
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

/// Creates a buffer with one picture, whose pixels may come later.
///
/// - Returns: `noErr`, or ``kCMSampleBufferError_InvalidMediaFormat`` if the format is not that of the
///   picture.
@discardableResult
public func CMSampleBufferCreateForImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool,
    makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon: UnsafeMutableRawPointer?,
    formatDescription: CMVideoFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    status {
        sampleBufferOut.pointee = try CMSampleBuffer(
            imageBuffer, dataReady ? .ready : .notReady, formatDescription, sampleTiming.pointee,
            makeDataReady: makeDataReadyCallback.map { callback in
                { buffer in try check(callback(buffer, refcon)) }
            })
    }
}

/// Creates a buffer with one picture, whose pixels may come later.
///
/// - Returns: `noErr`, or ``kCMSampleBufferError_InvalidMediaFormat`` if the format is not that of the
///   picture.
@discardableResult
public func CMSampleBufferCreateForImageBufferWithMakeDataReadyHandler(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool,
    formatDescription: CMVideoFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>,
    makeDataReadyHandler: @escaping (CMSampleBuffer) -> OSStatus
) -> OSStatus {
    status {
        sampleBufferOut.pointee = try CMSampleBuffer(
            imageBuffer, dataReady ? .ready : .notReady, formatDescription, sampleTiming.pointee,
            makeDataReady: { buffer in try check(makeDataReadyHandler(buffer)) })
    }
}

/// Creates a buffer with one picture, whose pixels are ready.
///
/// - Returns: `noErr`, or ``kCMSampleBufferError_InvalidMediaFormat`` if the format is not that of the
///   picture.
@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
    sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    status {
        sampleBufferOut.pointee = try CMSampleBuffer(
            imageBuffer: imageBuffer, formatDescription: formatDescription, sampleTiming: sampleTiming.pointee
        )
    }
}
