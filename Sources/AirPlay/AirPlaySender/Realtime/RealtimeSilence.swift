import AirPlayMessages

/// Packets of silence in the format of a realtime stream.
struct RealtimeSilence: Sendable {
    private enum Coding {
        case alac(bits: Int)
        /// Bytes of a frame.
        case pcm(Int)
    }

    private let coding: Coding

    init(of format: AudioWireFormat) {
        let bits = format.bitDepth ?? 16
        coding = format.codec == .pcm ? .pcm(format.channelCount * bits / 8) : .alac(bits: bits)
    }

    /// Returns the number of bytes of a packet.
    func byteCount(frames: Int) -> Int {
        switch coding {
        case .alac(let bits): ALACSilence.byteCount(frames: frames, bits: bits)
        case .pcm(let frameByteCount): frames * frameByteCount
        }
    }

    /// Writes a packet to `output`, which has at least ``byteCount(frames:)`` bytes.
    func write(frames: Int, to output: UnsafeMutableRawBufferPointer) {
        switch coding {
        case .alac(let bits): _ = ALACSilence.write(frames: frames, bits: bits, to: output)
        case .pcm: output[..<byteCount(frames: frames)].initializeMemoryToZero()
        }
    }
}

/// Packets of silence in stereo ALAC, in the form without compression.
enum ALACSilence {
    /// Element 1 (a pair of channels), 4 bits of instance, 12 bits unused, length given, no shift, not compressed.
    private static let head: UInt32 = 0b001_0000_000000000000_1_00_1
    private static let headBits = 23

    /// Returns the number of bytes of a packet: head, length, samples and the end element of 3 bits.
    static func byteCount(frames: Int, bits: Int) -> Int { (headBits + 32 + frames * 2 * bits + 3 + 7) / 8 }

    /// Writes a packet to `output`, which has at least ``byteCount(frames:bits:)`` bytes.
    ///
    /// - Returns: The number of bytes written.
    static func write(frames: Int, bits: Int, to output: UnsafeMutableRawBufferPointer) -> Int {
        let count = byteCount(frames: frames, bits: bits)
        output[..<count].initializeMemoryToZero()
        // 23 bits of head and 32 bits of length, from the highest bit on.
        let start = UInt64(head) << 41 | UInt64(UInt32(truncatingIfNeeded: frames)) << 9
        output.storeBytes(of: start.bigEndian, as: UInt64.self)
        let end = headBits + 32 + frames * 2 * bits
        for bit in end..<end + 3 { output[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        return count
    }
}

extension Slice<UnsafeMutableRawBufferPointer> {
    fileprivate func initializeMemoryToZero() {
        UnsafeMutableRawBufferPointer(rebasing: self).initializeMemory(as: UInt8.self, repeating: 0)
    }
}
