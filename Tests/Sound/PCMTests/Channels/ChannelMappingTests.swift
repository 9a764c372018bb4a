import Testing
import TuttiMediaTime
import TuttiPCM

@Suite("Channel mapping to stereo")
struct ChannelMappingTests {
    @Test("mono is copied exactly in every format")
    func mono() {
        let mapping = ChannelMapping(from: .mono)
        let int16 = PCMBuffer(sampleRate: .hz44100, channelCount: 1, samples: [1, .min, .max] as [Int16])
        #expect(mapping.stereo(int16).int16Samples == [1, 1, .min, .min, .max, .max])
        let words = PCMBuffer(
            sampleRate: .hz44100, channelCount: 1, samples: [0x1234_5600, .min], is24Bit: true)
        #expect(mapping.stereo(words).int32Samples == [0x1234_5600, 0x1234_5600, .min, .min])
    }

    @Test("stereo is unchanged")
    func stereo() {
        let buffer = PCMBuffer(
            sampleRate: .hz44100, channelCount: 2, samples: [1, -1, .min, .max] as [Int16])
        #expect(ChannelMapping(from: .stereo).stereo(buffer) == buffer)
    }

    static let layouts: [(String, UInt64, Int)] = [
        ("3.0", 0x7, 3), ("quad", 0x33, 4), ("5.0", 0x37, 5), ("5.1", 0x3F, 6), ("5.1 side", 0x60F, 6),
        ("7.1", 0x63F, 8), ("unknown 11", 0, 11), ("mask of another count", 0x3, 6),
        ("bits of no known place", 0xFFFF_FFFF_0000_0000, 32),
    ]

    @Test("full scale on all channels does not clip", arguments: layouts)
    func noClipping(name: String, mask: UInt64, count: Int) {
        let mapping = ChannelMapping(from: ChannelLayout(mask: mask, channelCount: count))
        let loud = PCMBuffer(
            sampleRate: .hz48000, channelCount: count, samples: [Float](repeating: 1, count: count))
        let output = mapping.stereo(loud).floatSamples
        #expect(output.count == 2)
        #expect(output.allSatisfy { abs($0 - 1) < 1e-5 })
    }

    @Test("each channel of 5.1 goes to its side")
    func surround() {
        let mapping = ChannelMapping(from: ChannelLayout(mask: 0x3F, channelCount: 6))
        let scale: Float = 1 / (1 + 2 * 0.707_106_77)
        let expected: [(Float, Float)] = [
            (scale, 0), (0, scale), (scale * 0.707_106_77, scale * 0.707_106_77), (0, 0),
            (scale * 0.707_106_77, 0), (0, scale * 0.707_106_77),
        ]
        for (channel, sides) in expected.enumerated() {
            var samples = [Float](repeating: 0, count: 6)
            samples[channel] = 1
            let output = mapping.stereo(PCMBuffer(sampleRate: .hz48000, channelCount: 6, samples: samples))
                .floatSamples
            #expect(abs(output[0] - sides.0) < 1e-6 && abs(output[1] - sides.1) < 1e-6, "channel \(channel)")
        }
    }

    @Test("integers of 5.1 mix like floats")
    func integers() {
        let mapping = ChannelMapping(from: ChannelLayout(mask: 0x3F, channelCount: 6))
        let low = PCMBuffer(
            sampleRate: .hz48000, channelCount: 6, samples: [Int16](repeating: .min, count: 6))
        #expect(mapping.stereo(low).int16Samples == [.min, .min])
        let words = PCMBuffer(
            sampleRate: .hz48000, channelCount: 6, samples: [Int32](repeating: .min, count: 6), is24Bit: true)
        #expect(mapping.stereo(words).int32Samples.allSatisfy { $0 <= -0x7FFF_FF00 && $0 & 0xFF == 0 })
    }

    @Test("a buffer of another channel count is still mapped")
    func otherCount() {
        let buffer = PCMBuffer(sampleRate: .hz48000, channelCount: 1, samples: [5] as [Int16])
        #expect(
            ChannelMapping(from: ChannelLayout(mask: 0x3F, channelCount: 6)).stereo(buffer).int16Samples == [
                5, 5,
            ])
    }
}
