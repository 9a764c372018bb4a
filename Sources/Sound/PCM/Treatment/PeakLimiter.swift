import Foundation
import TuttiMediaTime

/// A limiter that brings samples beyond full scale within it, for interleaved stereo, without delay.
///
/// A sample beyond ±1 lowers the gain of both channels at once, just so far that it becomes ±1. The gain stays for a
/// hundredth of a second and returns slowly, so later waves keep their shape. While nothing has passed full scale,
/// samples pass unchanged, bit for bit. A value; not for two streams at once.
package struct PeakLimiter: Sendable {
    /// Seconds that the gain stays, longer than half a wave of 50 Hz.
    private static let holdSeconds = 0.012
    /// The time constant of the gain's return, in seconds.
    private static let releaseSeconds = 0.15

    private let holdFrames: Int
    private let release: Double
    private var gain = 1.0
    private var hold = 0

    /// Makes a limiter.
    package init(sampleRate: SampleRate) {
        let rate = Double(sampleRate.hertz)
        holdFrames = Int(Self.holdSeconds * rate)
        release = 1 - exp(-1 / (Self.releaseSeconds * rate))
    }

    /// Whether the sound is being lowered now.
    package var isActive: Bool { gain < 1 }

    /// Forgets the sound so far, as after a seek.
    package mutating func reset() { (gain, hold) = (1, 0) }

    /// Limits frames in place. Samples that are no numbers become 0. Takes no memory; any thread.
    ///
    /// - Parameter samples: Left and right in turn; a last sample without its partner stays as it is.
    package mutating func process(_ samples: UnsafeMutableBufferPointer<Float>) {
        var place = 0
        while place + 1 < samples.count {
            defer { place += 2 }
            // Most sound ends here. A NaN compares as false.
            if gain == 1, abs(samples[place]) <= 1, abs(samples[place + 1]) <= 1 { continue }
            if !samples[place].isFinite { samples[place] = 0 }
            if !samples[place + 1].isFinite { samples[place + 1] = 0 }
            let frame = limited(SIMD2(Double(samples[place]), Double(samples[place + 1])))
            (samples[place], samples[place + 1]) = (Float(frame.x), Float(frame.y))
        }
    }

    private mutating func limited(_ frame: SIMD2<Double>) -> SIMD2<Double> {
        let peak = max(abs(frame.x), abs(frame.y))
        if peak * gain > 1 {
            (gain, hold) = (1 / peak, holdFrames)
        } else if hold > 0 {
            hold -= 1
        } else {
            gain += (1 - gain) * release
            // A difference below a sample's last bit.
            if gain > 1 - 0x1p-25 { gain = 1 }
            if peak * gain > 1 { gain = 1 / peak }
        }
        return (frame * gain).clamped(lowerBound: SIMD2(repeating: -1), upperBound: SIMD2(repeating: 1))
    }
}
