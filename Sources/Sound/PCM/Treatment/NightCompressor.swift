import Foundation
import TuttiMediaTime

/// Night mode: makes loud passages softer and soft ones louder, for interleaved stereo, without delay.
///
/// A compressor that looks at the louder channel's mean power and changes the gain of both:
///
///     level of a passage   −60   −50   −40   −30   −20   −10   0 dBFS (RMS)
///     change of its level  +12   +12  +11.1  +6     0    −6   −12 dB
///
/// Samples that would pass full scale while the gain still falls are limited to it. A value; not for two streams at once.
package struct NightCompressor: Sendable {
    /// RMS decibels of full scale from which on louder sound is lowered.
    private static let threshold = -40.0
    /// The part of a level beyond the threshold that is taken away: 1 − 1/2.5.
    private static let slope = 0.6
    /// Decibels around the threshold in which the slope begins.
    private static let knee = 12.0
    /// Decibels by which soft sound is raised.
    private static let makeUp = 12.0
    /// Time constants in seconds.
    private static let (window, attack, release) = (0.005, 0.010, 0.300)
    /// Frames for which one gain is computed; in between it runs straight.
    private static let interval = 16

    private let windowShare: Double
    private let attackShare: Double
    private let releaseShare: Double
    private var power = 0.0
    /// The gain in decibels at the end of the present interval.
    private var decibels = 0.0
    private var gain = 1.0
    private var step = 0.0
    private var framesLeft = 0
    private var limiter: PeakLimiter

    /// Makes a compressor.
    package init(sampleRate: SampleRate) {
        let rate = Double(sampleRate.hertz)
        windowShare = 1 - exp(-1 / (Self.window * rate))
        attackShare = 1 - exp(-Double(Self.interval) / (Self.attack * rate))
        releaseShare = 1 - exp(-Double(Self.interval) / (Self.release * rate))
        limiter = PeakLimiter(sampleRate: sampleRate)
    }

    /// Returns the change of a passage's level once the compressor has settled, in decibels.
    ///
    /// - Parameter level: The passage's RMS level in decibels of full scale; a full-scale sine has −3.
    package static func change(at level: Double) -> Double {
        let over = level - threshold
        let excess: Double =
            switch over {
            case ...(-knee / 2): 0
            case (knee / 2)...: over
            default: pow(over + knee / 2, 2) / (2 * knee)
            }
        return makeUp - slope * excess
    }

    /// Forgets the sound so far, as after a seek.
    package mutating func reset() {
        (power, decibels, gain, step, framesLeft) = (0, 0, 1, 0, 0)
        limiter.reset()
    }

    /// Changes frames in place. Samples that are no numbers become 0. Takes no memory; any thread.
    ///
    /// - Parameter samples: Left and right in turn; a last sample without its partner stays as it is.
    package mutating func process(_ samples: UnsafeMutableBufferPointer<Float>) {
        var place = 0
        while place + 1 < samples.count {
            defer { place += 2 }
            let left = samples[place].isFinite ? Double(samples[place]) : 0
            let right = samples[place + 1].isFinite ? Double(samples[place + 1]) : 0
            // Nothing beyond four times full scale counts, so that a damaged sample does not silence the rest.
            power += (min(max(left * left, right * right), 16) - power) * windowShare
            if framesLeft == 0 { beginInterval() }
            framesLeft -= 1
            gain += step
            (samples[place], samples[place + 1]) = (Float(left * gain), Float(right * gain))
        }
        limiter.process(samples)
    }

    private mutating func beginInterval() {
        framesLeft = Self.interval
        // The floor keeps the logarithm finite, and the power away from numbers that processors are slow with.
        power = max(power, 1e-15)
        let wanted = Self.change(at: 10 * log10(power))
        decibels += (wanted - decibels) * (wanted < decibels ? attackShare : releaseShare)
        step = (pow(10, decibels / 20) - gain) / Double(Self.interval)
    }
}
