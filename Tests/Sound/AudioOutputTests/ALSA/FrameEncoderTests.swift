import Testing
import TuttiPCM

@testable import TuttiAudioOutput

@Suite("FrameEncoder")
struct FrameEncoderTests {
    private func encode(_ samples: [Float], _ encoding: SampleEncoding, channelCount: Int = 2) -> [UInt8] {
        let encoder = FrameEncoder(encoding: encoding, channelCount: channelCount)
        var bytes = [UInt8](repeating: 0xEE, count: samples.count / 2 * encoder.bytesPerFrame)
        samples.withUnsafeBufferPointer { frames in
            bytes.withUnsafeMutableBytes { encoder.encode(frames, into: $0) }
        }
        return bytes
    }

    @Test("every encoding is little-endian")
    func encodings() {
        let samples: [Float] = [0.5, -0.5]
        #expect(encode(samples, .float32) == [0, 0, 0, 0x3F, 0, 0, 0, 0xBF])
        #expect(encode(samples, .int32) == [0, 0, 0, 0x40, 0, 0, 0, 0xC0])
        #expect(encode(samples, .int24in32) == [0, 0, 0x40, 0, 0, 0, 0xC0, 0xFF])
        #expect(encode(samples, .int24) == [0, 0, 0x40, 0, 0, 0xC0])
        #expect(encode(samples, .int16) == [0, 0x40, 0, 0xC0])
    }

    @Test("samples beyond full scale are clamped", arguments: [2, 1e30, Float.infinity])
    func clipped(sample: Float) {
        #expect(encode([sample, -sample], .int32) == [0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0x80])
        #expect(encode([sample, -sample], .int24in32) == [0xFF, 0xFF, 0x7F, 0, 0, 0, 0x80, 0xFF])
        #expect(encode([sample, -sample], .int24) == [0xFF, 0xFF, 0x7F, 0, 0, 0x80])
        #expect(encode([sample, -sample], .int16) == [0xFF, 0x7F, 0, 0x80])
        #expect(encode([.nan, .nan], .int16) == [0, 0, 0, 0])
    }

    @Test("all 16-bit values pass unchanged, also in 24 and 32 bit")
    func exact() {
        let values = (Int16.min ... .max).map { $0 }
        let samples = values.map { Float($0) / 32768 }
        #expect(
            encode(samples, .int16)
                == values.flatMap { [UInt8($0 & 0xFF), UInt8(truncatingIfNeeded: $0 >> 8)] })
        #expect(
            encode(samples, .int24)
                == values.flatMap { [0, UInt8($0 & 0xFF), UInt8(truncatingIfNeeded: $0 >> 8)] })
    }

    @Test("mono gets the mean, channels beyond two get silence")
    func channels() {
        #expect(encode([0.5, 0.25], .int16, channelCount: 1) == [0, 0x30])
        #expect(encode([0.5, 0.25], .int16, channelCount: 4) == [0, 0x40, 0, 0x20, 0, 0, 0, 0])
    }

    @Test("writing stops at the capacity")
    func room() {
        let encoder = FrameEncoder(encoding: .int16, channelCount: 2)
        var bytes = [UInt8](repeating: 0xEE, count: 6)
        [Float](repeating: 0, count: 8).withUnsafeBufferPointer { frames in
            bytes.withUnsafeMutableBytes { encoder.encode(frames, into: $0) }
        }
        #expect(bytes == [0, 0, 0, 0, 0xEE, 0xEE])
    }
}
