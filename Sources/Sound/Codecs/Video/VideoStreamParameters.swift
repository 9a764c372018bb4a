import CTuttiFFmpeg

/// The parameters that a decoder of pictures needs before the first packet.
package struct VideoStreamParameters: Hashable, Sendable {
    /// The most pixels of a picture: those of 8K television, 7680 × 4320, and a little more. A decoder keeps some
    /// twenty pictures, so the limit also bounds its memory, to about 1 GB.
    package static let pixelLimit = 36 << 20
    /// The longest side of a picture, in pixels.
    package static let sideLimit = 16_384
    /// The most bytes of ``configuration``; a file with more has no playable pictures.
    static let configurationByteLimit = 1 << 20

    /// FFmpeg's short name of the codec, e.g. `h264`, `hevc`, `vp9`, `av1`, `mpeg4`.
    package let codecName: String
    /// The width in pixels, as stored.
    package let width: Int
    /// The height in pixels, as stored.
    package let height: Int
    /// The decoder's set-up bytes: the contents of `avcC`, `hvcC`, `av1C`, `vpcC`, or the headers of MPEG-4.
    package let configuration: [UInt8]
    /// The shape of a pixel.
    package let pixelAspect: PixelAspect
    /// The colours.
    package let color: VideoColor
    /// The turn that shows the pictures upright.
    package let orientation: PictureOrientation
    /// Pictures per second on average; 0 if unknown.
    package let pictureRate: Double

    /// The colours as the file states them.
    package let statedColor: StatedColor
    /// The file's four-character code for the codec, the first in the lowest byte; 0 if there is none.
    package let codecTag: UInt32
    /// The codec's profile; negative if unknown.
    package let profile: Int
    /// The codec's level; negative if unknown.
    package let level: Int
    /// Bits of a stored pixel, for codecs of still images; 0 if unknown.
    package let bitsPerPixel: Int
    /// Pictures by which a decoder falls behind to put them into their order; 0 if they are stored in that order.
    package let reorderingDepth: Int
    /// The shortest duration of a picture, as a fraction of seconds; `nil` if unknown.
    package let shortestDuration: SecondsFraction?

    let codecID: UInt32
    /// Whether the container states ``pixelAspect``, which then replaces that of the codec.
    let isAspectOfContainer: Bool
    private let format: Int32

    /// Reads FFmpeg's parameters.
    ///
    /// - Returns: `nil` if the codec or the size is unknown, or the size exceeds the limits.
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar.pointee
        let extra = Int(max(0, parameters.extradata_size))
        guard parameters.codec_type == AVMEDIA_TYPE_VIDEO, parameters.codec_id != AV_CODEC_ID_NONE,
            Self.isAllowed(width: Int(parameters.width), height: Int(parameters.height)),
            extra <= Self.configurationByteLimit
        else { return nil }
        codecName = String(cString: avcodec_get_name(parameters.codec_id))
        (width, height) = (Int(parameters.width), Int(parameters.height))
        configuration = Array(UnsafeBufferPointer(start: parameters.extradata, count: extra))
        let stated = stream.pointee.sample_aspect_ratio
        isAspectOfContainer = stated.num > 0 && stated.den > 0
        pixelAspect = PixelAspect(isAspectOfContainer ? stated : parameters.sample_aspect_ratio)
        statedColor = StatedColor(parameters)
        color = VideoColor(
            space: parameters.color_space, range: parameters.color_range,
            primaries: parameters.color_primaries, transfer: parameters.color_trc,
            format: AVPixelFormat(rawValue: parameters.format), width: width, height: height)
        var matrix = [Int32](repeating: 0, count: 9)
        orientation =
            shim_display_matrix(stream, &matrix) == 0 ? .upright : PictureOrientation(displayMatrix: matrix)
        let rate = stream.pointee.avg_frame_rate
        pictureRate = rate.den > 0 ? max(0, Double(rate.num) / Double(rate.den)) : 0
        (codecID, codecTag) = (parameters.codec_id.rawValue, parameters.codec_tag)
        (format, profile, level) = (parameters.format, Int(parameters.profile), Int(parameters.level))
        bitsPerPixel = Int(max(0, parameters.bits_per_coded_sample))
        reorderingDepth = Int(max(0, parameters.video_delay))
        shortestDuration = SecondsFraction(rate: stream.pointee.r_frame_rate) ?? SecondsFraction(rate: rate)
    }

    /// Creates parameters for packets that come without a file.
    ///
    /// - Parameters:
    ///   - codecName: FFmpeg's short name of the codec.
    ///   - configuration: The set-up bytes, see ``configuration``.
    /// - Returns: `nil` if this build of FFmpeg has no such decoder, or the size exceeds the limits.
    package init?(codecName: String, width: Int, height: Int, configuration: [UInt8]) {
        self.init(
            codecName: codecName, codecTag: 0, width: width, height: height, configuration: configuration)
    }

    /// Creates parameters for packets that come with a description of their format.
    ///
    /// - Parameters:
    ///   - codecName: FFmpeg's short name of the codec.
    ///   - codecTag: The four-character code of the description, see ``codecTag``.
    ///   - configuration: The set-up bytes, see ``configuration``.
    /// - Returns: `nil` if this build of FFmpeg has no such decoder, or the size exceeds the limits.
    package init?(
        codecName: String, codecTag: UInt32, width: Int, height: Int, configuration: [UInt8],
        pixelAspect: PixelAspect = PixelAspect(), color stated: StatedColor = StatedColor(),
        bitsPerPixel: Int = 0
    ) {
        FormatSource.silenced
        guard let found = avcodec_descriptor_get_by_name(codecName), found.pointee.type == AVMEDIA_TYPE_VIDEO,
            avcodec_find_decoder(found.pointee.id) != nil,
            Self.isAllowed(width: width, height: height),
            configuration.count <= Self.configurationByteLimit
        else { return nil }
        (self.codecName, self.width, self.height) = (codecName, width, height)
        self.configuration = configuration
        (self.pixelAspect, isAspectOfContainer) = (pixelAspect, pixelAspect != PixelAspect())
        (statedColor, self.bitsPerPixel) = (stated, max(0, bitsPerPixel))
        color = VideoColor(
            space: stated.space, range: stated.range, primaries: stated.primariesOfFFmpeg,
            transfer: stated.transferOfFFmpeg, format: AV_PIX_FMT_NONE, width: width, height: height)
        (orientation, pictureRate, shortestDuration, reorderingDepth) = (.upright, 0, nil, 0)
        (codecID, self.codecTag, format) = (found.pointee.id.rawValue, codecTag, -1)
        (profile, level) = (Int(FF_PROFILE_UNKNOWN), Int(FF_LEVEL_UNKNOWN))
    }

    /// Returns FFmpeg's short name of the codec with a four-character code, as QuickTime or AVI files use it.
    ///
    /// - Parameter tag: The code, the first character in the lowest byte.
    package static func codecName(tag: UInt32) -> String? {
        var lists: [OpaquePointer?] = [avformat_get_mov_video_tags(), avformat_get_riff_video_tags(), nil]
        let found = tag == 0 ? AV_CODEC_ID_NONE : av_codec_get_id(&lists, tag)
        return found == AV_CODEC_ID_NONE ? nil : String(cString: avcodec_get_name(found))
    }

    /// Whether this build of FFmpeg has a decoder.
    package var hasDecoder: Bool { avcodec_find_decoder(AVCodecID(rawValue: codecID)) != nil }

    /// Bits of a sample: 8 if unknown.
    package var bitDepth: Int {
        av_pix_fmt_desc_get(AVPixelFormat(rawValue: format)).map { Int($0.pointee.comp.0.depth) } ?? 8
    }

    /// The shares of the width and the height that colour differences have, as powers of a half; 4:2:0 if unknown.
    package var chromaShift: (horizontal: Int, vertical: Int) {
        guard let found = av_pix_fmt_desc_get(AVPixelFormat(rawValue: format)) else { return (1, 1) }
        return (Int(found.pointee.log2_chroma_w), Int(found.pointee.log2_chroma_h))
    }

    /// Whether the pictures have no colours.
    package var isMonochrome: Bool {
        av_pix_fmt_desc_get(AVPixelFormat(rawValue: format)).map { $0.pointee.nb_components < 3 } ?? false
    }

    /// Whether a picture's size is within the limits.
    package static func isAllowed(width: Int, height: Int) -> Bool {
        (1...sideLimit).contains(width) && (1...sideLimit).contains(height) && width * height <= pixelLimit
    }

    /// Writes the parameters into FFmpeg's structure.
    func fill(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(CodecError) {
        parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        parameters.pointee.codec_id = AVCodecID(rawValue: codecID)
        parameters.pointee.codec_tag = codecTag
        (parameters.pointee.width, parameters.pointee.height) = (Int32(width), Int32(height))
        parameters.pointee.format = format
        (parameters.pointee.profile, parameters.pointee.level) = (Int32(profile), Int32(level))
        parameters.pointee.bits_per_coded_sample = Int32(clamping: bitsPerPixel)
        parameters.pointee.video_delay = Int32(clamping: reorderingDepth)
        // Some codecs do not store their colours; the frames then have those of the file.
        statedColor.fill(parameters)
        parameters.pointee.sample_aspect_ratio = AVRational(num: pixelAspect.width, den: pixelAspect.height)
        if configuration.isEmpty { return }
        guard let room = av_mallocz(configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw CodecError(code: shim_averror(12), operation: "av_mallocz")
        }
        configuration.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(start: room, count: $0.count).copyMemory(from: $0)
        }
        parameters.pointee.extradata = room.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(configuration.count)
    }
}

