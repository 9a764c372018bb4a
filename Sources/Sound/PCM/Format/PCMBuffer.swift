import TuttiMediaTime

/// Interleaved frames of one format.
///
/// A value: copies share storage until one of them changes. For a first-in first-out flow of frames use
/// ``PCMQueue``, which drops from the front without moving the rest.
package struct PCMBuffer: Hashable, Sendable {
    /// The format of the frames.
    package let format: PCMFormat
    /// The raw samples: native byte order, a whole number of frames.
    package private(set) var bytes: [UInt8]

    /// Creates an empty buffer.
    package init(format: PCMFormat) {
        self.format = format
        bytes = []
    }

    /// Creates a buffer of digital silence.
    package init(format: PCMFormat, silentFrameCount: Int) {
        self.format = format
        bytes = Array(repeating: 0, count: max(0, silentFrameCount) * format.bytesPerFrame)
    }

    /// Creates a buffer from raw bytes; `nil` unless `bytes` is a whole number of frames.
    package init?(format: PCMFormat, bytes: [UInt8]) {
        guard bytes.count % format.bytesPerFrame == 0 else { return nil }
        self.format = format
        self.bytes = bytes
    }

    /// Creates a buffer whose frames are written in place, without clearing the memory first.
    ///
    /// - Parameter fill: Receives room for `capacity` frames, aligned for every sample format, and returns
    ///   the number of frames written from the start. Not called for a capacity of 0.
    package init(format: PCMFormat, capacity: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) {
        self.format = format
        let byteCapacity = max(0, capacity) * format.bytesPerFrame
        // With a capacity of 0 the initializer would write its count into the empty array that all threads
        // share.
        guard byteCapacity > 0 else {
            bytes = []
            return
        }
        bytes = Array(unsafeUninitializedCapacity: byteCapacity) { buffer, count in
            let room = UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(buffer)[..<byteCapacity])
            count = min(max(0, fill(room) * format.bytesPerFrame), byteCapacity)
        }
    }

    /// Creates a buffer from interleaved 16 bit samples; an incomplete last frame is dropped.
    package init(sampleRate: SampleRate, channelCount: Int, samples: [Int16]) {
        let format = PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: .int16)
        self.init(format: format, copying: samples)
    }

    /// Creates a buffer from interleaved float samples; an incomplete last frame is dropped.
    package init(sampleRate: SampleRate, channelCount: Int, samples: [Float]) {
        let format = PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: .float32)
        self.init(format: format, copying: samples)
    }

    /// Creates a buffer from interleaved 32 bit words; an incomplete last frame is dropped.
    ///
    /// - Parameter is24Bit: Whether the words are ``SampleFormat/int24in32``; their low byte must be zero.
    package init(sampleRate: SampleRate, channelCount: Int, samples: [Int32], is24Bit: Bool) {
        let format = PCMFormat(
            sampleRate: sampleRate, channelCount: channelCount, sampleFormat: is24Bit ? .int24in32 : .int32)
        self.init(format: format, copying: samples)
    }

    private init<Sample: BitwiseCopyable>(format: PCMFormat, copying samples: [Sample]) {
        self.format = format
        bytes = samples.withUnsafeBytes { source in
            Array(source.prefix(source.count / format.bytesPerFrame * format.bytesPerFrame))
        }
    }

    /// The number of frames.
    package var frameCount: Int { bytes.count / format.bytesPerFrame }

    /// Whether the buffer has no frames.
    package var isEmpty: Bool { bytes.isEmpty }

    /// The length in time, rounded toward zero to nanoseconds.
    package var duration: Duration { format.sampleRate.duration(of: Int64(frameCount)) }

    /// Returns a copy of a range of frames, clamped to the buffer.
    package subscript(frames: Range<Int>) -> PCMBuffer {
        let inside = frames.clamped(to: 0..<frameCount)
        let size = format.bytesPerFrame
        var part = PCMBuffer(format: format)
        part.bytes = Array(bytes[inside.lowerBound * size..<inside.upperBound * size])
        return part
    }

    /// Appends the frames of another buffer.
    ///
    /// - Precondition: the formats are equal.
    package mutating func append(_ other: PCMBuffer) {
        precondition(other.format == format, "formats differ")
        bytes.append(contentsOf: other.bytes)
    }

    /// Appends frames of digital silence.
    package mutating func appendSilence(frameCount: Int) {
        bytes.append(contentsOf: repeatElement(0, count: max(0, frameCount) * format.bytesPerFrame))
    }

    /// Drops frames at the front. Moves the rest, so not for a queue.
    package mutating func removeFirst(frameCount count: Int) {
        bytes.removeFirst(min(max(0, count), frameCount) * format.bytesPerFrame)
    }

    /// Drops frames at the end.
    package mutating func removeLast(frameCount count: Int) {
        bytes.removeLast(min(max(0, count), frameCount) * format.bytesPerFrame)
    }

    /// The interleaved samples; empty unless the format is ``SampleFormat/int16``.
    package var int16Samples: [Int16] { format.sampleFormat == .int16 ? samples() : [] }

    /// The interleaved samples; empty unless the format is ``SampleFormat/int24in32`` or
    /// ``SampleFormat/int32``.
    package var int32Samples: [Int32] {
        format.sampleFormat == .int24in32 || format.sampleFormat == .int32 ? samples() : []
    }

    /// The interleaved samples; empty unless the format is ``SampleFormat/float32``.
    package var floatSamples: [Float] { format.sampleFormat == .float32 ? samples() : [] }

    private func samples<Sample: BitwiseCopyable>() -> [Sample] {
        bytes.withUnsafeBytes { Array($0.bindMemory(to: Sample.self)) }
    }

    /// Lends the bytes, valid inside the closure and aligned for every sample format.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { (all: UnsafeBufferPointer<UInt8>) throws(Failure) -> Result in
            try body(UnsafeRawBufferPointer(all))
        }
    }

    /// Lends the bytes for changes in place, valid inside the closure and aligned for every sample format.
    package mutating func withUnsafeMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeMutableBufferPointer {
            (all: inout UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Result in
            try body(UnsafeMutableRawBufferPointer(all))
        }
    }
}
