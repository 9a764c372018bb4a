import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiTestSupport

@Suite("Sample conversion")
struct SampleConverterTests {
    static let everyInt16 = PCMBuffer(
        sampleRate: .hz44100, channelCount: 1, samples: (-32_768...32_767).map { Int16($0) })

    @Test(
        "16-bit samples survive every wider format",
        arguments: [SampleFormat.int16, .int24in32, .int32, .float32])
    func exact(wider: SampleFormat) {
        var widen = SampleConverter(to: wider)
        var narrow = SampleConverter(to: .int16)
        #expect(narrow.convert(widen.convert(Self.everyInt16)) == Self.everyInt16)
    }

    @Test("24-bit samples survive float and 32 bit", arguments: [SampleFormat.int32, .float32])
    func exact24(wider: SampleFormat) {
        var generator = SeededGenerator(seed: 24)
        let words = (0..<10_000).map { _ in Int32.random(in: -0x80_0000...0x7F_FFFF, using: &generator) << 8 }
        let buffer = PCMBuffer(sampleRate: .hz48000, channelCount: 2, samples: words, is24Bit: true)
        var widen = SampleConverter(to: wider)
        var narrow = SampleConverter(to: .int24in32)
        #expect(narrow.convert(widen.convert(buffer)) == buffer)
    }

    static let floats: [(Float, Int16, Int32, Int32)] = [
        (0, 0, 0, 0), (1, 32_767, 0x7FFF_FF00, .max), (-1, -32_768, .min, .min),
        (2, 32_767, 0x7FFF_FF00, .max), (-.infinity, -32_768, .min, .min),
        (.infinity, 32_767, 0x7FFF_FF00, .max),
        (.nan, 0, 0, 0), (0.5, 16_384, 0x4000_0000, 0x4000_0000), (-0.25, -8192, -0x2000_0000, -0x2000_0000),
        (1.5 / 32_768, 2, 0x0001_8000, 0x0001_8000), (0.5 / 32_768, 0, 0x8000, 0x8000),
    ]

    @Test("float rounds to nearest and is clamped", arguments: floats)
    func float(value: Float, int16: Int16, int24: Int32, int32: Int32) {
        let buffer = PCMBuffer(sampleRate: .hz44100, channelCount: 1, samples: [value])
        var (to16, to24, to32) = (
            SampleConverter(to: .int16), SampleConverter(to: .int24in32), SampleConverter(to: .int32)
        )
        #expect(to16.convert(buffer).int16Samples == [int16])
        #expect(to24.convert(buffer).int32Samples == [int24])
        #expect(to32.convert(buffer).int32Samples == [int32])
    }

    static let words: [(Int32, Int16, Int32)] = [
        (0x7FFF, 0, 0x8000), (0x8000, 1, 0x8000), (-0x8001, -1, -0x8000), (.max, .max, 0x7FFF_FF00),
        (.min, .min, .min), (0x17F, 0, 0x100), (0x180, 0, 0x200),
    ]

    @Test("32-bit samples round to 16 and 24", arguments: words)
    func rounding(value: Int32, int16: Int16, int24: Int32) {
        let buffer = PCMBuffer(sampleRate: .hz44100, channelCount: 1, samples: [value], is24Bit: false)
        var (to16, to24) = (SampleConverter(to: .int16), SampleConverter(to: .int24in32))
        #expect(to16.convert(buffer).int16Samples == [int16])
        #expect(to24.convert(buffer).int32Samples == [int24])
    }

    @Test("dither keeps a level below one bit audible, has no bias, and repeats for a seed")
    func dither() {
        let quiet = PCMBuffer(
            sampleRate: .hz44100, channelCount: 1, samples: [Float](repeating: 0.3 / 32_768, count: 100_000))
        var plain = SampleConverter(to: .int16)
        #expect(plain.convert(quiet).int16Samples.allSatisfy { $0 == 0 })
        var dithered = SampleConverter(to: .int16, dither: .triangular(seed: 7))
        let output = dithered.convert(quiet).int16Samples
        let mean = output.reduce(0.0) { $0 + Double($1) } / Double(output.count)
        #expect(abs(mean - 0.3) < 0.01)
        #expect(output.allSatisfy { (-1...2).contains($0) })
        var again = SampleConverter(to: .int16, dither: .triangular(seed: 7))
        #expect(again.convert(quiet).int16Samples == output)
        #expect(dithered.convert(quiet).int16Samples != output)
    }

    @Test("dither from 24 bit is clamped and leaves 16-bit sources alone")
    func ditherEdges() {
        let loud = PCMBuffer(
            sampleRate: .hz44100, channelCount: 1, samples: [Int32](repeating: 0x7FFF_FF00, count: 1000),
            is24Bit: true)
        var converter = SampleConverter(to: .int16, dither: .triangular(seed: 1))
        #expect(converter.convert(loud).int16Samples.allSatisfy { $0 >= 32_766 })
        #expect(converter.convert(Self.everyInt16) == Self.everyInt16)
    }
}
