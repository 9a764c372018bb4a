import Testing

@testable import TuttiCodecs

@Suite("Set-up bytes of decoders")
struct DecoderCookieTests {
    private static let config: [UInt8] = [0x12, 0x10]
    private static let lossless = (0..<24).map { UInt8($0) }

    /// An ES descriptor around an AudioSpecificConfig, with lengths of so many bytes.
    private static func descriptor(lengthBytes count: Int, extra: [UInt8] = []) -> [UInt8] {
        func length(_ value: Int) -> [UInt8] {
            (0..<count).map { place in
                UInt8(value >> (7 * (count - 1 - place)) & 0x7F) | (place < count - 1 ? 0x80 : 0)
            }
        }
        let info = [5] + length(config.count) + config
        let decoder = [4] + length(13 + info.count) + [UInt8](repeating: 0x40, count: 13) + info
        return [3] + length(3 + extra.count + decoder.count) + [0, 0, 0] + extra + decoder
    }

    @Test(
        "the configuration of AAC is found in a descriptor, whatever the form of its lengths",
        arguments: 1...4)
    func aac(lengthBytes: Int) {
        let cookie = Self.descriptor(lengthBytes: lengthBytes)
        #expect(DecoderCookie.normalized(cookie, for: .aac) == Self.config)
        // Bytes behind the configuration are not part of it.
        #expect(DecoderCookie.normalized(cookie + [6, 1, 2], for: .aac) == Self.config)
        let other: [UInt8] = [9, 2, 0xAA, 0xBB]
        let skipped = Self.descriptor(lengthBytes: lengthBytes, extra: other)
        #expect(DecoderCookie.normalized(skipped, for: .aac) == Self.config)
    }

    @Test("bytes that are no descriptor, or end before the configuration, are unchanged")
    func noDescriptor() {
        for cookie in [
            [], Self.config, [0x11, 0x90, 0x56, 0xE5, 0], [3], [4, 0x80], [3, 0x80, 0x80, 0x80],
        ] as [[UInt8]] {
            #expect(DecoderCookie.normalized(cookie, for: .aac) == cookie)
        }
        let whole = Self.descriptor(lengthBytes: 4)
        for count in 0..<whole.count - 2 - 4 {
            let cut = Array(whole.prefix(count))
            #expect(DecoderCookie.normalized(cut, for: .aac) == cut)
        }
        for index in whole.indices {
            for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                var changed = whole
                changed[index] = value
                #expect(DecoderCookie.normalized(changed, for: .aac).count <= changed.count)
            }
        }
    }

    @Test("the configuration of ALAC gets its atom, from each form in which files have it")
    func alac() {
        let atom: [UInt8] = [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0] + Self.lossless
        let nested: [UInt8] = [0, 0, 0, 12] + Array("frmaalac".utf8) + atom
        let forms = [Self.lossless, atom, nested, nested + [0, 0, 0, 8, 0, 0, 0, 0]]
        for form in forms { #expect(DecoderCookie.normalized(form, for: .alac) == atom) }
        for cookie in [[], Array(Self.lossless.dropLast()), Array(nested.prefix(47))] as [[UInt8]] {
            #expect(DecoderCookie.normalized(cookie, for: .alac) == cookie)
        }
    }

    @Test("the stream information of FLAC is found in its box")
    func flac() {
        let info = (0..<34).map { UInt8($0) }
        let box: [UInt8] = [0, 0, 0, 50] + Array("dfLa".utf8) + [0, 0, 0, 0, 0x80, 0, 0, 34] + info
        #expect(DecoderCookie.normalized(box, for: .flac) == info)
        #expect(DecoderCookie.normalized(box + [1, 2, 3], for: .flac) == info)
        for cookie in [[], info, Array(box.dropLast())] as [[UInt8]] {
            #expect(DecoderCookie.normalized(cookie, for: .flac) == cookie)
        }
    }

    @Test("the box of Opus becomes its header, with numbers in the other order")
    func opus() {
        let fields: [UInt8] = [0, 2, 0x01, 0x38, 0, 0, 0xBB, 0x80, 0xFF, 0x00, 0]
        let head: [UInt8] = Array("OpusHead".utf8) + [1, 2, 0x38, 0x01, 0x80, 0xBB, 0, 0, 0x00, 0xFF, 0]
        #expect(DecoderCookie.normalized(fields, for: .opus) == head)
        let box: [UInt8] = [0, 0, 0, 19] + Array("dOps".utf8) + fields
        #expect(DecoderCookie.normalized(box, for: .opus) == head)
        // Channel mapping family 1 has a table behind it.
        let table: [UInt8] = [1, 1, 0, 1]
        #expect(
            DecoderCookie.normalized(Array(fields.dropLast()) + table, for: .opus) == Array(head.dropLast())
                + table)
        for cookie in [[], head, Array(fields.dropLast()), [1] + fields.dropFirst()] as [[UInt8]] {
            #expect(DecoderCookie.normalized(cookie, for: .opus) == cookie)
        }
    }

    @Test("other codecs have their bytes as they are")
    func others() {
        let bytes = Self.descriptor(lengthBytes: 1)
        for codec in [AudioCodec.mp3, .vorbis, .other("wmav2")] {
            #expect(DecoderCookie.normalized(bytes, for: codec) == bytes)
        }
    }
}
