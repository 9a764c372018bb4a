import TuttiWire

/// The sequence parameter set of HEVC, clause 7.3.2.2 of ITU-T H.265: the fields that a file or an app needs.
struct HEVCSequenceParameters: Equatable {
    /// The number of temporal layers, 1…7.
    let layerCount: UInt8
    /// Whether a decoder may switch up to a higher layer at any picture.
    let isNested: Bool
    /// The profile, its compatibility and constraint flags, and the level: 12 bytes as files store them.
    let profileAndLevel: [UInt8]
    /// 0 for none, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
    let chromaFormat: UInt8
    /// The bits of a luma sample, 8…16.
    let lumaDepth: UInt8
    /// The bits of a chroma sample, 8…16.
    let chromaDepth: UInt8
    /// The width in pixels, inside the conformance window.
    let width: Int
    /// The height in pixels, inside the conformance window.
    let height: Int
    private(set) var usability = VideoUsability()

    /// The type of the NAL unit.
    static let nalType: UInt8 = 33
    /// The limit of a side in pixels: the number fits 16 bits, as files need.
    private static let longestSide = UInt32(UInt16.max)

    /// Reads a parameter set.
    ///
    /// - Parameter nalUnit: The unit with its header of two bytes, without start code or length.
    init(nalUnit: some Collection<UInt8>) throws(WireError) {
        var input = BitReader(nalUnit: nalUnit)
        let header = try input.bits(16, field: "nal_unit_header")
        // The header has a zero bit, six bits of type, six of a layer that must be the base, three of
        // another.
        guard header & 0xFFF8 == UInt32(Self.nalType) << 9 else {
            throw .unexpected(field: "nal_unit_type", value: UInt64(header))
        }
        try input.skip(4, field: "sps_video_parameter_set_id")
        let highestLayer = Int(try input.bits(3, field: "sps_max_sub_layers_minus1"))
        guard highestLayer < 7 else {
            throw .outOfRange(field: "sps_max_sub_layers_minus1", value: UInt64(highestLayer))
        }
        layerCount = UInt8(highestLayer + 1)
        isNested = try input.flag(field: "sps_temporal_id_nesting_flag")
        profileAndLevel = try Self.profileAndLevel(from: &input, highestLayer: highestLayer)
        _ = try input.exponential(upTo: 15, field: "sps_seq_parameter_set_id")
        let chroma = try input.exponential(upTo: 3, field: "chroma_format_idc")
        chromaFormat = UInt8(chroma)
        let hasSeparateColors = chroma == 3 ? try input.flag(field: "separate_colour_plane_flag") : false
        let size = try (
            input.exponential(upTo: Self.longestSide, field: "pic_width_in_luma_samples"),
            input.exponential(upTo: Self.longestSide, field: "pic_height_in_luma_samples")
        )
        let crop = try input.flag(field: "conformance_window_flag") ? CropRect(parsing: &input) : CropRect()
        let isSubsampled = !hasSeparateColors && (chroma == 1 || chroma == 2)
        width = Int(size.0) - crop.columns * (isSubsampled ? 2 : 1)
        height = Int(size.1) - crop.rows * (isSubsampled && chroma == 1 ? 2 : 1)
        guard width > 0, height > 0 else { throw .outOfRange(field: "conf_win_offsets", value: 0) }
        lumaDepth = UInt8(try input.exponential(upTo: 8, field: "bit_depth_luma_minus8")) + 8
        chromaDepth = UInt8(try input.exponential(upTo: 8, field: "bit_depth_chroma_minus8")) + 8
        usability = try Self.usability(from: &input, highestLayer: highestLayer)
    }

    /// Reads the general profile and level, and skips those of the sub-layers, clause 7.3.3.
    private static func profileAndLevel(
        from input: inout BitReader, highestLayer: Int
    ) throws(WireError) -> [UInt8] {
        var general: [UInt8] = []
        for _ in 0..<12 { general.append(UInt8(try input.bits(8, field: "profile_tier_level"))) }
        guard highestLayer > 0 else { return general }
        var bitCount = 0
        for _ in 0..<highestLayer {
            if try input.flag(field: "sub_layer_profile_present_flag") { bitCount += 88 }
            if try input.flag(field: "sub_layer_level_present_flag") { bitCount += 8 }
        }
        try input.skip((8 - highestLayer) * 2 + bitCount, field: "sub_layers")
        return general
    }

