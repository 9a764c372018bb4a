import CTuttiSonic
import TuttiPCM

/// Changes the speed of sound and keeps its pitch.
///
/// Push buffers with ``process(_:)``, end with ``finish()``. In total, `speed` input frames become one output
/// frame: the library's own rounding, which would grow to seconds in an hour, is measured and corrected as it
/// arises. Use from one thread at a time.
package final class TimeStretcher {
    /// Speeds that the library handles without holes in the sound (*observed*).
    package static let speeds = 0.05...32.0

    /// Largest uncorrected error, in seconds; a larger error is corrected within about a second.
    private static let toleratedSeconds = 0.002
    private static let correction = 0.01

    /// The format of input and output.
    package let format: PCMFormat
    /// Input frames per output frame, within ``speeds``.
    package let speed: Double
    private let stream: sonicStream
    private var inputCount: Int64 = 0
    private var outputCount: Int64 = 0
    private var isCorrecting = false

    /// - Parameters:
    ///   - format: 32 bit floats, 1 or 2 channels.
    ///   - speed: Clamped to ``speeds``.
    /// - Throws: An error if the library is out of memory.
    package init(format: PCMFormat, speed: Double) throws(ResamplingError) {
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

    /// Stretches one buffer and returns the frames that are ready; none if the library needs more look-ahead.
    ///
    /// - Precondition: the buffer has ``format``.
    package func process(_ buffer: PCMBuffer) -> PCMBuffer {
        precondition(buffer.format == format, "formats differ")
        guard !buffer.isEmpty else { return buffer }
        correct()
        buffer.withUnsafeBytes { bytes in
            // The library does not write to its input.
            let samples = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(
                to: Float.self)
            _ = sonicWriteFloatToStream(stream, samples, Int32(buffer.frameCount))
        }
        inputCount += Int64(buffer.frameCount)
        return take(Int(sonicSamplesAvailable(stream)))
    }

    /// Drains the stream, exact to the frame, and resets for the next one.
    package func finish() -> PCMBuffer {
        _ = sonicFlushStream(stream)
        let missing = Int(max(0, expected - outputCount))
        let available = Int(sonicSamplesAvailable(stream))
        var output = take(min(missing, available))
        // The library pads the end with silence, which is not sound.
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

    /// Speeds up a little while the output is too long, and slows down a little while it is too short.
    private func correct() {
        // Sound that the library still holds is no error.
        let held = Double(heldFrames) / speed
        let error =
            (Double(outputCount) + held - Double(inputCount) / speed) / Double(format.sampleRate.hertz)
        let isOff = abs(error) > Self.toleratedSeconds
        guard isOff || isCorrecting else { return }
        isCorrecting = isOff
        setSpeed(isOff ? speed * (1 + (error > 0 ? Self.correction : -Self.correction)) : speed)
    }

    /// Two periods of the lowest pitch that the library detects, 65 Hz, on average half filled.
    private var heldFrames: Int { format.sampleRate.hertz / 65 }

    private func setSpeed(_ value: Double) { sonicSetSpeed(stream, Float(value)) }
}
