import TuttiWire

/// The colours and the pixel shape of a video: the part of the VUI that H.264 (annex E) and HEVC (annex E)
/// share.
struct VideoUsability: Equatable {
    /// The width and the height of a pixel in a common unit; `nil` if unspecified.
    var pixelAspectRatio: PixelAspectRatio?
    /// Whether 8-bit numbers use 0…255; `nil` if unspecified.
    var isFullRange: Bool?
    /// The numbers of ITU-T H.273; `nil` if unspecified.
    var colors: ColorCodes?
    /// The places of the chroma samples in both fields, 0…5; `nil` if unspecified.
    var chromaLocations: ChromaLocations?

    struct PixelAspectRatio: Equatable {
        let horizontal: Int
        let vertical: Int
    }

    struct ColorCodes: Equatable {
        let primaries: Int32
        let transferFunction: Int32
        let matrix: Int32
    }

    struct ChromaLocations: Equatable {
        let top: Int
        let bottom: Int
    }

    /// The ratios of `aspect_ratio_idc` 1…16.
    private static let ratios = [
        (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11),
        (15, 11),
        (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
    ]
    /// The `aspect_ratio_idc` after which the ratio follows.
    private static let extendedRatio: UInt32 = 255

    init() {}

    /// Reads the fields up to the places of the chroma samples; the fields after them follow no common form.
    init(parsing input: inout BitReader) throws(WireError) {
        if try input.flag(field: "aspect_ratio_info_present_flag") {
            pixelAspectRatio = try Self.aspectRatio(from: &input)
        }
        if try input.flag(field: "overscan_info_present_flag") {
            try input.skip(1, field: "overscan_appropriate_flag")
        }
        if try input.flag(field: "video_signal_type_present_flag") {
            try input.skip(3, field: "video_format")
            isFullRange = try input.flag(field: "video_full_range_flag")
            if try input.flag(field: "colour_description_present_flag") {
                colors = ColorCodes(
                    primaries: Int32(try input.bits(8, field: "colour_primaries")),
                    transferFunction: Int32(try input.bits(8, field: "transfer_characteristics")),
                    matrix: Int32(try input.bits(8, field: "matrix_coefficients")))
            }
        }
        if try input.flag(field: "chroma_loc_info_present_flag") {
            chromaLocations = ChromaLocations(
                top: Int(try input.exponential(upTo: 5, field: "chroma_sample_loc_type_top_field")),
                bottom: Int(try input.exponential(upTo: 5, field: "chroma_sample_loc_type_bottom_field")))
        }
    }

    private static func aspectRatio(from input: inout BitReader) throws(WireError) -> PixelAspectRatio? {
        let code = try input.bits(8, field: "aspect_ratio_idc")
        if code == extendedRatio {
            let width = Int(try input.bits(16, field: "sar_width"))
            let height = Int(try input.bits(16, field: "sar_height"))
            return width > 0 && height > 0 ? PixelAspectRatio(horizontal: width, vertical: height) : nil
        }
        guard (1...ratios.count).contains(Int(code)) else { return nil }
        let ratio = ratios[Int(code) - 1]
        return PixelAspectRatio(horizontal: ratio.0, vertical: ratio.1)
    }
}
