/// A converter from a format description's magic cookie to the form that the decoders expect.
package enum DecoderCookie {
    /// Returns the cookie of a file or format description in the form of ``AudioStreamParameters/cookie``.
    package static func normalized(_ cookie: [UInt8], for codec: AudioCodec) -> [UInt8] {
        switch codec {
        case .aac: audioSpecificConfig(in: cookie)
        case .alac: appleLosslessAtom(around: cookie)
        case .flac: streamInfo(in: cookie)
        case .opus: opusHead(in: cookie)
        default: cookie
        }
    }

    /// Returns the AudioSpecificConfig inside an MPEG-4 ES descriptor, or the bytes unchanged.
    ///
    /// Layout: each descriptor has a tag, a length in 7-bit groups, and content. ES (3) holds DecoderConfig
    /// (4) after three bytes; DecoderConfig holds DecoderSpecificInfo (5) after thirteen. Source: ISO/IEC
    /// 14496-1, 7.2.6.
    private static func audioSpecificConfig(in cookie: [UInt8]) -> [UInt8] {
        guard let first = cookie.first, first == 3 || first == 4 else { return cookie }
        var rest = cookie[...]
        while let tag = rest.first {
            rest = rest.dropFirst()
            var length = 0
            for _ in 0..<4 {
                guard let byte = rest.first else { return cookie }
                rest = rest.dropFirst()
                length = length << 7 | Int(byte & 0x7F)
                if byte & 0x80 == 0 { break }
            }
            switch tag {
            case 3: rest = rest.dropFirst(3)
            case 4: rest = rest.dropFirst(13)
            case 5: return Array(rest.prefix(length))
            default: rest = rest.dropFirst(length)
            }
        }
        return cookie
    }

    /// Returns the 24 bytes of ALACSpecificConfig in an `alac` atom, the form used by files.
    private static func appleLosslessAtom(around cookie: [UInt8]) -> [UInt8] {
        let atom: [UInt8] = [0, 0, 0, 36, 0x61, 0x6C, 0x61, 0x63, 0, 0, 0, 0]
        if cookie.count == 24 { return atom + cookie }
        // Inside `frma` and `alac` atoms, the config follows the second `alac` header.
        if cookie.count >= 48, Array(cookie[4..<8]) == [0x66, 0x72, 0x6D, 0x61] {
            return atom + cookie[24..<48]
        }
        return cookie
    }

    /// Returns the STREAMINFO block inside a `dfLa` atom, or the bytes unchanged.
    private static func streamInfo(in cookie: [UInt8]) -> [UInt8] {
        guard cookie.count >= 50, Array(cookie[4..<8]) == [0x64, 0x66, 0x4C, 0x61] else { return cookie }
        return Array(cookie[16..<50])
    }

    /// Returns the identification header for a `dOps` box, or the bytes unchanged.
    ///
    /// Layout: version, channels, pre-skip (16), rate (32), gain (16), mapping family and table. Both forms
    /// have these fields; the box stores them big-endian. Sources: RFC 7845, 5.1; Opus in ISO BMFF, 4.3.2.
    private static func opusHead(in cookie: [UInt8]) -> [UInt8] {
        var box = cookie[...]
        if cookie.count >= 8, Array(cookie[4..<8]) == Array("dOps".utf8) { box = box.dropFirst(8) }
        guard box.first == 0, box.count >= 11 else { return cookie }
        let fields = Array(box)
        return Array("OpusHead".utf8) + [1, fields[1]] + fields[2..<4].reversed() + fields[4..<8].reversed()
            + fields[8..<10].reversed() + fields[10...]
    }
}
