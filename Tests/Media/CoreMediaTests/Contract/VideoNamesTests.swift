import CoreMedia
import Testing

// Every C name of video formats and picture buffers, used as a program uses it: types written out, labels in
// full.

@Suite("Contract: video formats and pictures")
struct VideoNamesTests {
    @Test("codec types have Apple's values and Swift spellings")
    func codecTypes() {
        let types: [(CMVideoCodecType, CMFormatDescription.MediaSubType, String)] = [
            (kCMVideoCodecType_H264, .h264, "'avc1'"), (kCMVideoCodecType_HEVC, .hevc, "'hvc1'"),
            (kCMVideoCodecType_HEVCWithAlpha, .hevcWithAlpha, "'muxa'"),
            (kCMVideoCodecType_DolbyVisionHEVC, .dolbyVisionHEVC, "'dvh1'"),
            (kCMVideoCodecType_MPEG4Video, .mpeg4Video, "'mp4v'"),
            (kCMVideoCodecType_MPEG2Video, .mpeg2Video, "'mp2v'"),
            (kCMVideoCodecType_MPEG1Video, .mpeg1Video, "'mp1v'"),
            (kCMVideoCodecType_VP9, .vp9, "'vp09'"), (kCMVideoCodecType_AV1, .av1, "'av01'"),
            (kCMVideoCodecType_JPEG, .jpeg, "'jpeg'"), (kCMVideoCodecType_H263, .h263, "'h263'"),
            (kCMVideoCodecType_JPEG_OpenDML, .jpeg_OpenDML, "'dmb1'"),
            (kCMVideoCodecType_SorensonVideo3, .sorensonVideo3, "'SVQ3'"),
            (kCMVideoCodecType_DVCNTSC, .dvcNTSC, "'dvc '"), (kCMVideoCodecType_DVCPAL, .dvcPAL, "'dvcp'"),
            (kCMVideoCodecType_Animation, .animation, "'rle '"),
            (kCMVideoCodecType_AppleProRes4444XQ, .proRes4444XQ, "'ap4x'"),
            (kCMVideoCodecType_AppleProRes4444, .proRes4444, "'ap4h'"),
            (kCMVideoCodecType_AppleProRes422HQ, .proRes422HQ, "'apch'"),
            (kCMVideoCodecType_AppleProRes422, .proRes422, "'apcn'"),
            (kCMVideoCodecType_AppleProRes422LT, .proRes422LT, "'apcs'"),
            (kCMVideoCodecType_AppleProRes422Proxy, .proRes422Proxy, "'apco'"),
            (kCMVideoCodecType_AppleProResRAW, .proResRAW, "'aprn'"),
            (kCMVideoCodecType_AppleProResRAWHQ, .proResRAWHQ, "'aprh'"),
        ]
        for (code, type, text) in types { #expect(type.rawValue == code && type.description == text) }
    }

    @Test("keys that image buffers have too are the same strings")
    func keys() {
        let pairs: [(CFString, CFString, CMFormatDescription.Extensions.Key)] = [
            (kCMFormatDescriptionExtension_CleanAperture, kCVImageBufferCleanApertureKey, .cleanAperture),
            (
                kCMFormatDescriptionExtension_PixelAspectRatio, kCVImageBufferPixelAspectRatioKey,
                .pixelAspectRatio
            ),
            (kCMFormatDescriptionExtension_ColorPrimaries, kCVImageBufferColorPrimariesKey, .colorPrimaries),
            (
                kCMFormatDescriptionExtension_TransferFunction, kCVImageBufferTransferFunctionKey,
                .transferFunction
            ),
            (kCMFormatDescriptionExtension_YCbCrMatrix, kCVImageBufferYCbCrMatrixKey, .yCbCrMatrix),
            (kCMFormatDescriptionExtension_FieldCount, kCVImageBufferFieldCountKey, .fieldCount),
            (kCMFormatDescriptionExtension_FieldDetail, kCVImageBufferFieldDetailKey, .fieldDetail),
        ]
        for (format, image, key) in pairs { #expect(format === image && key.rawValue == format) }
        let common = CMVideoFormatDescriptionGetExtensionKeysCommonWithImageBuffers()
        #expect(CFArrayGetCount(common) == 15 && common.contains(kCVImageBufferCleanApertureKey as String))
        let all: [CMFormatDescription.Extensions.Key] = [
            .sampleDescriptionExtensionAtoms, .verbatimSampleDescription, .verbatimISOSampleEntry,
            .formatName, .depth, .bitsPerComponent, .bytesPerRow, .version, .revisionLevel, .vendor,
            .spatialQuality, .temporalQuality, .fullRangeVideo, .containsAlphaChannel, .alphaChannelMode,
            .cleanAperture, .pixelAspectRatio, .fieldCount, .fieldDetail, .colorPrimaries,
            .transferFunction, .yCbCrMatrix, .gammaLevel, .iccProfile, .chromaLocationTopField,
            .chromaLocationBottomField, .masteringDisplayColorVolume, .contentLightLevelInfo,
            .ambientViewingEnvironment,
        ]
        #expect(Set(all).count == all.count)
        #expect(kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4 == kCVImageBufferYCbCrMatrix_ITU_R_601_4)
    }

    @Test("the C functions of video formats exist")
    func formats() throws {
        var made: CMVideoFormatDescription?
        let extensions = [kCMFormatDescriptionExtension_FormatName: "H.264"] as CFDictionary
        #expect(
            CMVideoFormatDescriptionCreate(
                allocator: kCFAllocatorDefault, codecType: kCMVideoCodecType_H264, width: 640, height: 480,
                extensions: extensions, formatDescriptionOut: &made) == noErr)
        let format = try #require(made)
        #expect(CMFormatDescriptionGetExtensions(format)?.count == 1)
        let name = CMFormatDescriptionGetExtension(
            format, extensionKey: kCMFormatDescriptionExtension_FormatName)
        #expect(name as? NSString == "H.264")
        #expect(CMFormatDescriptionGetExtension(format, extensionKey: "none" as CFString) == nil)
        let size = CMVideoFormatDescriptionGetPresentationDimensions(
            format, usePixelAspectRatio: true, useCleanAperture: true)
        #expect(size == CGSize(width: 640, height: 480))
        let aperture = CMVideoFormatDescriptionGetCleanAperture(format, originIsAtTopLeft: true)
        #expect(aperture == CGRect(x: 0, y: 0, width: 640, height: 480))
        #expect(
            CMVideoFormatDescriptionCreate(
                allocator: nil, codecType: kCMVideoCodecType_H264, width: -1, height: 480, extensions: nil,
                formatDescriptionOut: &made) == kCMFormatDescriptionError_InvalidParameter)
        #expect(
            CMFormatDescriptionCreate(
                allocator: nil, mediaType: kCMMediaType_Text, mediaSubType: 1, extensions: nil,
                formatDescriptionOut: &made) == noErr)
        #expect(try CMFormatDescriptionGetExtensions(#require(made)) == nil)
    }

    @Test("the C functions of H.264 parameter sets exist, and their pointers live as long as the format")
    func h264ParameterSets() throws {
        let vector = ParameterSetVector.h264[0]
        var made: CMVideoFormatDescription?
        let code = vector.sets[0].withUnsafeBufferPointer { sequence in
            vector.sets[1].withUnsafeBufferPointer { picture -> OSStatus in
                guard let first = sequence.baseAddress, let second = picture.baseAddress else { return -1 }
                return CMVideoFormatDescriptionCreateFromH264ParameterSets(
                    allocator: kCFAllocatorDefault, parameterSetCount: 2,
                    parameterSetPointers: [first, second],
                    parameterSetSizes: [sequence.count, picture.count], nalUnitHeaderLength: 4,
                    formatDescriptionOut: &made)
            }
        }
        let format = try #require(made)
        #expect(code == noErr && CMVideoFormatDescriptionGetDimensions(format).width == 1280)
        var (pointer, size, count, length): (UnsafePointer<UInt8>?, Int, Int, Int32) = (nil, 0, 0, 0)
        for index in 0..<2 {
            let status = CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
                format, parameterSetIndex: index, parameterSetPointerOut: &pointer,
                parameterSetSizeOut: &size, parameterSetCountOut: &count, nalUnitHeaderLengthOut: &length)
            #expect(status == noErr && count == 2 && length == 4)
            #expect(Array(UnsafeBufferPointer(start: pointer, count: size)) == vector.sets[index])
        }
        func status(_ index: Int, _ format: CMFormatDescription) -> OSStatus {
            CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
                format, parameterSetIndex: index, parameterSetPointerOut: nil, parameterSetSizeOut: &size,
                parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
        }
        for index in [2, -1] { #expect(status(index, format) == kCMFormatDescriptionError_InvalidParameter) }
        (count, length) = (0, 0)
        #expect(
            CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
                format, parameterSetIndex: 99, parameterSetPointerOut: nil, parameterSetSizeOut: nil,
                parameterSetCountOut: &count, nalUnitHeaderLengthOut: &length) == noErr)
        #expect(count == 2 && length == 4)
        let plain = try CMFormatDescription(videoCodecType: .h264, width: 1, height: 1)
        #expect(status(0, plain) == kCMFormatDescriptionError_ValueNotAvailable)
        let other = try CMFormatDescription(videoCodecType: .vp9, width: 1, height: 1)
        #expect(status(0, other) == kCMFormatDescriptionError_InvalidParameter)
    }

    @Test("the C functions of HEVC parameter sets exist")
    func hevcParameterSets() throws {
        let vector = ParameterSetVector.hevc[0]
        let memory = vector.sets.map { set in
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: set.count)
            copy.initialize(from: set, count: set.count)
            return copy
        }
        defer { memory.forEach { $0.deallocate() } }
        func make(count: Int = 3, sizes: [Int], length: Int32 = 2) -> (OSStatus, CMFormatDescription?) {
            var made: CMVideoFormatDescription?
            let code = CMVideoFormatDescriptionCreateFromHEVCParameterSets(
                allocator: nil, parameterSetCount: count,
                parameterSetPointers: memory.map { UnsafePointer($0) }, parameterSetSizes: sizes,
                nalUnitHeaderLength: length,
                extensions: [kCMFormatDescriptionExtension_Depth: 24] as CFDictionary,
                formatDescriptionOut: &made)
            return (code, made)
        }
        let sizes = vector.sets.map(\.count)
        let format = try #require(make(sizes: sizes).1)
        #expect(format.extensions[.depth] == .number(24) && format.nalUnitHeaderLength == 2)
        var (pointer, size, count, length): (UnsafePointer<UInt8>?, Int, Int, Int32) = (nil, 0, 0, 0)
        let status = CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
            format, parameterSetIndex: 1, parameterSetPointerOut: &pointer, parameterSetSizeOut: &size,
            parameterSetCountOut: &count, nalUnitHeaderLengthOut: &length)
        #expect(status == noErr && count == 3 && length == 2)
        #expect(Array(UnsafeBufferPointer(start: pointer, count: size)) == vector.sets[1])
        let invalid = kCMFormatDescriptionError_InvalidParameter
        #expect(
            CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
                format, parameterSetIndex: 0, parameterSetPointerOut: nil, parameterSetSizeOut: nil,
                parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil) == invalid)
        #expect(make(count: 0, sizes: sizes).0 == invalid && make(count: -1, sizes: sizes).0 == invalid)
        #expect(make(sizes: [sizes[0], 0, sizes[2]]).0 == invalid)
        #expect(make(sizes: [sizes[0], -4, sizes[2]]).0 == invalid)
        #expect(make(sizes: sizes, length: 3).0 == invalid)
    }

    @Test("the C functions of picture buffers exist")
    func pictures() throws {
        let picture = try Pictures.buffer()
        var format: CMVideoFormatDescription?
        #expect(
            CMVideoFormatDescriptionCreateForImageBuffer(
                allocator: kCFAllocatorDefault, imageBuffer: picture, formatDescriptionOut: &format) == noErr)
        let description = try #require(format)
        #expect(CMVideoFormatDescriptionMatchesImageBuffer(description, imageBuffer: picture))
        var timing = ImageSampleBufferTests.timing
        var sample: CMSampleBuffer?
        #expect(
            CMSampleBufferCreateReadyWithImageBuffer(
                allocator: kCFAllocatorDefault, imageBuffer: picture, formatDescription: description,
                sampleTiming: &timing, sampleBufferOut: &sample) == noErr)
        #expect(try CMSampleBufferGetImageBuffer(#require(sample)) === picture)
        var number = 5
        let code = withUnsafeMutablePointer(to: &number) { number in
            CMSampleBufferCreateForImageBuffer(
                allocator: kCFAllocatorDefault, imageBuffer: picture, dataReady: false,
                makeDataReadyCallback: { _, refcon in
                    OSStatus(refcon?.load(as: Int.self) ?? 0)
                }, refcon: number, formatDescription: description, sampleTiming: &timing,
                sampleBufferOut: &sample)
        }
        #expect(code == noErr && sample?.dataReadiness == .notReady)
        let wrong = try CMFormatDescription(imageBuffer: Pictures.buffer(width: 9))
        #expect(
            CMSampleBufferCreateReadyWithImageBuffer(
                allocator: nil, imageBuffer: picture, formatDescription: wrong, sampleTiming: &timing,
                sampleBufferOut: &sample) == kCMSampleBufferError_InvalidMediaFormat)
    }
}
