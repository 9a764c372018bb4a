import Foundation
import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import TuttiPCM

extension GraphicEqualizer: Treating {}

@Suite("The equaliser of ten bands")
struct GraphicEqualizerTests {
    private static let rates = [8000, 44_100, 48_000, 96_000, 192_000]

    private static func equalizer(_ gains: [Double], _ rate: Int) throws -> GraphicEqualizer {
        GraphicEqualizer(gains: gains, sampleRate: try #require(SampleRate(hertz: rate)))
    }

    private static func single(_ band: Int, _ gain: Double) -> [Double] {
        (0..<10).map { $0 == band ? gain : 0 }
    }

    /// The gain of a sine that has settled, in decibels.
    private static func measured(
        _ equalizer: inout GraphicEqualizer, _ frequency: Double, rate: Int
    ) -> Double {
        // Whole waves, after as many for the filters to settle.
        let waves = Int((6 * frequency / 31.25).rounded(.up))
        let frames = Int((Double(waves) * Double(rate) / frequency).rounded())
        let level = 0.25
        let output = equalizer.processed(
            Waves.sine(frequency, level: level, rate: rate, frames: 2 * frames))
        return Waves.level(output[(2 * frames)...]) - 20 * log10(level / 2.0.squareRoot())
    }

    @Test("a band changes its middle by its gain, its neighbours' by nothing", arguments: rates)
    func singleBands(rate: Int) throws {
        for (band, frequency) in GraphicEqualizer.frequencies.enumerated() {
            for gain in [12.0, -12, 3, -0.5] {
                let equalizer = try Self.equalizer(Self.single(band, gain), rate)
                guard frequency < Double(rate) / 2 * 0.95 else {
                    #expect(equalizer.response(at: 1000) == 0)
                    continue
                }
                let response = equalizer.response(at: frequency) + equalizer.headroom
                #expect(abs(response - gain) < 0.01, "band \(band), \(gain) dB: \(response)")
                for (other, frequency) in GraphicEqualizer.frequencies.enumerated()
                where other != band && frequency < Double(rate) / 2 * 0.95 {
                    let response = equalizer.response(at: frequency) + equalizer.headroom
                    #expect(abs(response) < 0.01)
                }
            }
        }
    }

    @Test("a sine comes out with the gain that is computed", arguments: [8000, 44_100, 48_000, 96_000])
    func sines(rate: Int) throws {
        for (band, frequency) in GraphicEqualizer.frequencies.enumerated()
        where frequency < Double(rate) / 2 * 0.95 && [0, 1, 5, 6, 9].contains(band) {
            for gain in [12.0, -12] {
                var equalizer = try Self.equalizer(Self.single(band, gain), rate)
                let measured = Self.measured(&equalizer, frequency, rate: rate)
                #expect(abs(measured + equalizer.headroom - gain) < 0.3, "band \(band): \(measured)")
            }
        }
    }

    @Test(
        "neighbouring bands together give what was set",
        arguments: [
            Array(repeating: 12.0, count: 10), Array(repeating: -12.0, count: 10),
            [12, -12, 12, -12, 12, -12, 12, -12, 12, -12], [12, 12, 12, 12, 12, -12, -12, -12, -12, -12],
            [6, 4, 2, 0, -2, -2, 0, 2, 4, 6], [-7.5, 3, 0, 11, 12, -3, 0.5, -12, 9, 1],
        ])
    func combinations(gains: [Double]) throws {
        for rate in Self.rates {
            let equalizer = try Self.equalizer(gains, rate)
            for (gain, frequency) in zip(gains, GraphicEqualizer.frequencies)
            where frequency < Double(rate) / 2 * 0.95 {
                let response = equalizer.response(at: frequency) + equalizer.headroom
                #expect(abs(response - gain) < 0.05, "\(frequency) Hz at \(rate): \(response)")
            }
        }
        var equalizer = try Self.equalizer(gains, 44_100)
        let measured = Self.measured(&equalizer, 1000, rate: 44_100)
        #expect(abs(measured + equalizer.headroom - gains[5]) < 0.3)
    }

    @Test("raised bands together have no hole between them")
    func ripple() throws {
        let equalizer = try Self.equalizer(Array(repeating: 12, count: 10), 48_000)
        for place in 0...200 {
            let frequency = 31.25 * pow(512, Double(place) / 200)
            let response = equalizer.response(at: frequency) + equalizer.headroom
            #expect(response > 11 && response < 14, "\(frequency) Hz: \(response)")
        }
    }

    @Test("gains of 0 change no bit, not even of a NaN", arguments: rates)
    func flat(rate: Int) throws {
        var equalizer = try Self.equalizer([], rate)
        let samples: [Float] = [0.1, -0.2, 1, -1, 3, .infinity, .nan, .leastNonzeroMagnitude]
        #expect(equalizer.headroom == 0)
        #expect(equalizer.processed(samples).map(\.bitPattern) == samples.map(\.bitPattern))
    }

    @Test("no frequency is louder than full scale", arguments: rates)
    func headroom(rate: Int) throws {
        var random = SeededGenerator(seed: UInt64(rate))
        for _ in 0..<10 {
            let gains = (0..<10).map { _ in Double.random(in: -12...12, using: &random) }
            let equalizer = try Self.equalizer(gains, rate)
            for place in 0..<500 {
                let frequency = 5 * pow(Double(rate) / 10, Double(place) / 500)
                #expect(equalizer.response(at: frequency) < 0.02)
            }
        }
    }

    @Test("a full-scale sweep passes full scale by half a decibel at most, at its beginning")
    func sweep() throws {
        for gains in [Array(repeating: 12.0, count: 10), Self.single(3, 12), [12, -12, 12, -12, 12]] {
            var equalizer = try Self.equalizer(gains, 44_100)
            let output = equalizer.processed(Waves.sweep(rate: 44_100, frames: 88_200))
            #expect(Waves.peak(output) < 1.06)
            #expect(Waves.peak(output.suffix(88_200)) < 1.01)
            #expect(Waves.peak(output) > 0.9)
        }
    }

    @Test("the result does not depend on how the sound is cut")
    func cuts() throws {
        let sound = Waves.sweep(rate: 8000, frames: 2000)
        let whole = try Self.equalizer([3, -6, 9, 12], 8000)
        var first = whole
        let expected = first.processed(sound)
        for frames in [1, 7, 64, 352] {
            var other = whole
            #expect(other.processed(sound, frames: frames) == expected)
        }
    }

    @Test("a reset forgets the sound")
    func reset() throws {
        let fresh = try Self.equalizer(Self.single(2, 12), 44_100)
        let sound = Waves.sine(100, rate: 44_100, frames: 500)
        var (one, two) = (fresh, fresh)
        _ = one.processed(Waves.square(50, rate: 44_100, frames: 999))
        one.reset()
        #expect(one.processed(sound) == two.processed(sound))
    }

    @Test("a sample that is no number becomes 0 and is forgotten")
    func poison() throws {
        var equalizer = try Self.equalizer([12, 0, 0, 0, 0, 6], 44_100)
        let output = equalizer.processed([.nan, .infinity, -.infinity, 0.5, 0.5, .nan, 0, 0])
        #expect(output.allSatisfy { $0.isFinite })
        let later = equalizer.processed(Waves.sine(1000, level: 0.5, rate: 44_100, frames: 4410))
        #expect(later.allSatisfy { abs($0) < 2 })
    }

    @Test("silence comes to rest exactly, and channels do not mix")
    func silence() throws {
        var equalizer = try Self.equalizer(Array(repeating: 12, count: 10), 8000)
        let left = equalizer.processed((0..<1600).map { $0 % 2 == 0 ? 0.5 : 0 })
        #expect(stride(from: 1, to: left.count, by: 2).allSatisfy { left[$0] == 0 })
        let rest = equalizer.processed([Float](repeating: 0, count: 60_000))
        #expect(rest.suffix(100).allSatisfy { $0 == 0 })
        #expect(equalizer.processed([0, 0]) == [0, 0])
    }

    @Test("gains that make no sense are cut or left out")
    func strangeGains() throws {
        let equalizer = try Self.equalizer([.nan, 99, -.infinity] + Array(repeating: 0, count: 40), 44_100)
        let plain = try Self.equalizer([0, 12], 44_100)
        for frequency in GraphicEqualizer.frequencies {
            #expect(equalizer.response(at: frequency) == plain.response(at: frequency))
        }
        // The lowest and the highest rate there are.
        for rate in [1, 60, 1_536_000] {
            var equalizer = try Self.equalizer([12, 12, 12, 12, 12, 12, 12, 12, 12, 12], rate)
            #expect(equalizer.processed([1, 1, 0, 0]).allSatisfy { $0.isFinite })
        }
    }

    @Test("a last sample without its partner stays")
    func odd() throws {
        var equalizer = try Self.equalizer([12], 44_100)
        #expect(equalizer.processed([0.5, 0.5, 0.75]).last == 0.75)
    }
}
