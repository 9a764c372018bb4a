import Testing

@testable import CoreMedia

/// Parameter sets that libx264 and libx265 wrote, and what FFmpeg reads in them.
struct ParameterSetVector: Sendable, CustomTestStringConvertible {
    let name: String
    let sets: [[UInt8]]
    let width: Int
    let height: Int
    /// The width and the height of a pixel.
    var ratio = VideoUsability.PixelAspectRatio(horizontal: 1, vertical: 1)
    var isFullRange: Bool?
    /// The numbers of H.273.
    var colors: VideoUsability.ColorCodes?
    var chromaLocation: Int?

    var testDescription: String { name }
    /// The sequence parameter set.
    var sequence: [UInt8] { sets.first { $0[0] & 0x9F == 7 || $0[0] == 0x42 } ?? [] }
    var data: [Data] { sets.map { Data($0) } }
}

/// Returns the bytes of a hexadecimal number.
func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8).map { UInt8(hexDigit: $0) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

extension UInt8 {
    fileprivate init(hexDigit: UInt8) { self = hexDigit >= 0x61 ? hexDigit - 0x61 + 10 : hexDigit - 0x30 }
}

extension ParameterSetVector {
    private static func make(
        _ name: String, _ hex: String..., size: (Int, Int), ratio: (Int, Int) = (1, 1), full: Bool? = nil,
        colors: (Int32, Int32, Int32)? = nil, chroma: Int? = nil
    ) -> Self {
        ParameterSetVector(
            name: name, sets: hex.map { bytes($0) }, width: size.0, height: size.1,
            ratio: .init(horizontal: ratio.0, vertical: ratio.1), isFullRange: full,
            colors: colors.map { .init(primaries: $0.0, transferFunction: $0.1, matrix: $0.2) },
            chromaLocation: chroma)
    }

    static let h264 = [
        make(
            "720p", "6764001facd9405005bb016a020202800000030080000019078c18cb", "68ebe3cb22c0",
            size: (1280, 720), full: false, colors: (1, 1, 1)),
        make(
            "1080p, cropped from 1088 rows", "67640028acd940780227e5c05a808080a0000003002000000641e30632c0",
            "68ebe3cb22c0", size: (1920, 1080), full: false, colors: (1, 1, 1)),
        make(
            "baseline profile, cropped at two sides", "6742c00dd901519e226c0440000003004000000c83c50a92",
            "68cb83cb20", size: (322, 182)),
        make(
            "interlaced with 576 rows", "6764001eacd940b424dff80080007b50501054000003000400000300c87c50a658",
            "68fba3cb22c0", size: (720, 576), ratio: (16, 15), full: false, colors: (5, 1, 5)),
        make(
            "a ratio that is not in the table",
            "6764001eacd940a03dbff000700051000003000100000300320f162d96", "68ebe3cb22c0", size: (640, 480),
            ratio: (7, 5)),
        make(
            "full range", "6764001eacd940a03db016c80000030008000003019078b16cb0", "68ebe3cb22c0",
            size: (640, 480), full: true),
        make(
            "4:4:4, cropped by odd numbers", "67f4000a919b28497c7c7e0220000003002000000641e244b2c0",
            "68ebe3c44844", size: (130, 66)),
        make(
            "4:2:2 with 10 bits", "677a000cb6cd941013b016a12241280000030008000003019078a14cb0",
            "68ebe3cb22c0",
            size: (256, 144), full: false, colors: (9, 18, 9)),
        make(
            "grey", "6764000cf3650404ec05b2000003000200000300641e28532c", "68ebe3cb22c0", size: (256, 144),
            full: true),
    ]

    static let hevc = [
        make(
            "1080p", "40010c01ffff016000000300900000030000030078959809",
            "420101016000000300900000030000030078a003c08010e596566924caf016a020202080000003008000000c84",
            "4401c172b46240", size: (1920, 1080), full: false, colors: (1, 1, 1)),
        make(
            "2160p with PQ and 10 bits", "40010c01ffff022000000300900000030000030096959809",
            "420101022000000300900000030000030096a001e020021c4d96566924caf016a122012080000003008000000c84",
            "4401c172b46240", size: (3840, 2160), full: false, colors: (9, 16, 9)),
        make(
            "default scaling lists", "40010c01ffff01600000030090000003000003003c959809",
            "42010101600000030090000003000003003ca00a080b9f796566924e5780b4040000030004000003006420",
            "4401c172b46240", size: (320, 180), full: false),
        make(
            "4:2:2", "40010c01ffff0408000003009d0800000300003c959809",
            "4201010408000003009d0800000300003cb00a080b9f2e5959a4932bffc0040003da020000030002000003003210",
            "4401c172b46240", size: (320, 180), ratio: (16, 15), full: false),
        make(
            "4:4:4 with 12 bits", "40010c01ffff040800000300980800000300003c959809",
            "420101040800000300980800000300003c9001410173e5294b2b349265780b4040000003004000000642",
            "4401c172860c4624", size: (320, 180), full: false),
        make(
            "three temporal layers", "40010c01ffff01600000030090000003000003003c959409",
            "42010101600000030090000003000003003ca00a080b9f796565924caf016808000003000800000300c840",
            "4401c172b46240", size: (320, 180), full: false),
        make(
            "full range, chroma at the upper left", "40010c01ffff01600000030090000003000003003c959809",
            "42010101600000030090000003000003003ca00a480c1d4996566924caf016d6c20000030002000003003210",
            "4401c172b46240", size: (326, 186), full: true, chroma: 2),
    ]
}
