import CTuttiFFmpeg

/// The representation of a PCM stream's samples.
package enum PCMEncoding: Hashable, Sendable {
    /// Integer samples.
    case integer(bits: Int)
    /// Floating-point samples.
    case float(bits: Int)
    /// A-law or µ-law.
    case companded
}

/// The coding of a stream.
package enum AudioCodec: Hashable, Sendable, CustomStringConvertible {
    /// Uncompressed sound.
    case aac, alac, mp3, flac, vorbis, opus
    /// Uncompressed samples in this encoding.
    case pcm(PCMEncoding)
    /// Any other codec by FFmpeg's short name, e.g. `wmav2`.
    case other(String)

    init(_ id: AVCodecID) {
        let name = String(cString: avcodec_get_name(id))
        switch id {
        case AV_CODEC_ID_AAC: self = .aac
        case AV_CODEC_ID_ALAC: self = .alac
        case AV_CODEC_ID_MP3: self = .mp3
        case AV_CODEC_ID_FLAC: self = .flac
        case AV_CODEC_ID_VORBIS: self = .vorbis
        case AV_CODEC_ID_OPUS: self = .opus
        case AV_CODEC_ID_PCM_ALAW, AV_CODEC_ID_PCM_MULAW, AV_CODEC_ID_PCM_VIDC: self = .pcm(.companded)
        default:
            let bits = Int(av_get_bits_per_sample(id))
            if !name.hasPrefix("pcm_") || bits == 0 {
                self = .other(name)
            } else {
                self = .pcm(name.hasPrefix("pcm_f") ? .float(bits: bits) : .integer(bits: bits))
            }
        }
    }

    /// The name for users, e.g. "AAC".
    package var description: String {
        switch self {
        case .aac: "AAC"
        case .alac: "ALAC"
        case .mp3: "MP3"
        case .flac: "FLAC"
        case .vorbis: "Vorbis"
        case .opus: "Opus"
        case .pcm(.integer(let bits)): "PCM \(bits) bit"
        case .pcm(.float(let bits)): "PCM float \(bits) bit"
        case .pcm(.companded): "PCM companded"
        case .other(let name): name
        }
    }

    /// Frames before a target frame from which decoding must begin for an exact result.
    ///
    /// AAC overlaps one packet with the next, and HE-AAC looks a little further. An MP3 frame can take bits
    /// from up to nine earlier ones. A Vorbis block has at most 8192 frames, and other codecs get the same
    /// number. Opus asks for at least 80 ms (RFC 7845, 4.6); *observed*: with steady tones it took up to
    /// 16,000 frames until the last bit agreed.
    var preRollFrameCount: Int64 {
        switch self {
        case .aac: 2 * 1024
        case .mp3: 10 * 1152
        case .opus: 24_000
        case .alac, .flac, .pcm: 0
        case .vorbis, .other: 8192
        }
    }

    /// Whether every packet but the last has the first packet's duration.
    var hasFixedPacketDuration: Bool {
        switch self {
        case .aac, .mp3, .opus: true
        case .alac, .flac, .pcm, .vorbis, .other: false
        }
    }
}

/// The tool set of an AAC stream.
package enum AACProfile: Hashable, Sendable {
    /// Low complexity, the profile that speakers accept.
    case lowComplexity
    /// With spectral band replication.
    case highEfficiency
    /// With spectral band replication and parametric stereo.
    case highEfficiencyV2
    /// Any other profile by FFmpeg's number.
    case other(Int)

    init?(profile: Int32) {
        switch profile {
        case ..<0: return nil
        case 1: self = .lowComplexity
        case 4: self = .highEfficiency
        case 28: self = .highEfficiencyV2
        default: self = .other(Int(profile))
        }
    }
}
