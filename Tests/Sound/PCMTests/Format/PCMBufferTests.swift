import Testing
import TuttiMediaTime
import TuttiPCM

@Suite("PCM buffer")
struct PCMBufferTests {
    static let stereo = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .int16)

    @Test(
        "formats have their sizes",
        arguments: [(SampleFormat.int16, 4), (.int24in32, 8), (.int32, 8), (.float32, 8)])
    func sizes(format: SampleFormat, bytes: Int) {
        #expect(PCMFormat(sampleRate: .hz48000, channelCount: 2, sampleFormat: format).bytesPerFrame == bytes)
    }

    @Test(
        "channel counts from outside are checked",
        arguments: [(0, false), (1, true), (64, true), (65, false), (-1, false)])
    func channelCount(count: Int, valid: Bool) {
        #expect((PCMFormat(checking: .hz44100, channelCount: count, sampleFormat: .int16) != nil) == valid)
    }

    @Test("samples round-trip")
    func samples() {
        let int16 = PCMBuffer(
            sampleRate: .hz44100, channelCount: 2, samples: [1, -2, .max, .min, 7] as [Int16])
        #expect(int16.frameCount == 2)
        #expect(int16.int16Samples == [1, -2, .max, .min])
        #expect(int16.floatSamples.isEmpty && int16.int32Samples.isEmpty)
        let floats = PCMBuffer(sampleRate: .hz44100, channelCount: 1, samples: [0.5, -1] as [Float])
        #expect(floats.floatSamples == [0.5, -1])
        let words = PCMBuffer(sampleRate: .hz44100, channelCount: 1, samples: [256, -512], is24Bit: true)
        #expect(words.int32Samples == [256, -512])
        #expect(words.format.sampleFormat == .int24in32)
    }

    @Test("bytes must be whole frames", arguments: [(0, true), (3, false), (4, true), (7, false), (8, true)])
    func wholeFrames(count: Int, valid: Bool) {
        #expect((PCMBuffer(format: Self.stereo, bytes: Array(repeating: 1, count: count)) != nil) == valid)
    }

    @Test("slices are clamped to the content")
    func slices() {
        let buffer = PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: (0..<10).map { Int16($0) })
        #expect(buffer[1..<3].int16Samples == [2, 3, 4, 5])
        #expect(buffer[4..<90].int16Samples == [8, 9])
        #expect(buffer[-5..<1].int16Samples == [0, 1])
        #expect(buffer[7..<9].isEmpty)
    }

    @Test("append, silence and removal change the length")
    func edits() {
        var buffer = PCMBuffer(format: Self.stereo)
        buffer.append(PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: [1, 2, 3, 4] as [Int16]))
        buffer.appendSilence(frameCount: 2)
        buffer.appendSilence(frameCount: -2)
        #expect(buffer.int16Samples == [1, 2, 3, 4, 0, 0, 0, 0])
        buffer.removeFirst(frameCount: 1)
        buffer.removeLast(frameCount: 1)
        #expect(buffer.int16Samples == [3, 4, 0, 0])
        buffer.removeFirst(frameCount: 99)
        #expect(buffer.isEmpty)
    }

    @Test("filling in place reports the frames written")
    func fill() {
        let buffer = PCMBuffer(format: Self.stereo, capacity: 8) { room in
            room.storeBytes(of: 0x0102_0304, as: UInt32.self)
            return 1
        }
        #expect(buffer.frameCount == 1)
        #expect(PCMBuffer(format: Self.stereo, capacity: 2) { _ in 3 }.frameCount == 2)
        #expect(PCMBuffer(format: Self.stereo, capacity: 2) { _ in -3 }.frameCount == 0)
    }

    @Test("a second of silence lasts a second")
    func duration() {
        #expect(PCMBuffer(format: Self.stereo, silentFrameCount: 44_100).duration == .seconds(1))
    }
}
