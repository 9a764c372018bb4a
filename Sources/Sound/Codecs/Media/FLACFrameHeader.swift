/// A parser for the frame count of a FLAC packet, which some containers omit.
///
/// Layout: 14 sync bits (ones and a final zero), two bits, four bits that code the length, the packet number
/// in UTF-8 coding, and the length itself where the four bits do not give it. Source: RFC 9639, 9.1.
enum FLACFrameHeader {
    /// - Returns: The packet's frame count; 0 if the bytes are not a FLAC packet.
    static func frameCount(_ bytes: some Collection<UInt8>) -> Int64 {
        let bytes = Array(bytes.prefix(16))
        guard bytes.count >= 6, bytes[0] == 0xFF, bytes[1] & 0xFC == 0xF8 else { return 0 }
        let code = Int(bytes[2] >> 4)
        switch code {
        case 1: return 192
        case 2...5: return 576 << (code - 2)
        case 8...15: return 256 << (code - 8)
        case 6, 7:
            let place = 4 + numberLength(bytes[4])
            guard bytes.count >= place + code - 5 else { return 0 }
            let last = code == 6 ? Int64(bytes[place]) : Int64(bytes[place]) << 8 | Int64(bytes[place + 1])
            return last + 1
        default: return 0
        }
    }

    private static func numberLength(_ first: UInt8) -> Int {
        first < 0x80 ? 1 : max(1, (~first).leadingZeroBitCount)
    }
}
