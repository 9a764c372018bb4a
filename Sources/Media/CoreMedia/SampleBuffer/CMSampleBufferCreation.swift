import Foundation

// The C functions that create sample buffers. Every function returns a result code.

/// A callback that makes a buffer's data ready. Receives the buffer and the `refcon` of its creation.
public typealias CMSampleBufferMakeDataReadyCallback = (CMSampleBuffer, UnsafeMutableRawPointer?) -> OSStatus

/// Creates a buffer whose data may come later.
@discardableResult
public func CMSampleBufferCreate(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
    makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon: UnsafeMutableRawPointer?,
    formatDescription: CMFormatDescription?, sampleCount: CMItemCount, sampleTimingEntryCount: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount: CMItemCount,
    sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    status {
        sampleBufferOut.pointee = try CMSampleBuffer(
            dataBuffer, dataReady ? .ready : .notReady, formatDescription, sampleCount,
            entries(sampleTimingArray, sampleTimingEntryCount),
            entries(sampleSizeArray, sampleSizeEntryCount),
            makeDataReady: handler(makeDataReadyCallback, refcon))
    }
}

/// Creates a buffer whose data is ready.
@discardableResult
public func CMSampleBufferCreateReady(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?,
    sampleCount: CMItemCount, sampleTimingEntryCount: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount: CMItemCount,
    sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMSampleBufferCreate(
        allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil,
        refcon: nil,
        formatDescription: formatDescription, sampleCount: sampleCount,
        sampleTimingEntryCount: sampleTimingEntryCount, sampleTimingArray: sampleTimingArray,
        sampleSizeEntryCount: sampleSizeEntryCount, sampleSizeArray: sampleSizeArray,
        sampleBufferOut: sampleBufferOut)
}

/// Creates an audio buffer from packet descriptions; the data may come later.
@discardableResult
public func CMAudioSampleBufferCreateWithPacketDescriptions(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
    makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon: UnsafeMutableRawPointer?,
    formatDescription: CMFormatDescription, sampleCount: CMItemCount, presentationTimeStamp: CMTime,
    packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    status {
        sampleBufferOut.pointee = try CMSampleBuffer(
            packets: packetDescriptions == nil ? [] : entries(packetDescriptions, sampleCount),
            dataBuffer: dataBuffer, readiness: dataReady ? .ready : .notReady,
            formatDescription: formatDescription, numSamples: sampleCount, at: presentationTimeStamp,
            makeDataReady: handler(makeDataReadyCallback, refcon))
    }
}

/// Creates an audio buffer from packet descriptions; the data is ready.
@discardableResult
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription,
    sampleCount: CMItemCount, presentationTimeStamp: CMTime,
    packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMAudioSampleBufferCreateWithPacketDescriptions(
        allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil,
        refcon: nil,
        formatDescription: formatDescription, sampleCount: sampleCount,
        presentationTimeStamp: presentationTimeStamp, packetDescriptions: packetDescriptions,
        sampleBufferOut: sampleBufferOut)
}

/// Creates a copy that shares the data.
@discardableResult
public func CMSampleBufferCreateCopy(
    allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    status { sampleBufferOut.pointee = try CMSampleBuffer(copying: sbuf) }
}

/// Creates a copy with other times.
@discardableResult
public func CMSampleBufferCreateCopyWithNewTiming(
    allocator: CFAllocator?, sampleBuffer originalSBuf: CMSampleBuffer, sampleTimingEntryCount: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    status {
        sampleBufferOut.pointee = try CMSampleBuffer(
            copying: originalSBuf, withNewTiming: entries(sampleTimingArray, sampleTimingEntryCount))
    }
}

/// Creates a copy of some of the samples.
@discardableResult
public func CMSampleBufferCopySampleBufferForRange(
    allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer, sampleRange: CFRange,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    status {
        let (end, overflow) = sampleRange.location.addingReportingOverflow(sampleRange.length)
        guard !overflow, sampleRange.location >= 0, sampleRange.length >= 0 else {
            throw CMSampleBuffer.Error.sampleIndexOutOfRange
        }
        sampleBufferOut.pointee = try CMSampleBuffer(copying: sbuf, forRange: sampleRange.location..<end)
    }
}

/// Calls `handler` with each sample's buffer and index, until `handler` returns a nonzero code.
@discardableResult
public func CMSampleBufferCallBlockForEachSample(
    _ sbuf: CMSampleBuffer, _ handler: (CMSampleBuffer, CMItemCount) -> OSStatus
) -> OSStatus {
    status {
        for (index, sample) in try sbuf.singleSampleBuffers().enumerated() {
            try check(handler(sample, index))
        }
    }
}

private func entries<Entry>(_ array: UnsafePointer<Entry>?, _ count: CMItemCount) throws -> [Entry] {
    guard count != 0 else { return [] }
    guard count > 0 else { throw CMSampleBuffer.Error.invalidEntryCount }
    guard let array else { throw CMSampleBuffer.Error.requiredParameterMissing }
    return Array(UnsafeBufferPointer(start: array, count: count))
}

private func handler(
    _ callback: CMSampleBufferMakeDataReadyCallback?, _ refcon: UnsafeMutableRawPointer?
) -> CMSampleBuffer.MakeDataReadyHandler? {
    callback.map { callback in { buffer in try check(callback(buffer, refcon)) } }
}
