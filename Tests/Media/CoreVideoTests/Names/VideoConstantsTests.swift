import CoreVideo
import Testing

@Suite("Core Video: constants")
struct VideoConstantsTests {
    @Test("format codes have Apple's values")
    func formats() {
        #expect(kCVPixelFormatType_32ARGB == 32 && kCVPixelFormatType_24RGB == 24)
        #expect(kCVPixelFormatType_32BGRA == 0x4247_5241)
        #expect(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange == 0x3432_3076)
        #expect(kCVPixelFormatType_420YpCbCr10BiPlanarFullRange == 0x7866_3230)
        #expect(
            kCVPixelFormatType_422YpCbCr8 == 0x3276_7579 && kCVPixelFormatType_OneComponent8 == 0x4C30_3038)
    }

    @Test("result codes have Apple's values")
    func codes() {
        #expect(
            [kCVReturnError, kCVReturnInvalidArgument, kCVReturnAllocationFailed] == [-6660, -6661, -6662])
        #expect(kCVReturnInvalidPixelFormat == -6680 && kCVReturnInvalidSize == -6681)
        #expect(kCVReturnInvalidPixelBufferAttributes == -6682 && kCVReturnInvalidPoolAttributes == -6691)
        #expect(kCVReturnWouldExceedAllocationThreshold == -6689 && kCVReturnPoolAllocationFailed == -6690)
    }

    @Test("keys of one dictionary differ, and keep their address")
    func keys() {
        let attributes = [
            kCVPixelBufferPixelFormatTypeKey, kCVPixelBufferWidthKey, kCVPixelBufferHeightKey,
            kCVPixelBufferBytesPerRowAlignmentKey, kCVPixelBufferPlaneAlignmentKey,
            kCVPixelBufferExtendedPixelsLeftKey, kCVPixelBufferExtendedPixelsTopKey,
            kCVPixelBufferExtendedPixelsRightKey, kCVPixelBufferExtendedPixelsBottomKey,
            kCVPixelBufferMemoryAllocatorKey, kCVPixelBufferIOSurfacePropertiesKey,
            kCVPixelBufferMetalCompatibilityKey, kCVPixelBufferOpenGLCompatibilityKey,
            kCVPixelBufferOpenGLESCompatibilityKey, kCVPixelBufferOpenGLESTextureCacheCompatibilityKey,
            kCVPixelBufferCGImageCompatibilityKey, kCVPixelBufferCGBitmapContextCompatibilityKey,
        ]
        #expect(Set(attributes).count == attributes.count)
        let attachments = [
            kCVImageBufferCleanApertureKey, kCVImageBufferDisplayDimensionsKey,
            kCVImageBufferPixelAspectRatioKey, kTuttiImageBufferOrientationKey, kCVImageBufferFieldCountKey,
            kCVImageBufferFieldDetailKey, kCVImageBufferChromaLocationTopFieldKey,
            kCVImageBufferChromaLocationBottomFieldKey, kCVImageBufferAlphaChannelIsOpaque,
            kCVImageBufferAlphaChannelModeKey, kCVImageBufferYCbCrMatrixKey, kCVImageBufferColorPrimariesKey,
            kCVImageBufferTransferFunctionKey, kCVImageBufferGammaLevelKey, kCVImageBufferICCProfileKey,
            kCVImageBufferCGColorSpaceKey, kCVImageBufferMasteringDisplayColorVolumeKey,
            kCVImageBufferContentLightLevelInfoKey, kCVImageBufferAmbientViewingEnvironmentKey,
        ]
        #expect(Set(attachments).count == attachments.count)
        #expect(kCVImageBufferYCbCrMatrixKey === kCVImageBufferYCbCrMatrixKey)
    }

    @Test("numbers of H.273 and strings map to each other")
    func codePoints() {
        for code: Int32 in [1, 5, 6, 9, 11, 12] {
            let string = CVColorPrimariesGetStringForIntegerCodePoint(code)?.takeUnretainedValue()
            #expect(string != nil && CVColorPrimariesGetIntegerCodePointForString(string) == code)
        }
        for code: Int32 in [1, 7, 8, 13, 14, 16, 17, 18] {
            let string = CVTransferFunctionGetStringForIntegerCodePoint(code)?.takeUnretainedValue()
            #expect(string != nil && CVTransferFunctionGetIntegerCodePointForString(string) == code)
        }
        for code: Int32 in [1, 6, 7, 9] {
            let string = CVYCbCrMatrixGetStringForIntegerCodePoint(code)?.takeUnretainedValue()
            #expect(string != nil && CVYCbCrMatrixGetIntegerCodePointForString(string) == code)
        }
        #expect(
            CVTransferFunctionGetStringForIntegerCodePoint(16)?.takeUnretainedValue()
                === kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ)
        #expect(
            CVYCbCrMatrixGetStringForIntegerCodePoint(5)?.takeUnretainedValue()
                === kCVImageBufferYCbCrMatrix_ITU_R_601_4)
        #expect(
            CVTransferFunctionGetStringForIntegerCodePoint(15)?.takeUnretainedValue()
                === kCVImageBufferTransferFunction_ITU_R_2020)
    }

    @Test(
        "unknown numbers have no string, and unknown strings the number of unspecified",
        arguments: [0, 2, 3, -1, 255])
    func unknownCodePoints(code: Int32) {
        #expect(CVColorPrimariesGetStringForIntegerCodePoint(code) == nil)
        #expect(CVTransferFunctionGetStringForIntegerCodePoint(code) == nil)
        #expect(CVYCbCrMatrixGetStringForIntegerCodePoint(code) == nil)
        #expect(CVColorPrimariesGetIntegerCodePointForString("\(code)" as NSString) == 2)
        #expect(CVTransferFunctionGetIntegerCodePointForString(nil) == 2)
        #expect(CVYCbCrMatrixGetIntegerCodePointForString("x" as NSString) == 2)
    }
}
