import TuttiWire

/// The parameter sets of a video in the record that files store, ISO/IEC 14496-15.
struct DecoderConfiguration: Equatable {
    /// The parameter sets, in the record's order.
    let parameterSets: [[UInt8]]
    /// The bytes of the length before each NAL unit of a sample: 1, 2 or 4.
    let nalUnitHeaderLength: Int

    /// The lengths that a record can state and a decoder knows.
    static let headerLengths: Set<Int> = [1, 2, 4]
    /// The version of both records.
    fileprivate static let version: UInt8 = 1

    /// The encoding of a video with NAL units.
    enum Codec {
        case h264
        case hevc

        /// Returns the encoding of a media subtype; `nil` for others.
        init?(_ type: CMFormatDescription.MediaSubType) {
            switch type.description {
            case "'avc1'", "'avc3'", "'dva1'", "'dvav'": self = .h264
            case "'hvc1'", "'hev1'", "'dvh1'", "'dvhe'", "'muxa'": self = .hevc
            default: return nil
            }
        }

        /// The name of the record in a sample description.
        var atom: String {
            switch self {
            case .h264: "avcC"
            case .hevc: "hvcC"
            }
        }
    }

    /// Reads a record; extensions after the parameter sets are left out, except those of H.264's sets.
    init(_ codec: Codec, parsing record: [UInt8]) throws(WireError) {
        var input = ByteReader(record)
        let version = try input.byte(field: "configurationVersion")
        guard version == Self.version else {
            throw .unexpected(field: "configurationVersion", value: UInt64(version))
        }
        let lengthField: UInt8
        switch codec {
        case .h264:
            try input.skip(3, field: "profile_and_level")
            lengthField = try input.byte(field: "lengthSizeMinusOne")
            parameterSets = try Self.h264Sets(from: &input)
        case .hevc:
            try input.skip(20, field: "profile_and_level")
            lengthField = try input.byte(field: "lengthSizeMinusOne")
            parameterSets = try Self.hevcSets(from: &input)
        }
        nalUnitHeaderLength = Int(lengthField & 3) + 1
        guard Self.headerLengths.contains(nalUnitHeaderLength) else {
            throw .outOfRange(field: "lengthSizeMinusOne", value: UInt64(lengthField & 3))
        }
    }

    private static func h264Sets(from input: inout ByteReader) throws(WireError) -> [[UInt8]] {
        var sets: [[UInt8]] = []
        for mask: UInt8 in [0x1F, 0xFF] {
            let count = try input.byte(field: "parameter_set_count") & mask
            try append(Int(count), to: &sets, from: &input)
        }
        return sets
    }

    private static func hevcSets(from input: inout ByteReader) throws(WireError) -> [[UInt8]] {
        var sets: [[UInt8]] = []
        for _ in 0..<(try input.byte(field: "numOfArrays")) {
            try input.skip(1, field: "NAL_unit_type")
            let count = try input.integer(UInt16.self, field: "numNalus")
            try append(Int(count), to: &sets, from: &input)
        }
        return sets
    }

    /// Reads sets with a length of 16 bits each. The memory stays below the record's size.
    private static func append(
        _ count: Int, to sets: inout [[UInt8]], from input: inout ByteReader
    ) throws(WireError) {
        for _ in 0..<count {
            let length = try input.integer(UInt16.self, field: "parameter_set_length")
            sets.append(try input.bytes(count: Int(length), field: "parameter_set"))
        }
    }
}

/// The `avcC` record of H.264, clause 5.3.3 of ISO/IEC 14496-15.
struct AVCConfigurationRecord {
    /// The first sequence parameter set, which decides about the format.
    let sequence: H264SequenceParameters
    /// The record.
    let bytes: [UInt8]

    private static let pictureSetType: UInt8 = 8
    private static let sequenceExtensionType: UInt8 = 13

