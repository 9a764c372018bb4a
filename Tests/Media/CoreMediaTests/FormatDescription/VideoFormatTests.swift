import Testing

@testable import CoreMedia

@Suite("CMFormatDescription: video")
struct VideoFormatTests {
    @Test("the extensions of a format state the colours and the pixel shape of its parameter sets")
    func extensions() throws {
        let hdr = try CMFormatDescription(hevcParameterSets: ParameterSetVector.hevc[1].data)
        #expect(hdr.dimensions == CMVideoDimensions(width: 3840, height: 2160))
        #expect(hdr.extensions[.colorPrimaries] == .colorPrimaries(.itu_R_2020))
        #expect(hdr.extensions[.transferFunction] == .transferFunction(.smpte_ST_2084_PQ))
        #expect(hdr.extensions[.yCbCrMatrix] == .yCbCrMatrix(.itu_R_2020))
        #expect(hdr.extensions[kCMFormatDescriptionExtension_FullRangeVideo] as? NSNumber == 0)
        let pal = try CMFormatDescription(h264ParameterSets: ParameterSetVector.h264[3].data)
        #expect(
            pal.extensions[.pixelAspectRatio] == .pixelAspectRatio(horizontalSpacing: 16, verticalSpacing: 15)
        )
        #expect(pal.extensions[.colorPrimaries] == .colorPrimaries(.ebu_3213))
        #expect(pal.presentationDimensions() == CGSize(width: 768, height: 576))
        let square = pal.presentationDimensions(usePixelAspectRatio: false)
        #expect(square == CGSize(width: 720, height: 576))
        let topLeft = try CMFormatDescription(hevcParameterSets: ParameterSetVector.hevc[6].data)
        #expect(topLeft.extensions[.chromaLocationTopField] == .chromaLocation(.topLeft))
        #expect(topLeft.extensions[.fullRangeVideo]?.rawValue as? NSNumber == 1)
    }

    @Test("extensions of the caller take precedence")
    func precedence() throws {
        let format = try CMFormatDescription(
            hevcParameterSets: ParameterSetVector.hevc[0].data,
            extensions: [
                .colorPrimaries: .colorPrimaries(.p3_D65), .formatName: .string("HEVC"),
                .sampleDescriptionExtensionAtoms: .init(
                    rawValue: ["btrt": Data([1, 2]) as NSData, "hvcC": Data([9]) as NSData] as NSDictionary),
            ])
        #expect(format.extensions[.colorPrimaries] == .colorPrimaries(.p3_D65))
        #expect(format.extensions[.transferFunction] == .transferFunction(.itu_R_709_2))
        #expect(format.extensions[.formatName] == .string("HEVC"))
        #expect(format.extensions.atom("btrt") == Data([1, 2]) && format.parameterSets.count == 3)
    }

    @Test("equality and hash cover size and extensions")
    func equality() throws {
        let vector = ParameterSetVector.h264[0]
        let format = try CMFormatDescription(h264ParameterSets: vector.data)
        let same = try CMFormatDescription(h264ParameterSets: vector.data)
        #expect(format == same && format.hashValue == same.hashValue)
        #expect(try format != CMFormatDescription(h264ParameterSets: vector.data, nalUnitHeaderLength: 2))
        #expect(try format != CMFormatDescription(h264ParameterSets: ParameterSetVector.h264[1].data))
        func plain(_ width: Int, _ extensions: CMFormatDescription.Extensions = [:]) throws
            -> CMFormatDescription
        {
            try CMFormatDescription(videoCodecType: .av1, width: width, height: 9, extensions: extensions)
        }
        #expect(try plain(16) != plain(17) && plain(16) == plain(16))
        #expect(try plain(16, [.depth: .number(24)]) == plain(16, [.depth: .number(24.0)]))
        #expect(try plain(16, [.depth: .number(24)]) != plain(16, [.depth: .number(32)]))
        #expect(try plain(16, [.depth: .number(24)]) != plain(16))
        #expect(try Set([plain(16), plain(17), plain(16, [.depth: .number(24)]), plain(16)]).count == 3)
    }

    @Test("a clean aperture is measured from the top or from the bottom")
    func cleanAperture() throws {
        let format = try CMFormatDescription(
            videoCodecType: .mpeg2Video, width: 720, height: 480,
            extensions: [
                .cleanAperture: .cleanAperture(
                    width: 704, height: 470, horizontalOffet: 2, verticalOffset: 3),
                .pixelAspectRatio: .pixelAspectRatio(horizontalSpacing: 10, verticalSpacing: 11),
            ])
        #expect(format.cleanAperture(originIsAtTopLeft: true) == CGRect(x: 10, y: 8, width: 704, height: 470))
        #expect(
            format.cleanAperture(originIsAtTopLeft: false) == CGRect(x: 10, y: 2, width: 704, height: 470))
        #expect(format.presentationDimensions() == CGSize(width: 640, height: 470))
        #expect(
            format.presentationDimensions(usePixelAspectRatio: false, useCleanAperture: false)
                == CGSize(width: 720, height: 480))
        let rational = CMFormatDescription.Extensions.Value.cleanAperture(
            width: (1408, 2), height: (470, 1), horizontalOffet: (1, 2), verticalOffset: (0, 1))
        let other = try CMFormatDescription(
            videoCodecType: .mpeg2Video, width: 720, height: 480, extensions: [.cleanAperture: rational])
        #expect(
            other.cleanAperture(originIsAtTopLeft: true) == CGRect(x: 8.5, y: 5, width: 704, height: 470))
        let parts = rational.propertyListRepresentation as? NSDictionary
        #expect(
            parts?[kCMFormatDescriptionKey_CleanApertureWidthRational] as? NSArray == [1408, 2] as NSArray)
    }

    @Test("an image buffer and its format match until one of them differs")
    func imageBuffers() throws {
        let buffer = try Pictures.buffer()
        CVBufferSetAttachment(
            buffer, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_709_2,
            .shouldPropagate)
        CVBufferSetAttachment(buffer, "own" as CFString, kCFBooleanTrue, .shouldPropagate)
        let format = try CMFormatDescription(imageBuffer: buffer)
        #expect(format.mediaSubType.rawValue == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(format.dimensions == CMVideoDimensions(width: 6, height: 4) && format.extensions.count == 1)
        #expect(format.matchesImageBuffer(buffer))
        #expect(try format.matchesImageBuffer(Pictures.buffer()) == false)
        CVBufferSetAttachment(
            buffer, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_SMPTE_C, .shouldPropagate)
        #expect(!format.matchesImageBuffer(buffer))
        let plain = try CMFormatDescription(imageBuffer: Pictures.buffer())
        #expect(try !plain.matchesImageBuffer(Pictures.buffer(width: 7)))
        #expect(try !plain.matchesImageBuffer(Pictures.buffer(format: kCVPixelFormatType_32BGRA)))
        let sound = try CMFormatDescription(mediaType: .audio, mediaSubType: plain.mediaSubType)
        #expect(try !sound.matchesImageBuffer(Pictures.buffer()))
    }

    @Test("attachments of the sample buffer functions and of the image buffer functions are the same")
    func attachments() throws {
        let buffer = try Pictures.buffer()
        CMSetAttachment(
            buffer, key: kCVImageBufferFieldCountKey, value: NSNumber(value: 2),
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
        CVBufferSetAttachment(buffer, "own" as CFString, kCFBooleanTrue, .shouldNotPropagate)
        var mode = CVAttachmentMode.shouldNotPropagate
        #expect(CVBufferCopyAttachment(buffer, kCVImageBufferFieldCountKey, &mode) as? NSNumber == 2)
        #expect(mode == .shouldPropagate && buffer.attachments["own"]?.mode == .shouldNotPropagate)
        let other = try Pictures.buffer()
        CMPropagateAttachments(buffer, destination: other)
        #expect(CVBufferCopyAttachments(other, .shouldPropagate)?.count == 1)
        #expect(CVBufferCopyAttachments(other, .shouldNotPropagate) == nil)
        CMRemoveAttachment(buffer, key: "own" as CFString)
        #expect(!CVBufferHasAttachment(buffer, "own" as CFString))
        other.attachments.removeAll()
        #expect(CVBufferCopyAttachments(other, .shouldPropagate) == nil)
    }
}

/// Image buffers for tests.
enum Pictures {
    static func buffer(
        width: Int = 6, format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    ) throws -> CVImageBuffer {
        var buffer: CVPixelBuffer?
        try #require(CVPixelBufferCreate(nil, width, 4, format, nil, &buffer) == kCVReturnSuccess)
        return try #require(buffer)
    }
}
