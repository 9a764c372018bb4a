import CTuttiFFmpeg
import TuttiMediaTime
import TuttiPCM

/// The parameters that a decoder needs before the first packet.
package struct AudioStreamParameters: Hashable, Sendable {
    /// The codec of the packets.
    package let codec: AudioCodec
    /// The AAC profile; `nil` for other codecs and where the profile is unknown.
    package let aacProfile: AACProfile?
    /// The rate of the decoded sound; for HE-AAC the doubled rate.
    package let sampleRate: SampleRate
    /// The number and order of the channels.
    package let channelLayout: ChannelLayout
    /// Bits per sample of the source; `nil` for lossy codecs.
    package let bitDepth: Int?
    /// The codec's set-up bytes: AudioSpecificConfig, ALAC cookie in its atom, FLAC STREAMINFO, Vorbis
    /// headers.
    package internal(set) var cookie: [UInt8]

    let codecID: UInt32
    let codecTag: UInt32
    let channelMask: UInt64
    let bitsPerCodedSample: Int32
    let bitsPerRawSample: Int32
    let blockAlign: Int32
    /// The file's declared bit rate, in bits per second; 0 if the file declares none.
    package let bitRate: Int64
    let frameSize: Int32

    /// The number of channels.
    package var channelCount: Int { channelLayout.channelCount }

    /// FFmpeg's short name of the exact encoding, e.g. `aac`, `pcm_s16be`, `pcm_mulaw`.
    package var codecName: String { String(cString: avcodec_get_name(AVCodecID(rawValue: codecID))) }

    /// The sample layout; `nil` unless the stream is uncompressed and of a simple kind.
    package var storedPCM: StoredPCM? { StoredPCM(libraryName: codecName) }

    /// The format of ``AudioDecoder``'s output: 16 or 24 bits for lossless sources, float for all others.
    package var naturalFormat: PCMFormat {
        let sampleFormat: SampleFormat =
            switch (codec, bitDepth) {
            case (.pcm(.float), _): .float32
            case (.pcm(.companded), _): .int16
            case (_, .some(...16)): .int16
            case (_, .some): .int24in32
            case (_, nil): .float32
            }
        return PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: sampleFormat)
    }

    /// Reads FFmpeg's parameters; `nil` if rate or channels are unknown or exceed the limits.
    init?(_ parameters: AVCodecParameters) {
        let channels = Int(parameters.ch_layout.nb_channels)
        guard let rate = SampleRate(hertz: Int(parameters.sample_rate)),
            (1...PCMFormat.channelLimit).contains(channels)
        else { return nil }
        var layout = parameters.ch_layout
        codec = AudioCodec(parameters.codec_id)
        aacProfile = codec == .aac ? AACProfile(profile: parameters.profile) : nil
        sampleRate = rate
        channelMask = shim_layout_mask(&layout)
        channelLayout = ChannelLayout(mask: channelMask, channelCount: channels)
        bitDepth = Self.bitDepth(parameters)
        cookie = Array(
            UnsafeBufferPointer(start: parameters.extradata, count: Int(max(0, parameters.extradata_size))))
        codecID = parameters.codec_id.rawValue
        codecTag = parameters.codec_tag
        bitsPerCodedSample = parameters.bits_per_coded_sample
        bitsPerRawSample = parameters.bits_per_raw_sample
        blockAlign = parameters.block_align
        bitRate = parameters.bit_rate
        frameSize = parameters.frame_size
    }

    /// Creates parameters for packets without a file.
    ///
    /// - Parameters:
    ///   - codec: AAC, ALAC, MP3, FLAC, Vorbis or Opus.
    ///   - cookie: The set-up bytes, see ``cookie``.
    /// - Throws: ``CodecError`` for another codec.
    package init(
        codec: AudioCodec, sampleRate: SampleRate, channelCount: Int, bitDepth: Int?, cookie: [UInt8]
    ) throws(CodecError) {
        let id: AVCodecID
        switch codec {
        case .aac: id = AV_CODEC_ID_AAC
        case .alac: id = AV_CODEC_ID_ALAC
        case .mp3: id = AV_CODEC_ID_MP3
        case .flac: id = AV_CODEC_ID_FLAC
        case .vorbis: id = AV_CODEC_ID_VORBIS
        case .opus: id = AV_CODEC_ID_OPUS
        case .pcm, .other: throw CodecError(code: shim_AVERROR_INVALIDDATA, operation: "avcodec_find_decoder")
        }
        self.init(
            codecID: id, sampleRate: sampleRate, channelCount: channelCount, bitDepth: bitDepth,
            cookie: cookie)
    }

    /// Creates parameters for packets of the wire, which have no file.
    init(codecID: AVCodecID, sampleRate: SampleRate, channelCount: Int, bitDepth: Int?, cookie: [UInt8]) {
        codec = AudioCodec(codecID)
        aacProfile = codecID == AV_CODEC_ID_AAC ? .lowComplexity : nil
        self.sampleRate = sampleRate
        channelLayout = ChannelLayout(mask: 0, channelCount: channelCount)
        self.bitDepth = bitDepth
        self.cookie = cookie
        self.codecID = codecID.rawValue
        channelMask = 0
        (codecTag, bitsPerCodedSample, bitsPerRawSample, blockAlign) = (0, Int32(bitDepth ?? 0), 0, 0)
        (bitRate, frameSize) = (0, 0)
    }

    /// Writes the parameters into FFmpeg's structure.
    func fill(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(CodecError) {
        parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
        parameters.pointee.codec_id = AVCodecID(rawValue: codecID)
        parameters.pointee.codec_tag = codecTag
        parameters.pointee.sample_rate = Int32(sampleRate.hertz)
        shim_layout_set(&parameters.pointee.ch_layout, channelMask, Int32(channelCount))
        parameters.pointee.bits_per_coded_sample = bitsPerCodedSample
        parameters.pointee.bits_per_raw_sample = bitsPerRawSample
        parameters.pointee.block_align = blockAlign
        parameters.pointee.bit_rate = bitRate
        parameters.pointee.frame_size = frameSize
        if cookie.isEmpty { return }
        guard let room = av_mallocz(cookie.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw CodecError(code: shim_averror(12), operation: "av_mallocz")
        }
        cookie.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(start: room, count: $0.count).copyMemory(from: $0)
        }
        parameters.pointee.extradata = room.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(cookie.count)
    }

    private static func bitDepth(_ parameters: AVCodecParameters) -> Int? {
        guard let descriptor = avcodec_descriptor_get(parameters.codec_id),
            descriptor.pointee.props & AV_CODEC_PROP_LOSSLESS != 0
        else { return nil }
        let candidates = [
            parameters.bits_per_raw_sample, parameters.bits_per_coded_sample,
            av_get_bits_per_sample(parameters.codec_id),
        ]
        return Int(candidates.first { $0 > 0 } ?? 16)
    }
}
