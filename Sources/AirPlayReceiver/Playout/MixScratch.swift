internal import MediaTime
import Resampling

/// Scratch memory for the input of the resampler. Belongs to one ``Playout``.
final class MixScratch {
    /// Frames of input for the longest fill at the highest ratio, plus the resampler's margins.
    private static let capacity = Playout.fillLimit * 8 + 256

    private let left = UnsafeMutableBufferPointer<Float>.allocate(capacity: capacity)
    private let right = UnsafeMutableBufferPointer<Float>.allocate(capacity: capacity)

    deinit {
        left.deallocate()
        right.deallocate()
    }

    /// Writes `count` frames of interleaved stereo; leaves `output` untouched for silence.
    func mix(
        _ timeline: DecodedTimeline, from position: Int64, fraction: Double, step: Double, rate: SampleRate,
        resampler: VariableRateResampler, into output: UnsafeMutablePointer<Float>, count: Int
    ) {
        guard let left = left.baseAddress, let right = right.baseAddress, count > 0 else { return }
        if fraction == 0, step == 1 {
            guard timeline.copy(position..<position + Int64(count), rate: rate, left: left, right: right)
            else { return }
            var index = 0
            while index < count {
                output[index * 2] = left[index]
                output[index * 2 + 1] = right[index]
                index += 1
            }
            return
        }
        let before = VariableRateResampler.framesBefore
        let length = before + Int(fraction + Double(count - 1) * step) + VariableRateResampler.framesAfter + 2
        precondition(length <= Self.capacity, "a fill is at most \(Playout.fillLimit) frames")
        let start = position - Int64(before)
        guard timeline.copy(start..<start + Int64(length), rate: rate, left: left, right: right) else {
            return
        }
        for (channel, samples) in [left, right].enumerated() {
            resampler.resample(
                UnsafeBufferPointer(start: samples, count: length), from: Double(before) + fraction,
                step: step, into: output + channel, stride: 2, count: count)
        }
    }
}
