/// The tag in front of MP3 and other files.
///
/// Layout: `ID3`, version (2 bytes), flags (bit 4: a footer of 10 bytes), length in four bytes of seven bits,
/// which excludes the header of 10 bytes and the footer. Source: ID3v2.4.0, 3.1.
enum ID3Tag {
    static let headByteCount = 10

    /// Returns the size of the whole tag in bytes; `nil` for bytes that begin no tag.
    static func byteCount(_ head: some Collection<UInt8>) -> Int? {
        let head = Array(head.prefix(headByteCount))
        guard head.count == headByteCount, head[0] == 0x49, head[1] == 0x44, head[2] == 0x33, head[3] != 0xFF,
            head[4] != 0xFF, head[6...9].allSatisfy({ $0 < 0x80 })
        else { return nil }
        let length = head[6...9].reduce(0) { $0 << 7 | Int($1) }
        return length + headByteCount + (head[5] & 0x10 != 0 ? 10 : 0)
    }
}
