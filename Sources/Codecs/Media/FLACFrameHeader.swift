/// How many frames a packet of FLAC holds; some containers do not say it.
///
/// Layout: 14 bits of ones and a zero, two bits; four bits that name the length; the number of the packet
/// as UTF-8 would have it; the length where the four bits do not name it. Source: RFC 9639, 9.1.
enum FLACFrameHeader {
    /// - Returns: 0 for what is no such packet.
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
