import Foundation
import TuttiMediaTime
import TuttiPCM

/// The sound of an examination: a second of a soft tone between silences, or silence.
struct TestTone {
    /// The pitch, hertz.
    private static let frequency = 440.0
    /// The amplitude, of full scale: -20 dB.
    private static let loudness = 0.1
    /// The parts, seconds.
    private static let (before, tone, after, fade) = (0.3, 1.0, 0.7, 0.03)

    /// The length of the whole.
    static let length = Duration.milliseconds(Int64(((before + tone + after) * 1000).rounded()))

    /// Returns the samples at 44.1 kHz, in stereo.
    static func sound(isSilent: Bool) -> PCMBuffer {
        let rate = Double(SampleRate.hz44100.hertz)
        let count = Int((before + tone + after) * rate)
        var samples = [Int16](repeating: 0, count: count * 2)
        guard !isSilent else {
            return PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: samples)
        }
        for frame in 0..<Int(tone * rate) {
            let time = Double(frame) / rate
            let level = min(1, time / fade, (tone - time) / fade) * loudness
            let sample = Int16((sin(2 * .pi * frequency * time) * level * 32767).rounded())
            let place = (frame + Int(before * rate)) * 2
            (samples[place], samples[place + 1]) = (sample, sample)
        }
        return PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: samples)
    }
}
