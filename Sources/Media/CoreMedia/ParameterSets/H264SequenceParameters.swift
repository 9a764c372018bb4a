import TuttiWire

/// The sequence parameter set of H.264, clause 7.3.2.1.1 of ITU-T H.264: the fields that a file or an app
/// needs.
struct H264SequenceParameters: Equatable {
    /// The number of the profile.
    let profile: UInt8
    /// The byte of constraint flags after the profile.
    let constraints: UInt8
    /// Ten times the level.
    let level: UInt8
    /// The chroma format and the bit depths, in the profiles that state them.
    private(set) var depth: Depth?
    /// The width in pixels, without what is cropped.
    let width: Int
    /// The height in pixels, without what is cropped.
    let height: Int
    private(set) var usability = VideoUsability()

    /// The chroma format and the bit depths.
    struct Depth: Equatable {
        /// 0 for none, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
        let chromaFormat: UInt8
        /// The bits of a luma sample, 8…14.
        let luma: UInt8
        /// The bits of a chroma sample, 8…14.
        let chroma: UInt8
        /// Whether each colour is coded as a picture of its own.
        let hasSeparateColors: Bool
    }

    /// The type of the NAL unit.
    static let nalType: UInt8 = 7
    /// The profiles that state chroma format and bit depths.
    private static let profilesWithDepth: Set<UInt8> = [
        44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244,
    ]
    /// The limit of a side in macroblocks of 16 pixels: the number of pixels fits 16 bits, as files need.
    private static let macroblockLimit: UInt32 = 4095

    /// Reads a parameter set.
    ///
    /// - Parameter nalUnit: The unit with its header byte, without start code or length.
    init(nalUnit: some Collection<UInt8>) throws(WireError) {
        var input = BitReader(nalUnit: nalUnit)
        let header = UInt8(try input.bits(8, field: "nal_unit_header"))
        guard header & 0x9F == Self.nalType else {
            throw .unexpected(field: "nal_unit_type", value: UInt64(header))
        }
        profile = UInt8(try input.bits(8, field: "profile_idc"))
        constraints = UInt8(try input.bits(8, field: "constraint_set_flags"))
        level = UInt8(try input.bits(8, field: "level_idc"))
        _ = try input.exponential(upTo: 31, field: "seq_parameter_set_id")
        if Self.profilesWithDepth.contains(profile) { depth = try Self.depth(from: &input) }
        try Self.skipPictureOrder(&input)
        _ = try input.exponential(field: "max_num_ref_frames")
        try input.skip(1, field: "gaps_in_frame_num_value_allowed_flag")
        let columns = try input.exponential(
            upTo: Self.macroblockLimit - 1, field: "pic_width_in_mbs_minus1")
        let mapRows = try input.exponential(
            upTo: Self.macroblockLimit - 1, field: "pic_height_in_map_units_minus1")
        let hasOnlyFrames = try input.flag(field: "frame_mbs_only_flag")
        if !hasOnlyFrames { try input.skip(1, field: "mb_adaptive_frame_field_flag") }
        try input.skip(1, field: "direct_8x8_inference_flag")
        // A row of the map covers two rows of macroblocks if fields can be coded.
        let rowsPerMapRow = hasOnlyFrames ? 1 : 2
        let crop = try input.flag(field: "frame_cropping_flag") ? CropRect(parsing: &input) : CropRect()
        let unit = Self.cropUnit(depth, rowsPerMapRow)
        width = (Int(columns) + 1) * 16 - crop.columns * unit.width
        height = (Int(mapRows) + 1) * 16 * rowsPerMapRow - crop.rows * unit.height
        guard width > 0, height > 0, height <= UInt16.max else {
            throw .outOfRange(field: "frame_crop_offsets", value: 0)
        }
        if try input.flag(field: "vui_parameters_present_flag") {
            usability = try VideoUsability(parsing: &input)
        }
    }

    private static func depth(from input: inout BitReader) throws(WireError) -> Depth {
        let chromaFormat = try input.exponential(upTo: 3, field: "chroma_format_idc")
        let hasSeparateColors =
            chromaFormat == 3 ? try input.flag(field: "separate_colour_plane_flag") : false
        let luma = try input.exponential(upTo: 6, field: "bit_depth_luma_minus8")
        let chroma = try input.exponential(upTo: 6, field: "bit_depth_chroma_minus8")
        try input.skip(1, field: "qpprime_y_zero_transform_bypass_flag")
        if try input.flag(field: "seq_scaling_matrix_present_flag") {
            for list in 0..<(chromaFormat == 3 ? 12 : 8)
            where try input.flag(field: "seq_scaling_list_present_flag") {
                try skipScalingList(&input, count: list < 6 ? 16 : 64)
            }
        }
        return Depth(
            chromaFormat: UInt8(chromaFormat), luma: UInt8(luma) + 8, chroma: UInt8(chroma) + 8,
            hasSeparateColors: hasSeparateColors)
    }

    /// Skips a scaling list, in which differences follow each other until the next value is zero.
    private static func skipScalingList(_ input: inout BitReader, count: Int) throws(WireError) {
        var value = 8
        for _ in 0..<count {
            value = (value + (try input.signedExponential(field: "delta_scale"))) & 0xFF
            if value == 0 { return }
        }
    }

    private static func skipPictureOrder(_ input: inout BitReader) throws(WireError) {
        _ = try input.exponential(upTo: 12, field: "log2_max_frame_num_minus4")
        switch try input.exponential(upTo: 2, field: "pic_order_cnt_type") {
        case 0:
            _ = try input.exponential(upTo: 12, field: "log2_max_pic_order_cnt_lsb_minus4")
        case 1:
            try input.skip(1, field: "delta_pic_order_always_zero_flag")
            _ = try input.signedExponential(field: "offset_for_non_ref_pic")
            _ = try input.signedExponential(field: "offset_for_top_to_bottom_field")
            let count = try input.exponential(
                upTo: 255, field: "num_ref_frames_in_pic_order_cnt_cycle")
            for _ in 0..<count { _ = try input.signedExponential(field: "offset_for_ref_frame") }
        default: break
        }
    }

    /// Returns the pixels of one unit of the crop offsets, table 6-1 and equations 7-19 to 7-22.
    private static func cropUnit(_ depth: Depth?, _ rowsPerMapRow: Int) -> (width: Int, height: Int) {
        let chromaFormat = depth.map { $0.hasSeparateColors ? 0 : $0.chromaFormat } ?? 1
        return (
            chromaFormat == 1 || chromaFormat == 2 ? 2 : 1, (chromaFormat == 1 ? 2 : 1) * rowsPerMapRow
        )
    }
}

/// The numbers of units that are cropped at the four sides of a picture.
struct CropRect: Equatable {
    /// The units on the left and on the right.
    private(set) var columns = 0
    /// The units at the top and at the bottom.
    private(set) var rows = 0

    init() {}

    init(parsing input: inout BitReader) throws(WireError) {
        columns = Int(try input.exponential(field: "crop_left_offset"))
        columns += Int(try input.exponential(field: "crop_right_offset"))
        rows = Int(try input.exponential(field: "crop_top_offset"))
        rows += Int(try input.exponential(field: "crop_bottom_offset"))
    }
}