    /// Creates the record of parameter sets in any order: sequence, picture, and sequence extension sets.
    ///
    /// - Parameter headerLength: 1, 2 or 4.
    init(parameterSets: [[UInt8]], headerLength: Int) throws(WireError) {
        let groups = try Dictionary(nalUnits: parameterSets) { $0[0] & 0x1F }
        let sequenceSets = groups[H264SequenceParameters.nalType] ?? []
        let pictureSets = groups[Self.pictureSetType] ?? []
        let extensionSets = groups[Self.sequenceExtensionType] ?? []
        guard let first = sequenceSets.first, !pictureSets.isEmpty,
            sequenceSets.count + pictureSets.count + extensionSets.count == parameterSets.count
        else { throw .unexpected(field: "nal_unit_type", value: UInt64(parameterSets.count)) }
        sequence = try H264SequenceParameters(nalUnit: first)
        var output = ByteWriter()
        output.append([DecoderConfiguration.version, sequence.profile, sequence.constraints, sequence.level])
        output.append([0xFC | UInt8(headerLength - 1)])
        try output.append(sequenceSets, limit: 31, flags: 0xE0)
        try output.append(pictureSets, limit: 255)
        if let depth = sequence.depth {
            output.append([0xFC | depth.chromaFormat, 0xF8 | (depth.luma - 8), 0xF8 | (depth.chroma - 8)])
            try output.append(extensionSets, limit: 255)
        } else if !extensionSets.isEmpty {
            throw .unexpected(field: "nal_unit_type", value: UInt64(Self.sequenceExtensionType))
        }
        bytes = output.bytes
    }
}

/// The `hvcC` record of HEVC, clause 8.3.3 of ISO/IEC 14496-15.
struct HEVCConfigurationRecord {
    /// The first sequence parameter set, which decides about the format.
    let sequence: HEVCSequenceParameters
    /// The record.
    let bytes: [UInt8]

    private static let videoSetType: UInt8 = 32
    private static let pictureSetType: UInt8 = 34
    private static let prefixMessageType: UInt8 = 39
    private static let suffixMessageType: UInt8 = 40

    /// Creates the record of parameter sets in any order: video, sequence and picture sets, and messages
    /// about the whole video.
    ///
    /// - Parameter headerLength: 1, 2 or 4.
    init(parameterSets: [[UInt8]], headerLength: Int) throws(WireError) {
        let groups = try Dictionary(nalUnits: parameterSets) { $0[0] >> 1 & 0x3F }
        let required = [Self.videoSetType, HEVCSequenceParameters.nalType, Self.pictureSetType]
        let types = required + [Self.prefixMessageType, Self.suffixMessageType]
        guard required.allSatisfy({ groups[$0] != nil }), groups.keys.allSatisfy(types.contains),
            let first = groups[HEVCSequenceParameters.nalType]?.first
        else { throw .unexpected(field: "nal_unit_type", value: UInt64(parameterSets.count)) }
        sequence = try HEVCSequenceParameters(nalUnit: first)
        var output = ByteWriter()
        output.append([DecoderConfiguration.version])
        output.append(sequence.profileAndLevel)
        // Segmentation and parallelism are unknown, which zero means; so it does for the frame rate below.
        output.append([0xF0, 0x00, 0xFC])
        output.append([0xFC | sequence.chromaFormat])
        output.append([0xF8 | (sequence.lumaDepth - 8), 0xF8 | (sequence.chromaDepth - 8)])
        output.zeros(2)
        output.append([
            sequence.layerCount << 3 | (sequence.isNested ? 4 : 0) | UInt8(headerLength - 1),
            UInt8(groups.count),
        ])
        for type in types {
            guard let sets = groups[type] else { continue }
            // Samples of `hvc1` have no parameter sets of their own: the arrays are complete.
            output.append([(required.contains(type) ? 0x80 : 0) | type, 0])
            try output.append(sets, limit: 255)
        }
        bytes = output.bytes
    }
}

extension Dictionary<UInt8, [[UInt8]]> {
    /// Groups NAL units by type; throws for an empty one.
    fileprivate init(nalUnits: [[UInt8]], type: ([UInt8]) -> UInt8) throws(WireError) {
        self.init()
        for unit in nalUnits {
            guard !unit.isEmpty else { throw .truncated(field: "nal_unit_header", needed: 1, available: 0) }
            self[type(unit), default: []].append(unit)
        }
    }
}

extension ByteWriter {
    /// Appends a count with flags in the upper bits, and units with a length of 16 bits each.
    fileprivate mutating func append(
        _ units: [[UInt8]], limit: Int, flags: UInt8 = 0
    ) throws(WireError) {
        guard units.count <= limit else {
            throw .outOfRange(field: "parameter_set_count", value: UInt64(units.count))
        }
        append([flags | UInt8(units.count)])
        for unit in units {
            guard let length = UInt16(exactly: unit.count) else {
                throw .outOfRange(field: "parameter_set_length", value: UInt64(unit.count))
            }
            integer(length)
            append(unit)
        }
    }
}
