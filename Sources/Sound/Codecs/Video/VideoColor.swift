import CTuttiFFmpeg

/// The meaning of a picture's sample values.
package struct VideoColor: Hashable, Sendable {
    /// The equation between red, green, blue and the stored samples.
    package enum Matrix: Hashable, Sendable {
        /// The samples are red, green and blue.
        case rgb
        /// ITU-R BT.601, of standard-definition television.
        case bt601
        /// ITU-R BT.709, of high-definition television.
        case bt709
        /// ITU-R BT.2020, non-constant luminance, of ultra-high definition.
        case bt2020
    }

    /// The equation of the samples.
    package var matrix: Matrix
    /// Whether samples use all values from 0 to the largest one; else black is 16 and white 235, in 8 bits.
    package var isFullRange: Bool
    /// The primaries' code point of ITU-T H.273; 2 if unknown.
    package var primaries: Int
    /// The transfer function's code point of ITU-T H.273; 2 if unknown.
    package var transfer: Int

    /// Creates a colour description.
    package init(matrix: Matrix, isFullRange: Bool, primaries: Int = 2, transfer: Int = 2) {
        (self.matrix, self.isFullRange) = (matrix, isFullRange)
        (self.primaries, self.transfer) = (primaries, transfer)
    }

    /// Reads FFmpeg's values; unknown ones follow from the format and the size, as televisions do.
    ///
    /// - Parameter height: Lines of the picture: up to 576 mean standard definition.
    init(
        space: AVColorSpace, range: AVColorRange, primaries: AVColorPrimaries,
        transfer: AVColorTransferCharacteristic, format: AVPixelFormat, width: Int, height: Int
    ) {
        let description = av_pix_fmt_desc_get(format)
        let isRGB = description.map { $0.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 } ?? false
        let isOfJPEG =
            switch format {
            case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P: true
            default: false
            }
        matrix =
            switch space {
            case _ where isRGB: .rgb
            case AVCOL_SPC_BT709: .bt709
            case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: .bt601
            case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
            default: isOfJPEG || height <= 576 && width <= 1024 ? .bt601 : .bt709
            }
        isFullRange = isRGB || isOfJPEG || range == AVCOL_RANGE_JPEG
        self.primaries = Int(primaries.rawValue)
        self.transfer = Int(transfer.rawValue)
    }

}

extension VideoColor.Matrix {
    /// The matrix that readers assume for a picture that states none: that of standard definition up to 576 lines.
    package static func usual(height: Int) -> VideoColor.Matrix { height <= 576 ? .bt601 : .bt709 }

    /// swscale's name of the matrix.
    var scalerName: Int32 {
        switch self {
        case .bt709: SWS_CS_ITU709
        case .bt2020: SWS_CS_BT2020
        case .rgb, .bt601: SWS_CS_ITU601
        }
    }
}

/// The colours of a stream as its file states them, in code points of ITU-T H.273.
package struct StatedColor: Hashable, Sendable {
    /// The matrix between red, green, blue and the samples; 2 if unknown.
    package var matrix: Int
    /// The primaries; 2 if unknown.
    package var primaries: Int
    /// The transfer function; 2 if unknown.
    package var transfer: Int
    /// Whether samples use all their values; `nil` if unknown.
    package var isFullRange: Bool?

    /// Creates a description.
    package init(matrix: Int = 2, primaries: Int = 2, transfer: Int = 2, isFullRange: Bool? = nil) {
        (self.matrix, self.primaries, self.transfer) = (matrix, primaries, transfer)
        self.isFullRange = isFullRange
    }

    init(_ parameters: AVCodecParameters) {
        self.init(
            matrix: Int(parameters.color_space.rawValue), primaries: Int(parameters.color_primaries.rawValue),
            transfer: Int(parameters.color_trc.rawValue),
            isFullRange: parameters.color_range == AVCOL_RANGE_UNSPECIFIED
                ? nil : parameters.color_range == AVCOL_RANGE_JPEG)
    }

    /// Writes the colours into FFmpeg's structure.
    func fill(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
        parameters.pointee.color_space = space
        parameters.pointee.color_primaries = primariesOfFFmpeg
        parameters.pointee.color_trc = transferOfFFmpeg
        parameters.pointee.color_range = range
    }

    // FFmpeg's numbers are the code points.

    var space: AVColorSpace { AVColorSpace(rawValue: UInt32(clamping: matrix)) }
    var primariesOfFFmpeg: AVColorPrimaries { AVColorPrimaries(rawValue: UInt32(clamping: primaries)) }
    var transferOfFFmpeg: AVColorTransferCharacteristic {
        AVColorTransferCharacteristic(rawValue: UInt32(clamping: transfer))
    }
    var range: AVColorRange {
        isFullRange.map { $0 ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG } ?? AVCOL_RANGE_UNSPECIFIED
    }
}
