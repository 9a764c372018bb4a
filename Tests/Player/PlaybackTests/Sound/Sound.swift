import Foundation
import TuttiMediaTime
import TuttiPCM
import TuttiTestSupport

/// Sounds to play, and ways to compare what comes back.
enum Sound {
    /// Stereo noise of 16 bit, in which every wrong frame shows.
    static func noise(_ frameCount: Int, seed: UInt64 = 1, channels: Int = 2) -> PCMBuffer {
        var generator = SeededGenerator(seed: seed)
        let samples = (0..<frameCount * channels).map { _ in
            Int16.random(in: .min ... .max, using: &generator)
        }
        return PCMBuffer(sampleRate: .hz44100, channelCount: channels, samples: samples)
    }

    /// Two sines with varying level and pitch, so that no two positions are alike.
    static func sweep(_ frameCount: Int, rate: SampleRate = .hz44100, from start: Int = 0) -> PCMBuffer {
        let samples = (start..<start + frameCount).flatMap { frame -> [Float] in
            let time = Double(frame) / Double(rate.hertz)
            let level = 0.4 + 0.2 * sin(2 * .pi * 3 * time)
            return [
                Float(level * sin(2 * .pi * (300 + 40 * time) * time)),
                Float(level * sin(2 * .pi * (500 + 25 * time) * time)),
            ]
        }
        return PCMBuffer(sampleRate: rate, channelCount: 2, samples: samples)
    }

    static func float(_ buffer: PCMBuffer) -> PCMBuffer {
        var converter = SampleConverter(to: .float32)
        return converter.convert(buffer)
    }

    static func silence(_ frameCount: Int, like buffer: PCMBuffer) -> PCMBuffer {
        PCMBuffer(format: buffer.format, silentFrameCount: frameCount)
    }

    /// The largest difference of two sounds, with full scale 1; infinite when the lengths differ.
    static func distance(_ left: PCMBuffer, _ right: PCMBuffer) -> Float {
        let (a, b) = (float(left).floatSamples, float(right).floatSamples)
        if a.count != b.count { return .infinity }
        return zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }
}

extension PCMBuffer {
    static func + (left: PCMBuffer, right: PCMBuffer) -> PCMBuffer {
        var sum = left
        sum.append(right)
        return sum
    }
}
