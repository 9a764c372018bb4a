import TuttiMediaTime
import TuttiPCM

/// Changes the speed of sound together with its pitch, like tape.
///
/// Push buffers with ``process(_:)``, end with ``finish()``. In total, `speed` input frames become one output
/// frame, exact to the frame. Use from one thread at a time.
package final class VarispeedConverter {
    /// The format of input and output.
    package let format: PCMFormat
    /// Input frames per output frame, within ``TimeStretcher/speeds``.
    package let speed: Double
    private let resampler: VariableRateResampler
    /// Samples of each channel that later frames still need; the first sample is input frame `base`.
    private var channels: [[Float]]
    private var base: Int64
    private var inputCount: Int64 = 0
    private var outputCount: Int64 = 0

    /// - Parameters:
    ///   - format: 32 bit floats.
    ///   - speed: Clamped to ``TimeStretcher/speeds``.
    package init(format: PCMFormat, speed: Double) {
        precondition(format.sampleFormat == .float32, "32 bit floats")
        self.format = format
        self.speed = TimeStretcher.bounded(speed)
        let hertz = Double(format.sampleRate.hertz) * max(1, self.speed)
        resampler = VariableRateResampler(
            from: SampleRate(hertz: Int(min(hertz, 1_536_000))) ?? format.sampleRate, to: format.sampleRate)
        channels = []
        base = 0
        reset()
    }

    private func reset() {
        // Silence precedes the first frame.
        let before = VariableRateResampler.framesBefore
        channels = Array(repeating: Array(repeating: 0, count: before), count: format.channelCount)
        (base, inputCount, outputCount) = (-Int64(before), 0, 0)
    }

    /// Converts one buffer and returns the frames that are ready; none if the filter needs more look-ahead.
    ///
    /// - Precondition: the buffer has ``format``.
    package func process(_ buffer: PCMBuffer) -> PCMBuffer {
        precondition(buffer.format == format, "formats differ")
        append(buffer)
        inputCount += Int64(buffer.frameCount)
        let reach = Double(inputCount - 1 - Int64(VariableRateResampler.framesAfter))
        guard reach >= 0 else { return PCMBuffer(format: format) }
        let end = Int64((reach / speed).rounded(.down)) + 1
        return make(Int(max(0, end - outputCount)))
    }

    /// Drains the stream and resets for the next one.
    package func finish() -> PCMBuffer {
        let expected = Int64((Double(inputCount) / speed).rounded())
        let after = Int(speed.rounded(.up)) + VariableRateResampler.framesAfter + 2
        append(PCMBuffer(format: format, silentFrameCount: after))
        let output = make(Int(max(0, expected - outputCount)))
        reset()
        return output
    }

    private func append(_ buffer: PCMBuffer) {
        let count = format.channelCount
        buffer.withUnsafeBytes { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            for channel in 0..<count {
                channels[channel].append(
                    contentsOf: stride(from: channel, to: samples.count, by: count).lazy.map { samples[$0] })
            }
        }
    }

    private func make(_ count: Int) -> PCMBuffer {
        guard count > 0 else { return PCMBuffer(format: format) }
        let start = Double(outputCount) * speed - Double(base)
        let output = PCMBuffer(format: format, capacity: count) { room in
            guard let target = room.bindMemory(to: Float.self).baseAddress else { return 0 }
            for (index, samples) in channels.enumerated() {
                samples.withUnsafeBufferPointer {
                    resampler.resample(
                        $0, from: start, step: speed, into: target + index, stride: format.channelCount,
                        count: count)
                }
            }
            return count
        }
        outputCount += Int64(count)
        forget()
        return output
    }

    /// Drops samples that the next frame does not need.
    private func forget() {
        let first =
            Int64((Double(outputCount) * speed).rounded(.down)) - Int64(VariableRateResampler.framesBefore)
        let count = Int(min(first - base, Int64(channels[0].count)))
        guard count > 0 else { return }
        for channel in channels.indices { channels[channel].removeFirst(count) }
        base += Int64(count)
    }
}
