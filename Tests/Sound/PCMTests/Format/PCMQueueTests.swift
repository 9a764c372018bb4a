import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiTestSupport

@Suite("PCM queue")
struct PCMQueueTests {
    static let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .int16)

    static func counting(_ range: Range<Int>) -> PCMBuffer {
        PCMBuffer(
            sampleRate: .hz44100, channelCount: 2,
            samples: range.flatMap { [Int16(truncatingIfNeeded: $0), Int16(truncatingIfNeeded: -$0)] })
    }

    @Test("frames come out in order, however they are split", arguments: [1, 7, 352, 1024, 30_000])
    func order(step: Int) {
        var queue = PCMQueue(format: Self.format)
        var generator = SeededGenerator(seed: UInt64(step))
        var output = PCMBuffer(format: Self.format)
        var written = 0
        while written < 100_000 {
            let count = Int.random(in: 1...5000, using: &generator)
            queue.append(Self.counting(written..<written + count))
            written += count
            while queue.frameCount >= step { output.append(queue.read(frameCount: step)) }
        }
        output.append(queue.read(frameCount: .max))
        #expect(queue.isEmpty)
        #expect(output == Self.counting(0..<written))
    }

    @Test("peek and lend keep the frames, drop removes them")
    func peekAndDrop() {
        var queue = PCMQueue(format: Self.format)
        queue.append(Self.counting(0..<10))
        var room = [UInt8](repeating: 0, count: 9)
        let peeked = room.withUnsafeMutableBytes { queue.peek(into: $0) }
        #expect(peeked == 2)
        #expect(room[0..<8] == Self.counting(0..<2).bytes[...])
        #expect(queue.withFirst(frameCount: 3) { Array($0) } == Self.counting(0..<3).bytes)
        #expect(queue.frameCount == 10)
        #expect(queue.dropFirst(frameCount: 4) == 4)
        #expect(queue.dropLast(frameCount: 2) == 2)
        #expect(queue.read(frameCount: 99) == Self.counting(4..<8))
        #expect(queue.dropFirst(frameCount: 1) == 0)
    }

    @Test("silence is appended")
    func silence() {
        var queue = PCMQueue(format: Self.format)
        queue.append(Self.counting(100..<105))
        queue.append(Self.counting(1..<11))
        queue.dropFirst(frameCount: 5)
        queue.appendSilence(frameCount: 1)
        var expected = Self.counting(1..<11)
        expected.appendSilence(frameCount: 1)
        #expect(queue.read(frameCount: .max) == expected)
    }

    @Test("raw bytes are cut to whole frames; removing all empties the queue")
    func raw() {
        var queue = PCMQueue(format: Self.format)
        [UInt8](1...11).withUnsafeBytes { queue.append($0) }
        #expect(queue.frameCount == 2)
        queue.removeAll()
        #expect(queue.isEmpty)
        #expect(queue.read(frameCount: 1).isEmpty)
    }
}
