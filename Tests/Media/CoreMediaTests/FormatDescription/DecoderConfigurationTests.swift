import Testing

@testable import CoreMedia

@Suite("Decoder configuration records")
struct DecoderConfigurationTests {
    /// Records that FFmpeg wrote into files from the same parameter sets.
    static let h264Records = [
        1:
            "01640028ffe1001e67640028acd940780227e5c05a808080a0000003002000000641e30632c001000668ebe3"
            + "cb22c0fdf8f800",
        2:
            "0142c00dffe100186742c00dd901519e226c0440000003004000000c83c50a9201000568cb83cb20",
        6:
            "01f4000affe1001a67f4000a919b28497c7c7e0220000003002000000641e244b2c001000668ebe3c44844ff"
            + "f8f800",
    ]
    static let hevcRecords = [
        0:
            "01016000000090000000000078f000fcfdf8f800000f03a00001001840010c01ffff01600000030090000003"
            + "0000030078959809a10001002d420101016000000300900000030000030078a003c08010e596566924caf016"
            + "a020202080000003008000000c84a2000100074401c172b46240",
        1:
            "01022000000090000000000096f000fcfdfafa00000f03a00001001840010c01ffff02200000030090000003"
            + "0000030096959809a10001002e420101022000000300900000030000030096a001e020021c4d96566924caf0"
            + "16a122012080000003008000000c84a2000100074401c172b46240",
        3:
            "0104080000009d08000000003cf000fcfef8f800000f03a00001001740010c01ffff0408000003009d080000"
            + "0300003c959809a10001002e4201010408000003009d0800000300003cb00a080b9f2e5959a4932bffc00400"
            + "03da020000030002000003003210a2000100074401c172b46240",
    ]

    @Test("an H.264 record is that of FFmpeg, byte by byte", arguments: h264Records.keys.sorted())
    func h264(index: Int) throws {
        let vector = ParameterSetVector.h264[index]
        let format = try CMFormatDescription(h264ParameterSets: vector.data)
        #expect(format.decoderConfiguration.map { Array($0) } == bytes(Self.h264Records[index] ?? ""))
        #expect(format.mediaSubType == .h264 && format.mediaType == .video)
    }

    @Test("an HEVC record is that of FFmpeg, byte by byte", arguments: hevcRecords.keys.sorted())
    func hevc(index: Int) throws {
        let vector = ParameterSetVector.hevc[index]
        let format = try CMFormatDescription(hevcParameterSets: vector.data)
        #expect(format.decoderConfiguration.map { Array($0) } == bytes(Self.hevcRecords[index] ?? ""))
        #expect(format.mediaSubType == .hevc)
    }

    @Test("the sets of a record come back in its order, whatever the order was", arguments: [1, 2, 4])
    func order(length: Int) throws {
        let h264 = ParameterSetVector.h264[0]
        let format = try CMFormatDescription(
            h264ParameterSets: h264.data.reversed() + [Data([0x68, 1, 2])], nalUnitHeaderLength: length)
        #expect(Array(format.parameterSets) == [h264.data[0], h264.data[1], Data([0x68, 1, 2])])
        #expect(format.nalUnitHeaderLength == length)
        let hevc = ParameterSetVector.hevc[0]
        let message = Data([0x4E, 1, 5])
        let other = try CMFormatDescription(
            hevcParameterSets: [message] + hevc.data.reversed(), nalUnitHeaderLength: length)
        #expect(Array(other.parameterSets) == hevc.data + [message] && other.nalUnitHeaderLength == length)
    }

