internal import CSonic
public import PCM

/// Plays sound faster or slower with its pitch kept.
///
/// Push buffers with ``process(_:)``, end with ``finish()``. In all, `speed` input frames become one output frame: the
/// library's own rounding, which would add up to seconds in an hour, is watched and taken back as it arises. Not for two
/// threads at a time.
public final class TimeStretcher {
    /// What the library takes without leaving holes in the sound (*observed*).
    public static let speeds = 0.05...32.0

    /// What is off by more than this is taken back within about a second.
    private static let toleratedSeconds = 0.002
    private static let correction = 0.01

    public let format: PCMFormat
    public let speed: Double
    private let stream: sonicStream
    private var inputCount: Int64 = 0
    private var outputCount: Int64 = 0
    private var isCorrecting = false

    /// - Parameters:
    ///   - format: 32 bit floats, 1 or 2 channels.
    ///   - speed: in ``speeds``; beyond them the nearest.
    public init(format: PCMFormat, speed: Double) throws(ResamplingError) {
        precondition(format.sampleFormat == .float32, "stretch 32 bit floats")
        guard let stream = sonicCreateStream(Int32(format.sampleRate.hertz), Int32(format.channelCount))
        else { throw ResamplingError(operation: "sonicCreateStream", reason: "no memory") }
        (self.format, self.stream) = (format, stream)
        self.speed = Self.bounded(speed)
        setSpeed(self.speed)
    }

    static func bounded(_ speed: Double) -> Double {
        min(max(speed, speeds.lowerBound), speeds.upperBound)
    }

    deinit { sonicDestroyStream(stream) }

    /// The frames that these make ready; may be none, the library looks ahead.
    ///
    /// - Precondition: The buffer has ``format``.
    public func process(_ buffer: PCMBuffer) -> PCMBuffer {
        precondition(buffer.format == format, "formats differ")
        guard !buffer.isEmpty else { return buffer }
        correct()
        buffer.withUnsafeBytes { bytes in
            // The library does not write to what it is given.
            let samples = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(
                to: Float.self)
            _ = sonicWriteFloatToStream(stream, samples, Int32(buffer.frameCount))
        }
        inputCount += Int64(buffer.frameCount)
        return take(Int(sonicSamplesAvailable(stream)))
    }

    /// The rest of the stream, to the frame, and ready for the next one.
    public func finish() -> PCMBuffer {
        _ = sonicFlushStream(stream)
        let missing = Int(max(0, expected - outputCount))
        let available = Int(sonicSamplesAvailable(stream))
        var output = take(min(missing, available))
        // What the library adds of silence at the end is not sound.
        _ = take(available - output.frameCount)
        output.appendSilence(frameCount: missing - output.frameCount)
        (inputCount, outputCount) = (0, 0)
        return output
    }

    private var expected: Int64 { Int64((Double(inputCount) / speed).rounded()) }

    private func take(_ count: Int) -> PCMBuffer {
        let output = PCMBuffer(format: format, capacity: count) { room in
            guard let base = room.bindMemory(to: Float.self).baseAddress else { return 0 }
            return Int(sonicReadFloatFromStream(stream, base, Int32(count)))
        }
        outputCount += Int64(output.frameCount)
        return output
    }

    /// A little faster while too much has come out, a little slower while too little.
    private func correct() {
        // What the library still holds has not come out yet, and is no error.
        let held = Double(heldFrames) / speed
        let error =
            (Double(outputCount) + held - Double(inputCount) / speed) / Double(format.sampleRate.hertz)
        let isOff = abs(error) > Self.toleratedSeconds
        guard isOff || isCorrecting else { return }
        isCorrecting = isOff
        setSpeed(isOff ? speed * (1 + (error > 0 ? Self.correction : -Self.correction)) : speed)
    }

    /// Two periods of the lowest pitch that the library looks for, 65 Hz, on average half filled.
    private var heldFrames: Int { format.sampleRate.hertz / 65 }

    private func setSpeed(_ value: Double) { sonicSetSpeed(stream, Float(value)) }
}
