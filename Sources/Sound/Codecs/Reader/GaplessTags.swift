/// The encoder delay and length as iTunes writes them: a comment of hexadecimal numbers.
///
/// *Observed*: ` 00000000 00000840 000001CA 00000000003F31F6 …`: unused, delay, padding, audible frames.
struct ITunesGaplessTag: Hashable {
    let delay: Int
    let padding: Int
    let frameCount: Int64

    init?(_ text: String) {
        let numbers = text.prefix(256).split(separator: " ").prefix(4).map { Int64($0, radix: 16) }
        guard numbers.count == 4, let delay = numbers[1], let padding = numbers[2], let count = numbers[3],
            (0..<65_536).contains(delay), (0..<65_536).contains(padding), count > 0
        else { return nil }
        (self.delay, self.padding, frameCount) = (Int(delay), Int(padding), count)
    }
}

/// The end of the Xing or Info frame that encoders put before an MP3 stream.
///
/// *Observed*: after `Xing`/`Info`, flags and the tables the flags name, 9 bytes of encoder name, …; 21 bytes
/// from the name's start, 12 bits of delay and 12 bits of padding, both without the decoder's own 529 frames.
struct LAMETag: Hashable {
    /// The delay of an MP3 decoder, in frames.
    static let decoderDelay = 529

    let delay: Int
    let padding: Int

    /// Parses the tag in the first frame of these bytes.
    init?(frames bytes: [UInt8]) {
        var start = 0
        while start + 4 <= bytes.count, !(bytes[start] == 0xFF && bytes[start + 1] & 0xE6 == 0xE2) {
            start += 1
        }
        guard start + 4 <= bytes.count else { return nil }
        let isMPEG1 = bytes[start + 1] & 0x08 != 0
        let isMono = bytes[start + 3] >> 6 == 3
        let sideInfo = isMPEG1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
        var position = start + 4 + sideInfo
        guard position + 8 <= bytes.count,
            [Array("Xing".utf8), Array("Info".utf8)].contains(Array(bytes[position..<position + 4]))
        else { return nil }
        let flags = bytes[position + 7]
        position += 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 2 != 0 ? 4 : 0) + (flags & 4 != 0 ? 100 : 0)
        position += (flags & 8 != 0 ? 4 : 0) + 21
        guard position + 3 <= bytes.count else { return nil }
        let both = Int(bytes[position]) << 16 | Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
        guard both != 0 else { return nil }
        (delay, padding) = (both >> 12, both & 0xFFF)
    }

    /// Returns the offset of the sound in a file that starts with these 10 bytes: after the ID3 tag, if there
    /// is one.
    static func endOfID3(_ bytes: [UInt8]) -> Int {
        guard bytes.count >= 10, bytes[0..<3].elementsEqual("ID3".utf8) else { return 0 }
        let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        return 10 + size + (bytes[5] & 0x10 != 0 ? 10 : 0)
    }
}
