import TuttiMediaTime
import TuttiResampling

/// A resampler of stereo sound whose rate follows a clock. At equal rates without a correction, the sound
/// passes bit for bit.
struct LiveResampler: Sendable {
    let inputRate: SampleRate
    private let nominal: Double
    private let kernel: VariableRateResampler
    private var left: [Float]
    private var right: [Float]
    /// The input position of the next output frame.
    private var position: Double

    init(from inputRate: SampleRate, to outputRate: SampleRate) {
        self.inputRate = inputRate
        nominal = Double(inputRate.hertz) / Double(outputRate.hertz)
        kernel = VariableRateResampler(from: inputRate, to: outputRate)
        left = [Float](repeating: 0, count: VariableRateResampler.framesBefore)
        right = left
        position = Double(VariableRateResampler.framesBefore)
    }

    /// Seconds of input that wait for what follows them.
    var pending: Double { (Double(left.count) - position) / Double(inputRate.hertz) }

    /// Takes interleaved input, and returns the output that it completes.
    ///
    /// - Parameter correction: Plays the input faster by this fraction of 1.
    mutating func convert(_ frames: ArraySlice<Float>, correction: Double) -> [Float] {
        var index = frames.startIndex
        while index + 1 < frames.endIndex {
            left.append(frames[index])
            right.append(frames[index + 1])
            index += 2
        }
        let step = nominal * (1 + correction)
        let room = Double(left.count - VariableRateResampler.framesAfter) - position
        guard room > 0 else { return [] }
        // The last position lies before the end of the room.
        let count = Int((room / step).rounded(.up))
        var output = [Float](repeating: 0, count: count * 2)
        var done = count
        while done > 0, position + Double(done - 1) * step >= position + room { done -= 1 }
        output.withUnsafeMutableBufferPointer { output in
            guard let base = output.baseAddress else { return }
            left.withUnsafeBufferPointer {
                kernel.resample($0, from: position, step: step, into: base, stride: 2, count: done)
            }
            right.withUnsafeBufferPointer {
                kernel.resample($0, from: position, step: step, into: base + 1, stride: 2, count: done)
            }
        }
        output.removeLast((count - done) * 2)
        position += Double(done) * step
        let heard = Int(position) - VariableRateResampler.framesBefore
        if heard > 0 {
            left.removeFirst(heard)
            right.removeFirst(heard)
            position -= Double(heard)
        }
        return output
    }
}
