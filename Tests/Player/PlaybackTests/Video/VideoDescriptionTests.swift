import CoreMedia
import Foundation
import Testing
import TuttiCodecs
import TuttiTestMedia

@testable import Playback

@Suite("Format descriptions of pictures")
struct VideoDescriptionTests {
    let folder: TestFolder
    let reading = FilmReading()

    init() throws { folder = try TestFolder() }

    private func describe(_ path: String) throws -> (VideoStreamParameters, CMFormatDescription) {
        let parameters = try VideoReader(path).parameters
        return (parameters, try VideoDescription.stored(parameters))
    }

    static let codes: [(String, String, String?)] = [
        ("open.mp4", "avc1", "avcC"), ("open.mkv", "avc1", "avcC"), ("open.ts", "avc1", "avcC"),
        ("h264.flv", "avc1", "avcC"), ("plain.avi", "avc1", "avcC"), ("hevc.mp4", "hev1", "hvcC"),
        ("hevc.ts", "hvc1", "hvcC"), ("mpeg4.mp4", "mp4v", "esds"), ("mpeg4.avi", "mp4v", "esds"),
        ("mpeg2.ts", "mp2v", nil), ("mpeg2.mpg", "mp2v", nil), ("mpeg1.mpg", "mp1v", nil),
        ("vp8.webm", "vp08", "vpcC"),
        ("vp9.webm", "vp09", "vpcC"), ("vp9.mp4", "vp09", "vpcC"), ("av1.mp4", "av01", "av1C"),
        ("av1.mkv", "av01", "av1C"), ("mjpeg.mov", "jpeg", nil), ("mjpeg.avi", "jpeg", nil),
        ("prores.mov", "apcn", nil),
        ("h263.3gp", "s263", nil), ("ffv1.mkv", "FFV1", nil), ("theora.ogv", "theo", "glbl"),
        ("png.mov", "png ", nil),
        ("animation.mov", "rle ", nil), ("sorenson.flv", "FLV1", nil), ("wmv2.wmv", "WMV2", "glbl"),
    ]

    @Test("every codec has its code and its atom", arguments: codes)
    func codesAndAtoms(name: String, code: String, atom: String?) throws {
        let (parameters, format) = try describe(try FilmFile.path(name))
        #expect(format.mediaType == .video)
        #expect(format.mediaSubType.description == "'\(code)'")
        #expect(format.dimensions.width == parameters.width && format.dimensions.height == parameters.height)
        let atoms = format.extensions[.sampleDescriptionExtensionAtoms]?.rawValue as? NSDictionary
        if let atom {
            #expect(atoms?.allKeys.compactMap { $0 as? String } == [atom])
            #expect(format.extensions.atom(atom)?.isEmpty == false)
        } else if let found = atoms?.allKeys.first as? String {
            // Some muxers and versions store headers that decoders do not need.
            #expect(found == "glbl")
        }
    }

