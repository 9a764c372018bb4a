import Foundation
import Testing
import TuttiMediaTime

@testable import TuttiPCM

extension PeakLimiter: Treating {}
extension TreatmentChain: Treating {}

@Suite("The limiter of peaks")
struct PeakLimiterTests {
    @Test("sound within full scale passes bit for bit")
    func unchanged() {
        var limiter = PeakLimiter(sampleRate: .hz44100)
        let sound = Waves.sweep(rate: 44_100, frames: 20_000) + [1, -1, .leastNonzeroMagnitude, 0]
        #expect(limiter.processed(sound).map(\.bitPattern) == sound.map(\.bitPattern))
        #expect(!limiter.isActive)
    }

    @Test("a loud wave is brought to full scale with its shape, after its first quarter")
    func shape() {
        var limiter = PeakLimiter(sampleRate: .hz44100)
        let sound = Waves.sine(441, level: 2, rate: 44_100, frames: 4410)
        let output = limiter.processed(sound)
        #expect(Waves.peak(output) <= 1)
        for place in stride(from: 2 * 100, to: output.count, by: 1) {
            #expect(abs(output[place] - sound[place] / 2) < 0.02)
        }
    }

    @Test("the gain returns to exactly 1, both channels by the same gain")
    func release() {
        var limiter = PeakLimiter(sampleRate: .hz44100)
        let output = limiter.processed([4, 0.5])
        #expect(output == [1, 0.125])
        #expect(limiter.isActive)
        let quiet = [Float](repeating: 0.25, count: 2 * 44_100 * 4)
        let rest = limiter.processed(quiet)
        #expect(rest[0] == 0.0625)
        #expect(zip(rest, rest.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(rest.last == 0.25 && !limiter.isActive)
    }

    @Test("samples that are no numbers become 0 and do not silence the rest for long")
    func poison() {
        var limiter = PeakLimiter(sampleRate: .hz44100)
        #expect(limiter.processed([.nan, 0.5, .infinity, 0.5, 0.5, -.infinity]) == [0, 0.5, 0, 0.5, 0.5, 0])
        #expect(limiter.processed([.greatestFiniteMagnitude, 0]) == [1, 0])
        _ = limiter.processed([Float](repeating: 0.5, count: 2 * 44_100))
        #expect(limiter.processed([0.5, 0.5])[0] > 0.45)
    }
}

@Suite("The chain of treatments")
struct TreatmentChainTests {
    private static let loud = SoundTreatment(equalizer: [12, 12, 12, -12, 12, 12, 12, 12, -12, 12])
    private static let all = SoundTreatment(equalizer: loud.equalizer, isNightMode: true)

    @Test("no treatment changes no bit")
    func none() {
        let sound: [Float] = [0.5, -2, .nan, .infinity, .leastNonzeroMagnitude]
        for none in [SoundTreatment.none, SoundTreatment(equalizer: [0, 0, .nan])] {
            var chain = TreatmentChain(none, sampleRate: .hz48000)
            #expect(none.isNone && chain.isNone)
            #expect(chain.processed(sound).map(\.bitPattern) == sound.map(\.bitPattern))
        }
        #expect(!Self.loud.isNone && !SoundTreatment(isNightMode: true).isNone)
    }

    @Test("squares, sweeps and noise at full scale stay within it", arguments: [8000, 44_100, 48_000])
    func fullScale(rate: Int) throws {
        let rate = try #require(SampleRate(hertz: rate))
        for treatment in [Self.loud, Self.all, SoundTreatment(equalizer: [0, 12])] {
            var chain = TreatmentChain(treatment, sampleRate: rate)
            for frequency in [25.0, 100, 997] {
                let square = Waves.square(frequency, rate: rate.hertz, frames: rate.hertz / 4)
                #expect(Waves.peak(chain.processed(square)) <= 1)
            }
            let sweep = chain.processed(Waves.sweep(rate: rate.hertz, frames: rate.hertz / 2))
            #expect(Waves.peak(sweep) <= 1 && Waves.peak(sweep) > 0.05)
            #expect(chain.processed([.nan, .infinity, 1e30, -1e30]).allSatisfy { abs($0) <= 1 })
        }
    }

    @Test("a change fades, without a click and without losing frames")
    func change() {
        var chain = TreatmentChain(.none, sampleRate: .hz44100)
        let sound = Waves.sine(200, level: 0.5, rate: 44_100, frames: 13_230)
        var output = chain.processed(Array(sound[..<8820]))
        for (start, treatment) in [(8820, SoundTreatment(equalizer: [0, 0, 0, 12])), (17_640, .none)] {
            chain.change(to: treatment)
            output += chain.processed(Array(sound[start..<start + 8820]), frames: 100)
        }
        #expect(output.count == sound.count)
        #expect(chain.isNone)
        let steepest = zip(sound.dropFirst(2), sound).map { abs($0 - $1) }.max() ?? 0
        for (next, last) in zip(output.dropFirst(2), output) { #expect(abs(next - last) < steepest * 1.3) }
        #expect(Array(output.suffix(4000)) == Array(sound.suffix(4000)))
    }

    @Test("a reset makes it new")
    func reset() {
        var (one, two) = (
            TreatmentChain(Self.all, sampleRate: .hz44100), TreatmentChain(Self.all, sampleRate: .hz44100)
        )
        _ = one.processed(Waves.square(60, rate: 44_100, frames: 5000))
        one.reset()
        let sound = Waves.sine(300, rate: 44_100, frames: 1000)
        #expect(one.processed(sound) == two.processed(sound))
    }
}
