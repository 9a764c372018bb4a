import Foundation

/// Interleaved stereo for the tests of treatments.
enum Waves {
    /// A sine in both channels.
    static func sine(_ frequency: Double, level: Double = 1, rate: Int, frames: Int) -> [Float] {
        (0..<frames).flatMap { frame -> [Float] in
            let value = Float(level * sin(2 * .pi * frequency * Double(frame) / Double(rate)))
            return [value, value]
        }
    }

    /// A sine whose frequency rises from 20 Hz to half the rate.
    static func sweep(rate: Int, frames: Int) -> [Float] {
        let span = log(Double(rate) / 2 / 20)
        let length = Double(frames) / Double(rate)
        return (0..<frames).flatMap { frame -> [Float] in
            let time = Double(frame) / Double(rate)
            let value = Float(sin(2 * .pi * 20 * length / span * (exp(time / length * span) - 1)))
            return [value, value]
        }
    }

    /// A full-scale square in both channels.
    static func square(_ frequency: Double, rate: Int, frames: Int) -> [Float] {
        sine(frequency, rate: rate, frames: frames).map { $0 < 0 ? -1 : 1 }
    }

    /// The root of the mean power of one channel, in decibels.
    static func level(_ samples: ArraySlice<Float>, channel: Int = 0) -> Double {
        let values = stride(from: samples.startIndex + channel, to: samples.endIndex, by: 2).map {
            Double(samples[$0])
        }
        return 10 * log10(values.reduce(0) { $0 + $1 * $1 } / Double(max(1, values.count)))
    }

    static func peak(_ samples: some Sequence<Float>) -> Float { samples.reduce(0) { max($0, abs($1)) } }
}

/// A stage that changes samples in place.
protocol Treating {
    mutating func process(_ samples: UnsafeMutableBufferPointer<Float>)
}

extension Treating {
    mutating func processed(_ samples: [Float]) -> [Float] {
        var samples = samples
        samples.withUnsafeMutableBufferPointer { process($0) }
        return samples
    }

    /// Returns the same as ``processed(_:)``, handed over in pieces.
    mutating func processed(_ samples: [Float], frames: Int) -> [Float] {
        stride(from: 0, to: samples.count, by: 2 * frames).flatMap { start in
            processed(Array(samples[start..<min(samples.count, start + 2 * frames)]))
        }
    }
}
