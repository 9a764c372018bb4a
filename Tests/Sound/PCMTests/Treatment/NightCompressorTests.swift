import Foundation
import Testing
import TuttiMediaTime

@testable import TuttiPCM

extension NightCompressor: Treating {}

@Suite("Night mode")
struct NightCompressorTests {
    private static func compressor(_ rate: Int = 44_100) throws -> NightCompressor {
        NightCompressor(sampleRate: try #require(SampleRate(hertz: rate)))
    }

    @Test("the curve raises soft sound, lowers loud sound and never crosses itself")
    func curve() {
        let levels: [(Double, Double)] = [
            (-90, 12), (-60, 12), (-50, 12), (-40, 11.1), (-30, 6), (-20, 0), (-10, -6), (0, -12),
        ]
        for (level, change) in levels { #expect(abs(NightCompressor.change(at: level) - change) < 0.01) }
        var last = -Double.infinity
        for level in stride(from: -90.0, through: 12, by: 0.1) {
            let output = level + NightCompressor.change(at: level)
            #expect(output > last)
            last = output
        }
    }

    @Test("sound that has settled has the curve's level", arguments: [8000, 44_100, 48_000, 96_000, 192_000])
    func settled(rate: Int) throws {
        for level in [-50.0, -30, -20, -6] {
            var compressor = try Self.compressor(rate)
            let amplitude = pow(10, level / 20) * 2.0.squareRoot()
            let frames = rate * 5 / 2
            // The frequency has to be far above what the detector follows.
            let output = compressor.processed(Waves.sine(1000, level: amplitude, rate: rate, frames: frames))
            let measured = Waves.level(output.suffix(rate / 5))
            #expect(abs(measured - level - NightCompressor.change(at: level)) < 0.4, "\(level): \(measured)")
        }
    }

    /// Frames until the gain of a constant sound has made 63 % of its way after a step of the level.
    private static func frames(from soft: Double, to loud: Double, rate: Int = 44_100) throws -> Int {
        var compressor = try compressor(rate)
        let (before, after) = (Float(pow(10, soft / 20)), Float(pow(10, loud / 20)))
        _ = compressor.processed([Float](repeating: before, count: 2 * 2 * rate))
        let output = compressor.processed([Float](repeating: after, count: 2 * 2 * rate))
        let (start, end) = (NightCompressor.change(at: soft), NightCompressor.change(at: loud))
        let way = start + (end - start) * (1 - exp(-1))
        let place = (0..<output.count / 2).first { frame in
            let gain = 20 * log10(Double(output[2 * frame] / after))
            return end < start ? gain <= way : gain >= way
        }
        return try #require(place)
    }

    @Test("the gain falls within about 10 ms and rises within about 300 ms")
    func timeConstants() throws {
        let attack = Double(try Self.frames(from: -30, to: -15)) / 44.1
        #expect((8...18).contains(attack), "\(attack) ms")
        let release = Double(try Self.frames(from: -15, to: -30)) / 44.1
        #expect((280...345).contains(release), "\(release) ms")
    }

    @Test("nothing passes full scale, also not the first wave after silence")
    func fullScale() throws {
        var compressor = try Self.compressor()
        _ = compressor.processed([Float](repeating: 0, count: 88_200))
        for frequency in [30.0, 440, 9000] {
            for sound in [
                Waves.square(frequency, rate: 44_100, frames: 4410),
                Waves.sine(frequency, rate: 44_100, frames: 4410),
            ] {
                #expect(Waves.peak(compressor.processed(sound)) <= 1)
                _ = compressor.processed([Float](repeating: 0, count: 44_100))
            }
        }
    }

    @Test("both channels keep their proportion")
    func linked() throws {
        var compressor = try Self.compressor()
        let sound = Waves.sine(500, level: 0.5, rate: 44_100, frames: 4410).enumerated().map {
            $0 % 2 == 0 ? $1 : $1 / 4
        }
        let output = compressor.processed(sound)
        for place in stride(from: 0, to: output.count, by: 2) {
            #expect(abs(output[place] / 4 - output[place + 1]) < 1e-6)
        }
    }

    @Test("the result does not depend on how the sound is cut")
    func cuts() throws {
        let sound = Waves.sweep(rate: 8000, frames: 2000)
        var first = try Self.compressor(8000)
        let expected = first.processed(sound)
        for frames in [1, 7, 352] {
            var other = try Self.compressor(8000)
            #expect(other.processed(sound, frames: frames) == expected)
        }
    }

    @Test("a reset forgets the sound, and samples that are no numbers leave no trace")
    func reset() throws {
        let sound = Waves.sine(500, level: 0.1, rate: 44_100, frames: 3000)
        var (one, two) = (try Self.compressor(), try Self.compressor())
        let strange: [Float] = [.nan, 1, .infinity, -.infinity, .greatestFiniteMagnitude, 0]
        #expect(one.processed(strange).allSatisfy { $0.isFinite && abs($0) <= 1 })
        #expect(Waves.peak(one.processed(Waves.sine(500, level: 0.1, rate: 44_100, frames: 88_200))) > 0.05)
        one.reset()
        #expect(one.processed(sound) == two.processed(sound))
    }
}
