import MediaTime

/// Frames of one format in memory of their own, interleaved.
///
/// A value: copies share storage until one of them changes. For a first-in first-out flow of
/// frames use ``PCMQueue``, which drops from the front without moving what is left.
public struct PCMBuffer: Hashable, Sendable {
    public let format: PCMFormat
    /// The samples as they lie in memory: native byte order, a whole number of frames.
    public private(set) var bytes: [UInt8]

    /// No frames yet.
    public init(format: PCMFormat) {
        self.format = format
        bytes = []
    }

    /// Digital silence.
    public init(format: PCMFormat, silentFrameCount: Int) {
        self.format = format
        bytes = Array(repeating: 0, count: max(0, silentFrameCount) * format.bytesPerFrame)
    }

    /// `nil` unless `bytes` is a whole number of frames.
    public init?(format: PCMFormat, bytes: [UInt8]) {
        guard bytes.count % format.bytesPerFrame == 0 else { return nil }
        self.format = format
        self.bytes = bytes
    }

    /// Frames written in place, without clearing the memory first.
    ///
    /// - Parameter fill: Gets room for `capacity` frames, aligned for every sample format, and
    ///   returns how many frames it wrote from the start; not called for none.
    public init(format: PCMFormat, capacity: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) {
        self.format = format
        let byteCapacity = max(0, capacity) * format.bytesPerFrame
        // Without room the initializer would write its count into the one empty array of all threads.
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

    /// Interleaved 16 bit samples; a last incomplete frame is dropped.
    public init(sampleRate: SampleRate, channelCount: Int, samples: [Int16]) {
        let format = PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: .int16)
        self.init(format: format, copying: samples)
    }

    /// Interleaved float samples; a last incomplete frame is dropped.
    public init(sampleRate: SampleRate, channelCount: Int, samples: [Float]) {
        let format = PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: .float32)
        self.init(format: format, copying: samples)
    }

    /// Interleaved 32 bit words; a last incomplete frame is dropped.
    ///
    /// - Parameter is24Bit: The words are ``SampleFormat/int24in32``; their low byte must be zero.
    public init(sampleRate: SampleRate, channelCount: Int, samples: [Int32], is24Bit: Bool) {
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

    public var frameCount: Int { bytes.count / format.bytesPerFrame }

    public var isEmpty: Bool { bytes.isEmpty }

    public var duration: Duration { format.sampleRate.duration(of: Int64(frameCount)) }

    /// The frames of a range, held inside what is there; copies them.
    public subscript(frames: Range<Int>) -> PCMBuffer {
        let inside = frames.clamped(to: 0..<frameCount)
        let size = format.bytesPerFrame
        var part = PCMBuffer(format: format)
        part.bytes = Array(bytes[inside.lowerBound * size..<inside.upperBound * size])
        return part
    }

    /// - Precondition: The formats are equal.
    public mutating func append(_ other: PCMBuffer) {
        precondition(other.format == format, "formats differ")
        bytes.append(contentsOf: other.bytes)
    }

    public mutating func appendSilence(frameCount: Int) {
        bytes.append(contentsOf: repeatElement(0, count: max(0, frameCount) * format.bytesPerFrame))
    }

    /// Drops frames at the front; moves what is left, so not for a queue.
    public mutating func removeFirst(frameCount count: Int) {
        bytes.removeFirst(min(max(0, count), frameCount) * format.bytesPerFrame)
    }

    public mutating func removeLast(frameCount count: Int) {
        bytes.removeLast(min(max(0, count), frameCount) * format.bytesPerFrame)
    }

    /// The samples, interleaved; empty unless the format is ``SampleFormat/int16``.
    public var int16Samples: [Int16] { format.sampleFormat == .int16 ? samples() : [] }

    /// The samples, interleaved; empty unless the format is ``SampleFormat/int24in32`` or ``SampleFormat/int32``.
    public var int32Samples: [Int32] {
        format.sampleFormat == .int24in32 || format.sampleFormat == .int32 ? samples() : []
    }

    /// The samples, interleaved; empty unless the format is ``SampleFormat/float32``.
    public var floatSamples: [Float] { format.sampleFormat == .float32 ? samples() : [] }

    private func samples<Sample: BitwiseCopyable>() -> [Sample] {
        bytes.withUnsafeBytes { Array($0.bindMemory(to: Sample.self)) }
    }

    /// The bytes, valid inside the closure, aligned for every sample format.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { (all: UnsafeBufferPointer<UInt8>) throws(Failure) -> Result in
            try body(UnsafeRawBufferPointer(all))
        }
    }

    /// The bytes to change in place, valid inside the closure, aligned for every sample format.
    public mutating func withUnsafeMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeMutableBufferPointer {
            (all: inout UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Result in
            try body(UnsafeMutableRawBufferPointer(all))
        }
    }
}
