import Foundation
import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiResampling
import TuttiTestSupport

@Suite("Resampler")
struct ResamplerTests {
    static func rate(_ hertz: Int) -> SampleRate { SampleRate(hertz: hertz) ?? .hz44100 }

    static func sine(_ frequency: Double, rate: SampleRate, frameCount: Int, level: Double = 0.5) -> PCMBuffer
    {
        let samples = (0..<frameCount).flatMap { frame -> [Float] in
            let phase = 2 * Double.pi * frequency * Double(frame) / Double(rate.hertz)
            return [Float(level * sin(phase)), Float(level * cos(phase))]
        }
        return PCMBuffer(sampleRate: rate, channelCount: 2, samples: samples)
    }

    /// Passes samples through the resampler in pieces of `step` frames.
    static func run(_ input: PCMBuffer, to rate: SampleRate, step: Int, quality: Resampler.Quality = .high)
        throws -> PCMBuffer
    {
        let resampler = try Resampler(from: input.format, to: rate, quality: quality)
        var output = PCMBuffer(format: resampler.outputFormat)
        for start in stride(from: 0, to: input.frameCount, by: step) {
            output.append(try resampler.process(input[start..<start + step]))
        }
        output.append(try resampler.finish())
        return output
    }

    static let rates: [(Int, Int)] = [
        (48_000, 44_100), (44_100, 48_000), (96_000, 44_100), (8000, 44_100), (192_000, 48_000),
        (22_050, 44_100),
        (11_025, 48_000), (88_200, 44_100),
    ]

    @Test("the length is exact for every input length", arguments: rates)
    func length(from: Int, to: Int) throws {
        for count in [0, 1, 2, 100, 1023, 4096, 20_001] {
            let output = try Self.run(
                Self.sine(440, rate: Self.rate(from), frameCount: count), to: Self.rate(to), step: 1000)
            #expect(
                output.frameCount == Int((Double(count) * Double(to) / Double(from)).rounded()),
                "\(count) frames")
        }
    }

    @Test("a sine becomes the sine of the other rate, aligned", arguments: rates)
    func sine(from: Int, to: Int) throws {
        let count = from
        let output = try Self.run(
            Self.sine(1000, rate: Self.rate(from), frameCount: count), to: Self.rate(to), step: 4096)
        let expected = Self.sine(1000, rate: Self.rate(to), frameCount: output.frameCount)
        let (left, right) = (output.floatSamples, expected.floatSamples)
        // The edges ring: the signal starts and ends abruptly.
        let edge = to / 10 * 2
        let worst = (edge..<left.count - edge).map { abs(left[$0] - right[$0]) }.max() ?? 1
        #expect(worst < 1e-4)
    }

    @Test("the split of the input does not matter", arguments: [1, 352, 1024, 50_000])
    func cuts(step: Int) throws {
        let input = Self.sine(440, rate: .hz48000, frameCount: 20_000)
        let whole = try Self.run(input, to: .hz44100, step: 20_000, quality: .veryHigh)
        #expect(try Self.run(input, to: .hz44100, step: step, quality: .veryHigh) == whole)
    }

    @Test("24-bit words become 32-bit words, clamped at full scale")
    func words() throws {
        let loud = (0..<9600).flatMap { frame in
            let sample: Int32 = frame / 24 % 2 == 0 ? 0x7FFF_FF00 : .min
            return [sample, sample]
        }
        let input = PCMBuffer(sampleRate: .hz48000, channelCount: 2, samples: loud, is24Bit: true)
        let output = try Self.run(input, to: .hz44100, step: 999)
        #expect(output.format.sampleFormat == .int32)
        #expect(output.frameCount == 8820)
        #expect(output.int32Samples.contains(.max) && output.int32Samples.contains(.min))
    }

    @Test("equal rates pass bit for bit")
    func sameRate() throws {
        var generator = SeededGenerator(seed: 3)
        let noise = (0..<5000).map { _ in Int32.random(in: .min ... .max, using: &generator) & ~0xFF }
        let input = PCMBuffer(sampleRate: .hz48000, channelCount: 2, samples: noise, is24Bit: true)
        #expect(try Self.run(input, to: .hz48000, step: 77) == input)
    }

    @Test("reset and finish leave a fresh stream")
    func reset() throws {
        let input = Self.sine(440, rate: .hz48000, frameCount: 10_000)
        let resampler = try Resampler(from: input.format, to: .hz44100)
        func pass() throws -> PCMBuffer {
            var output = try resampler.process(input)
            output.append(try resampler.finish())
            return output
        }
        let first = try pass()
        _ = try resampler.process(Self.sine(3000, rate: .hz48000, frameCount: 5000))
        try resampler.reset()
        #expect(try pass() == first)
        #expect(try pass() == first)
    }
}
