import Testing
import TuttiWire

@testable import TuttiSoundServers

@Suite struct NativeFrameTests {
    /// A descriptor as the protocol has it, and a payload of zeros.
    private static func frame(
        _ length: UInt32, channel: UInt32, offset: UInt64 = 0, flags: UInt32 = 0, payload: Int? = nil
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(length)
        writer.integer(channel)
        writer.integer(offset)
        writer.integer(flags)
        writer.zeros(payload ?? Int(length))
        return writer.bytes
    }

    @Test("frames do not depend on where the stream is cut", arguments: [1, 3, 19, 20, 21, 1_000])
    func anyCut(step: Int) throws {
        let stream = NativeFrame.message([1, 2, 3]) + Self.frame(16, channel: 0) + NativeFrame.message([])
        var reader = NativeFrameReader()
        var frames: [NativeFrame] = []
        for start in stride(from: 0, to: stream.count, by: step) {
            reader.append(Array(stream[start..<min(start + step, stream.count)]))
            while let frame = try reader.next() { frames.append(frame) }
        }
        #expect(
            frames == [
                NativeFrame(channel: nil, payload: [1, 2, 3]),
                NativeFrame(channel: 0, payload: Array(repeating: 0, count: 16)),
                NativeFrame(channel: nil, payload: []),
            ])
        #expect(reader.waiting == 0)
    }

    @Test("a frame that announces more than its kind may have is an error before it comes")
    func limits() {
        for (length, channel) in [
            (UInt32(NativeFrame.longestMessage + 1), NativeFrame.messageChannel),
            (UInt32(NativeFrame.longestBlock + 1), 0), (.max, NativeFrame.messageChannel),
        ] {
            var reader = NativeFrameReader()
            reader.append(Self.frame(length, channel: channel, payload: 0))
            #expect(throws: WireError.outOfRange(field: "length", value: UInt64(length))) {
                try reader.next()
            }
        }
    }

    @Test("blocks that move within the stream or lie in shared memory are errors")
    func seeks() {
        var reader = NativeFrameReader()
        reader.append(Self.frame(8, channel: 0, offset: 8))
        #expect(throws: WireError.unexpected(field: "offset", value: 8)) { try reader.next() }
        reader = NativeFrameReader()
        reader.append(Self.frame(8, channel: 0, flags: 0x8000_0000))
        #expect(throws: WireError.unexpected(field: "flags", value: 0x8000_0000)) { try reader.next() }
    }
}
