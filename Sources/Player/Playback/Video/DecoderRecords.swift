import TuttiCodecs

/// The descriptor of an MPEG-4 stream, as far as decoders need it.
///
/// Layout: version and flags (4 bytes) in the atom; then descriptors, each of a tag, a length in 7-bit groups, and content.
/// ES (3) holds DecoderConfig (4) after three bytes; DecoderConfig holds DecoderSpecificInfo (5) after thirteen.
/// Sources: ISO/IEC 14496-1, 7.2.6; 14496-14, 5.6.
struct ElementaryStreamDescriptor {
    /// The codec's number.
    let objectType: UInt8
    /// The decoder's set-up bytes.
    let configuration: [UInt8]

    init(objectType: UInt8, configuration: [UInt8]) {
        (self.objectType, self.configuration) = (objectType, configuration)
    }

    /// Reads the content of an `esds` atom, with or without version and flags; `nil` without a DecoderConfig.
    init?(atom: [UInt8]) {
        var rest = atom.starts(with: [0, 0, 0, 0]) ? atom.dropFirst(4) : atom[...]
        var (type, info): (UInt8?, [UInt8]) = (nil, [])
        while let tag = rest.popFirst() {
            var length = 0
            for _ in 0..<4 {
                guard let byte = rest.popFirst() else { return nil }
                length = length << 7 | Int(byte & 0x7F)
                if byte & 0x80 == 0 { break }
            }
            switch tag {
            case 3:
                guard rest.count >= 3, let flags = rest.dropFirst(2).first else { return nil }
                rest = rest.dropFirst(3)
                if flags & 0x80 != 0 { rest = rest.dropFirst(2) }
                if flags & 0x40 != 0, let count = rest.popFirst() { rest = rest.dropFirst(Int(count)) }
                if flags & 0x20 != 0 { rest = rest.dropFirst(2) }
            case 4:
                type = rest.first
                rest = rest.dropFirst(13)
            case 5:
                info = Array(rest.prefix(length))
                rest = rest.dropFirst(length)
            default: rest = rest.dropFirst(length)
            }
        }
        guard let type else { return nil }
        (objectType, configuration) = (type, info)
    }

    /// The content of an `esds` atom.
    var atom: [UInt8] {
        let info = Self.descriptor(5, configuration)
        // The stream's kind is 4, pictures; buffer size and bit rates are unknown.
        let decoder = Self.descriptor(4, [objectType, 0x11] + [UInt8](repeating: 0, count: 11) + info)
        return [0, 0, 0, 0] + Self.descriptor(3, [0, 0, 0] + decoder + Self.descriptor(6, [2]))
    }

    private static func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = [21, 14, 7, 0].map {
            UInt8(truncatingIfNeeded: content.count >> $0) & 0x7F | ($0 > 0 ? 0x80 : 0)
        }
        return [tag] + length + content
    }
}

/// The record that describes a stream of VP8 or VP9.
///
/// Source: VP Codec ISO Media File Format Binding, version 1.0.
enum VPConfiguration {
    /// The content of a `vpcC` atom.
    static func record(of video: VideoStreamParameters) -> [UInt8] {
        let color = video.statedColor
        let chroma: Int =
            switch video.chromaShift {
            case (1, 1): 1
            case (1, _): 2
            default: 3
            }
        let isDeep = video.bitDepth > 8
        let profile = video.profile >= 0 ? video.profile : (isDeep ? 2 : 0) + (chroma == 1 ? 0 : 1)
        let level = video.level > 0 ? video.level : self.level(of: video)
        let formats = video.bitDepth << 4 | chroma << 1 | (color.isFullRange == true ? 1 : 0)
        let numbers = [profile, level, formats, color.primaries, color.transfer, color.matrix, 0, 0]
        return [1, 0, 0, 0] + numbers.map { UInt8(clamping: $0) }
    }

    /// The levels of VP9 with their most pixels per second and per picture; rates double between the last ones.
    private static let levels: [(level: Int, rate: Double, pixels: Int)] = [
        (10, 829_440, 36_864), (11, 2_764_800, 73_728), (20, 4_608_000, 122_880), (21, 9_216_000, 245_760),
        (30, 20_736_000, 552_960), (31, 36_864_000, 983_040), (40, 83_558_400, 2_228_224),
        (41, 160_432_128, 2_228_224), (50, 311_951_360, 8_912_896), (51, 588_251_136, 8_912_896),
        (52, 1_176_502_272, 8_912_896), (60, 1_176_502_272, 35_651_584), (61, 2_353_004_544, 35_651_584),
        (62, 4_706_009_088, 35_651_584),
    ]

    private static func level(of video: VideoStreamParameters) -> Int {
        let pixels = video.width * video.height
        let rate = Double(pixels) * (video.pictureRate > 0 ? video.pictureRate : 30)
        return levels.first { pixels <= $0.pixels && rate <= $0.rate }?.level ?? 62
    }
}

/// The record that describes a stream of AV1.
///
/// Source: AV1 Codec ISO Media File Format Binding, 2.3.3.
enum AV1Configuration {
    /// The content of an `av1C` atom: the file's own, or one made of the stream's parameters.
    static func record(of video: VideoStreamParameters) -> [UInt8] {
        let own = video.configuration
        // Marker and version; a bare sequence header begins with a type below 0x80.
        if own.first == 0x81 { return own }
        let shift = video.chromaShift
        let formats: [Bool] = [
            false, video.bitDepth > 8, video.bitDepth > 10, video.isMonochrome, shift.horizontal > 0,
            shift.vertical > 0, false, false,
        ]
        let profile = max(0, min(video.profile, 7))
        let level = max(0, min(video.level, 31))
        return [0x81, UInt8(profile << 5 | level), formats.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }, 0] + own
    }
}
