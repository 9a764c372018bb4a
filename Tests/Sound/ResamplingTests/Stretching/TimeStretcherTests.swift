import Foundation
import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiResampling
import TuttiTestSupport

@Suite("Time stretching")
struct TimeStretcherTests {
    static let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .float32)
    static let speeds = [0.5, 0.8, 1.25, 1.5, 2, 3]

    static func sine(_ frequency: Double, from start: Int, count: Int) -> PCMBuffer {
        PCMBuffer(
            sampleRate: .hz44100, channelCount: 2,
            samples: (0..<count * 2).map { index in
                Float(0.5 * sin(2 * .pi * frequency * Double(start + index / 2) / 44_100))
            })
    }

    static func stretch(_ seconds: Int, speed: Double, keepsPitch: Bool) throws -> [Float] {
        let stretcher = keepsPitch ? try TimeStretcher(format: format, speed: speed) : nil
        let converter = VarispeedConverter(format: format, speed: speed)
        var output: [Float] = []
        for second in 0..<seconds {
            let input = sine(441, from: second * 44_100, count: 44_100)
            output += (stretcher?.process(input) ?? converter.process(input)).floatSamples
        }
        return output + (stretcher?.finish() ?? converter.finish()).floatSamples
    }

    /// Counts upward zero crossings in a second from the middle.
    static func pitch(_ samples: [Float]) -> Double {
        let left = stride(from: samples.count / 4 * 2, to: samples.count / 4 * 2 + 88_200, by: 2).map {
            samples[$0]
        }
        return Double(zip(left, left.dropFirst()).count { $0 < 0 && $1 >= 0 })
    }

    @Test("the length is exact, to the frame", arguments: speeds, [true, false])
    func length(speed: Double, keepsPitch: Bool) throws {
        let output = try Self.stretch(10, speed: speed, keepsPitch: keepsPitch)
        #expect(output.count / 2 == Int((441_000 / speed).rounded()))
    }

    @Test("the pitch is kept, or varies with the rate", arguments: speeds)
    func pitch(speed: Double) throws {
        #expect(abs(Self.pitch(try Self.stretch(10, speed: speed, keepsPitch: true)) - 441) < 9)
        #expect(
            abs(Self.pitch(try Self.stretch(10, speed: speed, keepsPitch: false)) - 441 * speed) < 9 * speed)
    }

    @Test(
        "over a minute the position stays within a tenth of a second", arguments: [0.7, 1.1, 1.5, 2.3])
    func drift(speed: Double) throws {
        let stretcher = try TimeStretcher(format: Self.format, speed: speed)
        var random = SeededGenerator(seed: 4)
        let noise = (0..<88_200).map { _ in Float.random(in: -0.5...0.5, using: &random) }
        let second = PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: noise)
        var count = 0
        for index in 1...50 {
            count += stretcher.process(second).frameCount
            #expect(abs(Double(count) / 44_100 - Double(index) / speed) < 0.1)
        }
    }

    @Test("a stream ends, and starts again")
    func again() throws {
        let stretcher = try TimeStretcher(format: Self.format, speed: 2)
        for _ in 0..<3 {
            let count = stretcher.process(Self.sine(300, from: 0, count: 10_000)).frameCount
            #expect(count + stretcher.finish().frameCount == 5000)
        }
        #expect(stretcher.finish().isEmpty)
    }
}
