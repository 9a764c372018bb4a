import TuttiMediaTime
import TuttiResampling

/// Resamples decoded audio at fractional positions, with its own memory. Belongs to one ``Playout``.
final class FrameMixer {
    /// Frames of input for the longest fill at the highest ratio, plus the resampler's margins.
    private static let capacity = Playout.fillLimit * 8 + 256

    private let left = UnsafeMutableBufferPointer<Float>.allocate(capacity: capacity)
    private let right = UnsafeMutableBufferPointer<Float>.allocate(capacity: capacity)
    private let deviceRate: SampleRate
    private var resamplers: [SampleRate: VariableRateResampler] = [:]

    init(deviceRate: SampleRate) {
        self.deviceRate = deviceRate
        // Build the resamplers now rather than when the first frame is due.
        for rate in [SampleRate.hz44100, .hz48000] { _ = resampler(for: rate) }
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    /// Writes `count` frames of interleaved stereo; leaves `output` untouched for silence.
    func mix(
        _ timeline: DecodedTimeline, from cursor: RenderCursor, step: Double, rate: SampleRate,
        into output: UnsafeMutablePointer<Float>, count: Int
    ) {
        let (position, fraction) = (cursor.position, cursor.fraction)
        let resampler = resampler(for: rate)
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

    private func resampler(for rate: SampleRate) -> VariableRateResampler {
        if let known = resamplers[rate] { return known }
        let made = VariableRateResampler(from: rate, to: deviceRate)
        resamplers[rate] = made
        return made
    }
}
