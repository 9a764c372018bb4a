import CoreMedia
import Foundation
import TuttiCodecs

/// CoreMedia format descriptions for the pictures of a file, and decoders' parameters for format descriptions.
package enum VideoDescription {
    /// Returns the format of pictures as stored; packets fit it after ``StoredPackets``.
    ///
    /// The extensions state the decoder's configuration, the colours and the shape of a pixel, as far as they are known.
    package static func stored(_ video: VideoStreamParameters) throws -> CMFormatDescription {
        var extensions = CMFormatDescription.Extensions()
        let code = VideoCodes.code(of: video)
        if let atom = DecoderAtom.atom(of: video) { extensions.setAtom(atom.name, to: Data(atom.content)) }
        if VideoCodes.codecName(of: code, objectType: nil) != video.codecName {
            set(codecNameKey, video.codecName as NSString, in: &extensions)
        }
        describe(video.statedColor, in: &extensions)
        describe(video.pixelAspect, in: &extensions)
        if video.bitsPerPixel > 0 {
            set(.depth, NSNumber(value: video.bitsPerPixel), in: &extensions)
        }
        return try CMFormatDescription(
            videoCodecType: CMFormatDescription.MediaSubType(rawValue: code), width: video.width,
            height: video.height, extensions: extensions)
    }

    /// Returns the parameters of a decoder for packets of a format.
    ///
    /// - Returns: `nil` for a format that is not of pictures, whose codec is unknown or has no decoder in this build of
    ///   FFmpeg, or whose size exceeds the limits of ``VideoStreamParameters``.
    package static func parameters(of format: CMFormatDescription) -> VideoStreamParameters? {
        guard format.mediaType == .video else { return nil }
        let code = format.mediaSubType.rawValue
        let atom = DecoderAtom(of: format)
        let stated = format.extensions[codecNameKey]?.rawValue as? NSString
        guard
            let name = stated.map({ "\($0)" }) ?? VideoCodes.codecName(of: code, objectType: atom?.objectType)
        else { return nil }
        let depth = format.extensions[.depth]?.rawValue as? NSNumber
        return VideoStreamParameters(
            codecName: name, codecTag: code.byteSwapped, width: Int(format.dimensions.width),
            height: Int(format.dimensions.height), configuration: atom?.configuration ?? [],
            pixelAspect: pixelAspect(of: format.extensions), color: color(of: format.extensions),
            bitsPerPixel: depth.map { max(0, min($0.intValue, 64)) } ?? 0)
    }

    /// The name of an extension with FFmpeg's short name of a codec, where the four-character code does not tell it.
    private static let codecNameKey = CMFormatDescription.Extensions.Key(
        rawValue: "TuttiCodecName" as NSString)

    private static func set(
        _ key: CMFormatDescription.Extensions.Key, _ value: CFPropertyList?,
        in extensions: inout CMFormatDescription.Extensions
    ) {
        if let value { extensions[key] = CMFormatDescription.Extensions.Value(rawValue: value) }
    }

    // MARK: Colours

    private static func describe(_ color: StatedColor, in extensions: inout CMFormatDescription.Extensions) {
        let primaries = CVColorPrimariesGetStringForIntegerCodePoint(Int32(clamping: color.primaries))
        let transfer = CVTransferFunctionGetStringForIntegerCodePoint(Int32(clamping: color.transfer))
        let matrix = CVYCbCrMatrixGetStringForIntegerCodePoint(Int32(clamping: color.matrix))
        set(.colorPrimaries, primaries?.takeUnretainedValue(), in: &extensions)
        set(.transferFunction, transfer?.takeUnretainedValue(), in: &extensions)
        set(.yCbCrMatrix, matrix?.takeUnretainedValue(), in: &extensions)
        let range = color.isFullRange.map { NSNumber(value: $0) }
        set(.fullRangeVideo, range, in: &extensions)
    }

    private static func color(of extensions: CMFormatDescription.Extensions) -> StatedColor {
        func text(_ key: CMFormatDescription.Extensions.Key) -> CFString? {
            extensions[key]?.rawValue as? NSString
        }
        let range = extensions[.fullRangeVideo]?.rawValue as? NSNumber
        return StatedColor(
            matrix: Int(
                CVYCbCrMatrixGetIntegerCodePointForString(text(.yCbCrMatrix))),
            primaries: Int(
                CVColorPrimariesGetIntegerCodePointForString(
                    text(.colorPrimaries))),
            transfer: Int(
                CVTransferFunctionGetIntegerCodePointForString(
                    text(.transferFunction))),
            isFullRange: range?.boolValue)
    }

    // MARK: Shape of a pixel

    private static func describe(_ aspect: PixelAspect, in extensions: inout CMFormatDescription.Extensions) {
        guard aspect != PixelAspect() else { return }
        let value: NSDictionary = [
            kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: NSNumber(value: aspect.width),
            kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: NSNumber(value: aspect.height),
        ]
        set(.pixelAspectRatio, value, in: &extensions)
    }

    private static func pixelAspect(of extensions: CMFormatDescription.Extensions) -> PixelAspect {
        let value = extensions[.pixelAspectRatio]?.rawValue as? NSDictionary
        func side(_ name: CFString) -> Int32? {
            (value?[name] as? NSNumber).map { Int32(clamping: $0.int64Value) }
        }
        guard let width = side(kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing),
            let height = side(kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing)
        else { return PixelAspect() }
        return PixelAspect(width: width, height: height)
    }
}