    @Test("a sequence extension set follows the chroma format")
    func sequenceExtension() throws {
        let vector = ParameterSetVector.h264[0]
        let set = Data([0x6D, 0xAA])
        let format = try CMFormatDescription(h264ParameterSets: vector.data + [set])
        #expect(format.decoderConfiguration?.suffix(8) == Data([0xFD, 0xF8, 0xF8, 1, 0, 2, 0x6D, 0xAA]))
        #expect(Array(format.parameterSets) == vector.data)
        #expect(throws: NSError.self) {
            try CMFormatDescription(h264ParameterSets: ParameterSetVector.h264[2].data + [set])
        }
    }

    @Test("sets that are missing, foreign, empty, too long or too many are refused")
    func refusals() {
        let (h264, hevc) = (ParameterSetVector.h264[0].data, ParameterSetVector.hevc[0].data)
        func code(_ body: () throws -> CMFormatDescription) -> OSStatus { status { _ = try body() } }
        let invalid = kCMFormatDescriptionError_InvalidParameter
        #expect(code { try CMFormatDescription(h264ParameterSets: []) } == invalid)
        #expect(code { try CMFormatDescription(h264ParameterSets: [h264[0]]) } == invalid)
        #expect(code { try CMFormatDescription(h264ParameterSets: [h264[1]]) } == invalid)
        #expect(code { try CMFormatDescription(h264ParameterSets: hevc) } == invalid)
        #expect(code { try CMFormatDescription(h264ParameterSets: h264 + [Data()]) } == invalid)
        #expect(code { try CMFormatDescription(h264ParameterSets: h264 + [Data([0x65, 1])]) } == invalid)
        let start = Data([0, 0, 0, 1])
        #expect(code { try CMFormatDescription(h264ParameterSets: h264.map { start + $0 }) } == invalid)
        let long = h264[1] + Data(count: 65_536)
        #expect(code { try CMFormatDescription(h264ParameterSets: [h264[0], long]) } == invalid)
        let many = Array(repeating: h264[0], count: 32)
        #expect(code { try CMFormatDescription(h264ParameterSets: many + [h264[1]]) } == invalid)
        let most = Array(repeating: h264[1], count: 256)
        #expect(code { try CMFormatDescription(h264ParameterSets: most + [h264[0]]) } == invalid)
        for missing in hevc.indices {
            var sets = hevc
            sets.remove(at: missing)
            #expect(code { try CMFormatDescription(hevcParameterSets: sets) } == invalid)
        }
        #expect(code { try CMFormatDescription(hevcParameterSets: hevc + [Data([0x26, 1])]) } == invalid)
        #expect(code { try CMFormatDescription(hevcParameterSets: h264) } == invalid)
        for length in [0, 3, 5, -1, .max] {
            #expect(
                code { try CMFormatDescription(h264ParameterSets: h264, nalUnitHeaderLength: length) }
                    == invalid)
            #expect(
                code { try CMFormatDescription(hevcParameterSets: hevc, nalUnitHeaderLength: length) }
                    == invalid)
        }
    }

    @Test("only a record of the format's own encoding counts")
    func otherRecords() throws {
        let record = try #require(
            try CMFormatDescription(h264ParameterSets: ParameterSetVector.h264[0].data).decoderConfiguration)
        func format(_ type: CMFormatDescription.MediaSubType, _ atom: String) throws -> CMFormatDescription {
            var extensions = CMFormatDescription.Extensions()
            extensions.setAtom("btrt", to: Data([1]))
            extensions.setAtom(atom, to: record)
            #expect(extensions.atom("btrt") == Data([1]))
            return try CMFormatDescription(videoCodecType: type, width: 2, height: 2, extensions: extensions)
        }
        #expect(try format(.h264, "avcC").parameterSets.count == 2)
        #expect(try format(.init(rawValue: 0x6176_6333), "avcC").parameterSets.count == 2)
        #expect(try format(.hevc, "avcC").parameterSets.isEmpty)
        #expect(try format(.hevc, "avcC").nalUnitHeaderLength == nil)
        #expect(try format(.jpeg, "avcC").decoderConfiguration == nil)
        #expect(try format(.av1, "av1C").decoderConfiguration == record)
        #expect(try format(.vp9, "vpcC").decoderConfiguration == record)
        #expect(try format(.mpeg4Video, "esds").decoderConfiguration == record)
    }
}
