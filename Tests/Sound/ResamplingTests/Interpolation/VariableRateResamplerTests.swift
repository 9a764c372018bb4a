import Foundation
import Testing
import TuttiMediaTime
import TuttiResampling
import TuttiTestSupport

@Suite("VariableRateResampler")
struct VariableRateResamplerTests {
    static func sine(_ frequency: Double, rate: SampleRate, count: Int) -> [Float] {
        (0..<count).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / Double(rate.hertz))) }
    }

    static func run(
        _ resampler: VariableRateResampler, _ input: [Float], from start: Double, step: Double, count: Int
    ) -> [Float] {
        var output = [Float](repeating: 0, count: count)
        input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                guard let room = output.baseAddress else { return }
                resampler.resample(input, from: start, step: step, into: room, stride: 1, count: count)
            }
        }
        return output
    }

    @Test("integer positions come out bit for bit")
    func exact() {
        var random = SeededGenerator(seed: 1)
        let input = (0..<4096).map { _ in Float.random(in: -1...1, using: &random) }
        let resampler = VariableRateResampler(from: .hz44100, to: .hz44100)
        #expect(Self.run(resampler, input, from: 100, step: 1, count: 3000) == Array(input[100..<3100]))
    }

    @Test(
        "a sine stays aligned, at any rate and step",
        arguments: [
            (SampleRate.hz44100, SampleRate.hz44100, 1000.0), (.hz44100, .hz44100, 15_000),
            (.hz44100, .hz48000, 1000), (.hz44100, .hz48000, 18_000), (.hz48000, .hz44100, 1000),
            (.hz48000, .hz44100, 17_000),
        ], [0.0, 40e-6, -25e-6, 1e-3])
    func sine(_ rates: (SampleRate, SampleRate, Double), drift: Double) {
        let (from, to, frequency) = rates
        let input = Self.sine(frequency, rate: from, count: 8192)
        let step = Double(from.hertz) / Double(to.hertz) * (1 + drift)
        let start = 50.37
        let output = Self.run(
            VariableRateResampler(from: from, to: to), input, from: start, step: step, count: 7000)
        let worst = output.indices.map { index -> Double in
            let place = (start + Double(index) * step) / Double(from.hertz)
            return abs(Double(output[index]) - 0.5 * sin(2 * .pi * frequency * place))
        }.max()
        // Half of full scale: 3e-5 is 84 dB below the signal at its worst instant.
        #expect((worst ?? 1) < 3e-5)
    }

    @Test("downsampling removes frequencies beyond the output's range")
    func aliases() {
        let input = Self.sine(23_500, rate: .hz48000, count: 8192)
        let output = Self.run(
            VariableRateResampler(from: .hz48000, to: .hz44100), input, from: 40, step: 480 / 441.0,
            count: 7000)
        #expect((output.map(abs).max() ?? 1) < 1e-3)
    }

    @Test("the split into calls does not matter")
    func cuts() {
        let input = Self.sine(440, rate: .hz44100, count: 4096)
        let resampler = VariableRateResampler(from: .hz44100, to: .hz44100)
        let whole = Self.run(resampler, input, from: 64.25, step: 1 + 0x1p-14, count: 2000)
        var pieces: [Float] = []
        for start in stride(from: 0, to: 2000, by: 250) {
            pieces += Self.run(
                resampler, input, from: 64.25 + Double(start) * (1 + 0x1p-14), step: 1 + 0x1p-14, count: 250)
        }
        #expect(pieces == whole)
    }
}