    /// Skips the coding tools, and reads the VUI behind them.
    private static func usability(
        from input: inout BitReader, highestLayer: Int
    ) throws(WireError) -> VideoUsability {
        let orderBits = Int(try input.exponential(upTo: 12, field: "log2_max_pic_order_cnt_lsb_minus4")) + 4
        let statesEachLayer = try input.flag(field: "sps_sub_layer_ordering_info_present_flag")
        for _ in (statesEachLayer ? 0 : highestLayer)...highestLayer {
            for _ in 0..<3 { _ = try input.exponential(field: "sub_layer_ordering_info") }
        }
        for _ in 0..<6 { _ = try input.exponential(field: "block_sizes") }
        if try input.flag(field: "scaling_list_enabled_flag"),
            try input.flag(field: "sps_scaling_list_data_present_flag")
        {
            try skipScalingLists(&input)
        }
        try input.skip(2, field: "amp_and_sao_flags")
        if try input.flag(field: "pcm_enabled_flag") {
            try input.skip(8, field: "pcm_sample_bit_depths")
            for _ in 0..<2 { _ = try input.exponential(field: "pcm_block_sizes") }
            try input.skip(1, field: "pcm_loop_filter_disabled_flag")
        }
        try ReferencePictureSets.skip(&input)
        if try input.flag(field: "long_term_ref_pics_present_flag") {
            let count = Int(try input.exponential(upTo: 32, field: "num_long_term_ref_pics_sps"))
            try input.skip(count * (orderBits + 1), field: "long_term_ref_pics")
        }
        try input.skip(2, field: "motion_and_smoothing_flags")
        guard try input.flag(field: "vui_parameters_present_flag") else { return VideoUsability() }
        return try VideoUsability(parsing: &input)
    }

    /// Skips the scaling lists, clause 7.3.4.
    private static func skipScalingLists(_ input: inout BitReader) throws(WireError) {
        for size in 0..<4 {
            for _ in 0..<(size == 3 ? 2 : 6) {
                guard try input.flag(field: "scaling_list_pred_mode_flag") else {
                    _ = try input.exponential(field: "scaling_list_pred_matrix_id_delta")
                    continue
                }
                // The larger lists begin with the coefficient of the direct current.
                let count = min(64, 1 << (4 + size * 2)) + (size > 1 ? 1 : 0)
                for _ in 0..<count { _ = try input.signedExponential(field: "scaling_list_delta_coef") }
            }
        }
    }
}

/// The short-term reference picture sets of HEVC, clauses 7.3.7 and 7.4.8.
///
/// A set can be predicted from the one before it, so that the number of bits of a set depends on the former
/// ones.
enum ReferencePictureSets {
    /// The distances of a set's pictures in display order: earlier ones, then later ones, the nearest first.
    private struct Distances {
        var earlier: [Int] = []
        var later: [Int] = []
    }

    /// The limit of sets that clause 7.4.3.2 states.
    private static let setLimit: UInt32 = 64
    /// The limit of pictures before and after: the decoded picture buffer has 16.
    private static let pictureLimit: UInt32 = 16

    /// Skips all sets.
    static func skip(_ input: inout BitReader) throws(WireError) {
        var former: Distances?
        for _ in 0..<(try input.exponential(upTo: setLimit, field: "num_short_term_ref_pic_sets")) {
            if let base = former, try input.flag(field: "inter_ref_pic_set_prediction_flag") {
                former = try predicted(from: base, &input)
            } else {
                former = try stated(&input)
            }
        }
    }

    private static func stated(_ input: inout BitReader) throws(WireError) -> Distances {
        let earlierCount = try input.exponential(upTo: pictureLimit, field: "num_negative_pics")
        let laterCount = try input.exponential(upTo: pictureLimit, field: "num_positive_pics")
        var set = Distances()
        set.earlier = try distances(&input, count: earlierCount, sign: -1)
        set.later = try distances(&input, count: laterCount, sign: 1)
        return set
    }

    private static func distances(
        _ input: inout BitReader, count: UInt32, sign: Int
    ) throws(WireError) -> [Int] {
        var (distance, all) = (0, [Int]())
        for _ in 0..<count {
            distance += sign * (Int(try input.exponential(upTo: 0x7FFF, field: "delta_poc_minus1")) + 1)
            try input.skip(1, field: "used_by_curr_pic_flag")
            all.append(distance)
        }
        return all
    }

    private static func predicted(
        from base: Distances, _ input: inout BitReader
    ) throws(WireError) -> Distances {
        let isNegative = try input.flag(field: "delta_rps_sign")
        let size = Int(try input.exponential(upTo: 0x7FFF, field: "abs_delta_rps_minus1")) + 1
        let shift = isNegative ? -size : size
        // The picture that carried the former set is a candidate too, and the last one.
        var candidates: [Int] = []
        for distance in base.earlier + base.later + [0] {
            let isUsed = try input.flag(field: "used_by_curr_pic_flag")
            let isKept = isUsed ? true : try input.flag(field: "use_delta_flag")
            if isKept { candidates.append(distance + shift) }
        }
        let set = Distances(
            earlier: candidates.filter { $0 < 0 }.sorted(by: >), later: candidates.filter { $0 > 0 }.sorted())
        guard set.earlier.count <= pictureLimit, set.later.count <= pictureLimit else {
            throw .outOfRange(field: "short_term_ref_pic_set", value: UInt64(candidates.count))
        }
        return set
    }
}
