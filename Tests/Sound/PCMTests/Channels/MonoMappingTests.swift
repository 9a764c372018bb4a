import Testing
import TuttiMediaTime
import TuttiPCM

@Suite("Mixing to one channel")
struct MonoMappingTests {
    private let mapping = ChannelMapping(from: .stereo)

    @Test("two equal channels become one of them, exactly")
    func equal() {
        let samples: [Int16] = [.min, -3, 0, 1, .max]
        let stereo = PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: samples.flatMap { [$0, $0] })
        #expect(mapping.mono(stereo).int16Samples == samples)
        let wide = samples.map { Int32($0) << 16 }
        let deep = PCMBuffer(
            sampleRate: .hz44100, channelCount: 2, samples: wide.flatMap { [$0, $0] }, is24Bit: true)
        #expect(mapping.mono(deep).int32Samples == wide)
    }

    @Test("different channels become their mean")
    func mean() {
        let stereo = PCMBuffer(
            sampleRate: .hz44100, channelCount: 2, samples: [Float](arrayLiteral: 1, -0.5, 0, 1))
        let mono = mapping.mono(stereo)
        #expect(mono.floatSamples == [0.25, 0.5])
        #expect(mono.format.channelCount == 1)
        let loud = PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: [Int16.min, .max, 100, 101])
        #expect(mapping.mono(loud).int16Samples == [-1, 100])
    }

    @Test("24-bit samples stay 24-bit")
    func lowByte() {
        let deep = PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: [0x100, 0x200], is24Bit: true)
        #expect(mapping.mono(deep).int32Samples == [0x100])
    }

    @Test("mono passes unchanged, six channels are mixed first")
    func others() {
        let mono = PCMBuffer(sampleRate: .hz44100, channelCount: 1, samples: [Float](arrayLiteral: 0.25, -1))
        #expect(ChannelMapping(from: .mono).mono(mono) == mono)
        let six = PCMBuffer(sampleRate: .hz44100, channelCount: 6, samples: [Float](repeating: 0.5, count: 6))
        let mapped = ChannelMapping(from: ChannelLayout(mask: 0x3F, channelCount: 6))
        #expect(mapped.mono(six).floatSamples == [mapped.stereo(six).floatSamples[0]])
    }
}
