import Testing
import TuttiMediaTime
import TuttiPCM

@testable import TuttiAudioOutput

@Suite("WaveHeader")
struct WaveHeaderTests {
    @Test("16-bit headers have the usual 44 bytes")
    func pcm() {
        let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .int16)
        let bytes = WaveHeader(format: format, dataByteCount: 0x0102_0300).bytes
        let expected: [UInt8] =
            Array("RIFF".utf8) + [0x24, 0x03, 0x02, 0x01] + Array("WAVEfmt ".utf8) + [
                16, 0, 0, 0, 1, 0, 2, 0,
            ]
            + [0x44, 0xAC, 0, 0, 0x10, 0xB1, 0x02, 0, 4, 0, 16, 0] + Array("data".utf8) + [0, 3, 2, 1]
        #expect(bytes == expected)
    }

    @Test("float headers have tag 3, an empty extension, and the frame count")
    func float() {
        let format = PCMFormat(sampleRate: .hz48000, channelCount: 2, sampleFormat: .float32)
        let header = WaveHeader(format: format, dataByteCount: 800)
        let bytes = header.bytes
        #expect(bytes.count == header.byteCount)
        #expect(Array(bytes[4..<8]) == [0x52, 0x03, 0, 0])
        #expect(Array(bytes[16..<22]) == [18, 0, 0, 0, 3, 0])
        #expect(Array(bytes[32..<38]) == [8, 0, 32, 0, 0, 0])
        #expect(Array(bytes[38..<50]) == Array("fact".utf8) + [4, 0, 0, 0, 100, 0, 0, 0])
        #expect(Array(bytes[50..<58]) == Array("data".utf8) + [0x20, 0x03, 0, 0])
    }

    @Test("sizes beyond 32 bits saturate")
    func huge() {
        let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .int16)
        let bytes = WaveHeader(format: format, dataByteCount: 1 << 33).bytes
        #expect(Array(bytes[4..<8]) == [255, 255, 255, 255])
        #expect(Array(bytes[40..<44]) == [255, 255, 255, 255])
    }
}
