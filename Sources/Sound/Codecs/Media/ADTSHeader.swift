/// The header before each access unit of an ADTS stream, AAC's simplest container.
///
/// 7 bytes, or 9 with a checksum. Source: ISO/IEC 14496-3, 1.A.2.2.
struct ADTSHeader: Hashable, Sendable {
    /// MPEG-4 audio object type minus 1.
    let profile: UInt8
    /// An index into the standard's table of rates, 0 ... 12.
    let frequencyIndex: UInt8
    let channelConfiguration: UInt8
    /// The length of the header: 7 or 9.
    let byteCount: Int

    /// Parses a header; `nil` unless the bytes start with a whole header.
    init?(_ bytes: some RandomAccessCollection<UInt8>) {
        let head = Array(bytes.prefix(7))
        guard head.count == 7, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else { return nil }
        profile = head[2] >> 6
        frequencyIndex = head[2] >> 2 & 0xF
        channelConfiguration = (head[2] & 1) << 2 | head[3] >> 6
        byteCount = head[1] & 1 == 1 ? 7 : 9
        guard frequencyIndex < 13, bytes.count >= byteCount else { return nil }
    }

    /// The equivalent AudioSpecificConfig, the two bytes that other containers carry.
    var audioSpecificConfig: [UInt8] {
        let bits = UInt16(profile + 1) << 11 | UInt16(frequencyIndex) << 7 | UInt16(channelConfiguration) << 3
        return [UInt8(bits >> 8), UInt8(bits & 0xFF)]
    }
}