/// The shape of a pixel: its width and height, without a unit.
package struct PixelAspect: Hashable, Sendable {
    /// The width; 1 for square pixels.
    package let width: Int32
    /// The height; 1 for square pixels.
    package let height: Int32

    /// Square pixels.
    package init() { (width, height) = (1, 1) }

    /// The shape of a width and a height; square if a side is not positive, or longer than 32 times the other.
    package init(width: Int32, height: Int32) { self.init(AVRational(num: width, den: height)) }

    /// The shape of FFmpeg's fraction; square if it is unknown, or longer than 32 times its height or width.
    init(_ ratio: AVRational) {
        let isSensible =
            ratio.num > 0 && ratio.den > 0 && Int64(ratio.num) <= 32 * Int64(ratio.den)
            && Int64(ratio.den) <= 32 * Int64(ratio.num)
        (width, height) = isSensible ? (ratio.num, ratio.den) : (1, 1)
    }
}

/// A positive number of seconds as a fraction.
package struct SecondsFraction: Hashable, Sendable {
    /// The numerator, at least 1.
    package let numerator: Int32
    /// The denominator, at least 1.
    package let denominator: Int32

    /// - Returns: `nil` if the rate is unknown, or implausible: containers without rates yield the unit of their times.
    init?(rate: AVRational) {
        guard rate.num > 0, rate.den > 0, Double(rate.num) <= 1000 * Double(rate.den) else { return nil }
        (numerator, denominator) = (rate.den, rate.num)
    }
}
