/// The MPEG-4 descriptor around an AudioSpecificConfig, in the form of Apple's magic cookies for AAC.
///
/// Layout: tag 3 (ES: two bytes of id, one of flags), in it tag 4 (DecoderConfig: object type 0x40, stream
/// type 0x15, buffer size (24), greatest and mean bit rate (32 each)), in that tag 5 (the configuration); tag
/// 6 ends the descriptor. Each tag has its length in four bytes of seven bits. Source: ISO/IEC 14496-1,
/// 7.2.6.
enum ElementaryStreamDescriptor {
    static func around(_ configuration: [UInt8], bitRate: UInt32 = 0) -> [UInt8] {
        let rate = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bitRate >> UInt32($0)) }
        let specific = descriptor(5, configuration)
        let decoder = descriptor(4, [0x40, 0x15, 0, 0, 0] + rate + rate + specific)
        return descriptor(3, [0, 0, 0] + decoder + descriptor(6, [2]))
    }

    private static func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count
        return [
            tag, 0x80 | UInt8(length >> 21 & 0x7F), 0x80 | UInt8(length >> 14 & 0x7F),
            0x80 | UInt8(length >> 7 & 0x7F), UInt8(length & 0x7F),
        ] + content
    }
}