    @Test(
        "a decoder of the description decodes the packets as they are handed out",
        arguments: FilmFile.kinds.map(\.name))
    func roundTrip(name: String) throws {
        let path = try FilmFile.path(name)
        let (parameters, format) = try describe(path)
        let again = try #require(VideoDescription.parameters(of: format))
        #expect(again.codecName == parameters.codecName)
        #expect((again.width, again.height) == (parameters.width, parameters.height))
        #expect(again.pixelAspect == parameters.pixelAspect)
        #expect(again.bitsPerPixel == parameters.bitsPerPixel)
        let reader = try VideoReader(path)
        let packets = StoredPackets(reader.parameters)
        let decoder = try VideoDecoder(again, hardware: false)
        var numbers: [Int?] = []
        while let packet = try reader.nextPacket() {
            let bytes = try packets.block(of: packet).dataBytes()
            let copy = try #require(
                bytes.withUnsafeBytes {
                    VideoPacket(
                        $0, presentationTime: packet.presentationTime ?? packet.decodingTime ?? 0,
                        isKey: packet.isKey)
                })
            numbers += try decoder.decode(copy).map { try reading.number(of: $0) }
        }
        numbers += try decoder.drain().map { try reading.number(of: $0) }
        #expect(numbers == (0..<60).map { $0 })
        #expect(decoder.corruptPacketCount == 0)
    }

    // MARK: Atoms

    @Test(
        "records made from start codes are those of files",
        arguments: [("open.mp4", "open.ts", "avcC"), ("hevc.mp4", "hevc.ts", "hvcC")])
    func records(file: String, stream: String, atom: String) throws {
        let expected = try #require(try describe(try FilmFile.path(file)).1.extensions.atom(atom))
        let found = try #require(try describe(try FilmFile.path(stream)).1.extensions.atom(atom))
        #expect(found.first == 1)
        // Profile, level and the length of lengths; the sets differ in the frame rate's fields.
        if atom == "avcC" {
            #expect(found.prefix(5) == expected.prefix(5))
        } else {
            #expect(found.prefix(13) == expected.prefix(13))
        }
    }

    @Test("packets with start codes get lengths, others stay as they are")
    func lengths() throws {
        for (name, isConverted) in [
            ("open.ts", true), ("hevc.ts", true), ("open.mp4", false), ("vp9.webm", false),
            ("mpeg2.ts", false),
            ("mpeg4.avi", false),
        ] {
            let reader = try VideoReader(try FilmFile.path(name))
            let packets = StoredPackets(reader.parameters)
            while let packet = try reader.nextPacket() {
                let bytes = Array(try packets.block(of: packet).dataBytes())
                let original = packet.withBytes { Array($0) }
                #expect((bytes != original) == isConverted)
                guard isConverted else { continue }
                var rest = bytes[...]
                while !rest.isEmpty {
                    let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                    try #require(length > 0 && length <= rest.count - 4)
                    rest = rest.dropFirst(4 + length)
                }
            }
        }
    }

    static let streams: [([UInt8], [[UInt8]])] = [
        ([], []), ([0, 0, 1], []), ([0, 0, 0, 1], []), ([0, 0, 1, 9], [[9]]),
        ([0, 0, 0, 1, 9, 0, 0, 0, 1, 8, 7], [[9], [8, 7]]),
        ([0, 0, 1, 9, 0, 0, 1, 0, 0, 1, 8], [[9], [8]]), ([5, 6, 0, 0, 1, 9], [[9]]),
        ([0, 0, 1, 9, 0, 0, 0, 0], [[9]]),
        ([0, 0, 1, 0, 0, 3, 1, 0, 0, 2], [[0, 0, 3, 1, 0, 0, 2]]), ([1, 2, 3], []),
        ([0, 0, 1, 1, 0, 0, 1, 1], [[1], [1]]),
        ([0, 0, 1, 9, 0, 0], [[9]]), ([0, 0, 1, 9, 0, 0, 1], [[9]]),
    ]

    @Test("NAL units are found between start codes", arguments: streams)
    func units(bytes: [UInt8], expected: [[UInt8]]) {
        bytes.withUnsafeBytes { #expect(StartCodes.units(of: $0).map { Array($0) } == expected) }
    }

    @Test("an esds atom states the codec and its headers")
    func descriptor() throws {
        let info = (0..<300).map { UInt8($0 & 0xFF) }
        let atom = ElementaryStreamDescriptor(objectType: 0x20, configuration: info).atom
        let found = try #require(ElementaryStreamDescriptor(atom: atom))
        #expect(found.objectType == 0x20 && found.configuration == info)
        // Without version and flags, as QuickTime's cookies have it.
        #expect(ElementaryStreamDescriptor(atom: Array(atom.dropFirst(4)))?.configuration == info)
        for count in 0..<atom.count {
            // Truncated ones never trap.
            _ = ElementaryStreamDescriptor(atom: Array(atom.prefix(count)))
        }
        #expect(ElementaryStreamDescriptor(atom: []) == nil)
        #expect(ElementaryStreamDescriptor(atom: [0, 0, 0, 0, 3, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
    }

    @Test("an mp4v description with another codec's number is of that codec")
    func objectTypes() throws {
        for (type, name) in [
            (0x20, "mpeg4"), (0x61, "mpeg2video"), (0x6A, "mpeg1video"), (0x6C, "mjpeg"), (0x99, "mpeg4"),
        ] {
            var extensions = CMFormatDescription.Extensions()
            extensions.setAtom(
                "esds",
                to: Data(ElementaryStreamDescriptor(objectType: UInt8(type), configuration: [1, 2]).atom))
            let format = try CMFormatDescription(
                videoCodecType: .mpeg4Video, width: 160, height: 96, extensions: extensions)
            let parameters = try #require(VideoDescription.parameters(of: format))
            #expect(parameters.codecName == name)
            #expect(parameters.configuration == [1, 2])
        }
    }

    @Test("vpcC states profile, level and colours")
    func vpConfiguration() throws {
        var film = FilmFile("libvpx-vp9", options: [("deadline", "realtime"), ("cpu-used", "8")])
        (film.pictureCount, film.pixelFormat) = (3, "yuv444p10le")
        film.color = FilmFile.Color(matrix: 9, primaries: 9, transfer: 16, isFullRange: false)
        try film.write(to: folder.file("a.webm"))
        let record = try #require(try describe(folder.file("a.webm")).1.extensions.atom("vpcC"))
        #expect(Array(record) == [1, 0, 0, 0, 3, 10, 10 << 4 | 3 << 1, 9, 16, 9, 0, 0])
    }

    @Test("av1C of a stream without one states profile and formats")
    func av1Configuration() throws {
        var film = FilmFile("libaom-av1", options: [("cpu-used", "8"), ("usage", "realtime")])
        (film.pictureCount, film.container) = (20, "obu")
        try film.write(to: folder.file("a.obu"))
        let (_, format) = try describe(folder.file("a.obu"))
        let own = try #require(format.extensions.atom("av1C"))
        let file = try #require(try describe(try FilmFile.path("av1.mp4")).1.extensions.atom("av1C"))
        #expect(own.prefix(1) == file.prefix(1) && own[2] == file[2])
        #expect(own[1] >> 5 == file[1] >> 5)
    }

    // MARK: Extensions

    @Test("colours are described in both directions")
    func colors() throws {
        var film = FilmFile("ffv1")
        film.pictureCount = 1
        film.color = FilmFile.Color(matrix: 9, primaries: 9, transfer: 18, isFullRange: true)
        try film.write(to: folder.file("a.mkv"))
        let (parameters, format) = try describe(folder.file("a.mkv"))
        func text(_ key: CMFormatDescription.Extensions.Key) -> String? {
            (format.extensions[key]?.rawValue as? NSString).map { "\($0)" }
        }
        #expect(text(.yCbCrMatrix) == kCVImageBufferYCbCrMatrix_ITU_R_2020 as String)
        #expect(text(.colorPrimaries) == kCVImageBufferColorPrimaries_ITU_R_2020 as String)
        #expect(text(.transferFunction) == kCVImageBufferTransferFunction_ITU_R_2100_HLG as String)
        #expect((format.extensions[.fullRangeVideo]?.rawValue as? NSNumber)?.boolValue == true)
        let again = try #require(VideoDescription.parameters(of: format))
        #expect(again.statedColor == parameters.statedColor)
        #expect(again.color == parameters.color)
    }

    @Test("colours and shapes that the file does not state are not described")
    func unstated() throws {
        let (_, format) = try describe(try FilmFile.path("mpeg4.avi"))
        for key in [.yCbCrMatrix, .colorPrimaries, .transferFunction, .pixelAspectRatio]
            as [CMFormatDescription.Extensions.Key]
        {
            #expect(format.extensions[key] == nil)
        }
    }

    @Test("the shape of a pixel is described in both directions")
    func aspect() throws {
        var film = FilmFile.h264(isOpen: false)
        (film.pictureCount, film.aspect) = (2, (4, 3))
        try film.write(to: folder.file("a.mp4"))
        let (_, format) = try describe(folder.file("a.mp4"))
        let size = format.presentationDimensions(usePixelAspectRatio: true, useCleanAperture: true)
        #expect(abs(size.width - 160.0 * 4 / 3) < 0.01 && size.height == 96)
        #expect(VideoDescription.parameters(of: format)?.pixelAspect == PixelAspect(width: 4, height: 3))
    }

    // MARK: Formats of others

    @Test("formats that no decoder knows have no parameters")
    func unknown() throws {
        func parameters(_ code: FourCharCode, _ width: Int = 160, _ height: Int = 96) throws
            -> VideoStreamParameters?
        {
            VideoDescription.parameters(
                of: try CMFormatDescription(
                    videoCodecType: CMFormatDescription.MediaSubType(rawValue: code), width: width,
                    height: height))
        }
        #expect(try parameters(0) == nil)
        #expect(try parameters(0x3F3F_3F3F) == nil)
        #expect(try parameters(kCMVideoCodecType_JPEG) != nil)
        #expect(try parameters(kCMVideoCodecType_JPEG, 0, 0) == nil)
        #expect(try parameters(kCMVideoCodecType_JPEG, 16_384, 16_384) == nil)
        let sound = try CMFormatDescription(mediaType: .audio, mediaSubType: .mpeg4AAC)
        #expect(VideoDescription.parameters(of: sound) == nil)
    }

    @Test("a code that does not tell the codec is accompanied by its name")
    func codecNames() throws {
        let parameters = try #require(
            VideoStreamParameters(codecName: "wmv3", width: 160, height: 96, configuration: [1, 2, 3, 4]))
        let format = try VideoDescription.stored(parameters)
        let again = try #require(VideoDescription.parameters(of: format))
        #expect(again.codecName == "wmv3" && again.configuration == [1, 2, 3, 4])
    }
}
