import CoreMedia
import TuttiCodecs

/// The four-character codes of codecs.
enum VideoCodes {
    /// A codec with its code, and other codes that mean the same or a variant.
    private struct Entry {
        var name: String
        var code: String
        var others: [String] = []
    }

    /// The codecs whose codes differ between containers, or have variants that a program wants to know.
    private static let entries = [
        Entry(name: "h264", code: "avc1", others: ["avc3", "dva1", "dvav"]),
        Entry(name: "hevc", code: "hvc1", others: ["hev1", "dvh1", "dvhe", "muxa"]),
        Entry(name: "vp8", code: "vp08"), Entry(name: "vp9", code: "vp09"), Entry(name: "av1", code: "av01"),
        Entry(name: "mpeg4", code: "mp4v"), Entry(name: "mpeg2video", code: "mp2v"),
        Entry(name: "mpeg1video", code: "mp1v"), Entry(name: "h263", code: "h263", others: ["s263"]),
        Entry(name: "mjpeg", code: "jpeg", others: ["mjpa", "dmb1"]),
        Entry(name: "prores", code: "apcn", others: ["apch", "apcs", "apco", "ap4h", "ap4x"]),
        Entry(
            name: "dvvideo", code: "dvc ",
            others: ["dvcp", "dvpp", "dv5n", "dv5p", "dvh5", "dvh6", "dvhp", "dvhq"]),
        Entry(name: "png", code: "png "), Entry(name: "qtrle", code: "rle "),
        Entry(name: "svq1", code: "SVQ1"), Entry(name: "svq3", code: "SVQ3"),
        Entry(name: "dnxhd", code: "AVdn", others: ["AVdh"]), Entry(name: "vc1", code: "vc-1"),
        Entry(name: "theora", code: "theo"), Entry(name: "ffv1", code: "FFV1"),
        Entry(name: "flv1", code: "FLV1"), Entry(name: "vp6f", code: "VP6F"),
        Entry(name: "cinepak", code: "cvid"),
    ]

    /// The profiles of ProRes, by FFmpeg's number.
    private static let proResCodes = ["apco", "apcs", "apcn", "apch", "ap4h", "ap4x"]

    /// Returns the code of a stream's codec: the file's own if it is one of the codec's, or the codec has no other.
    static func code(of video: VideoStreamParameters) -> FourCharCode {
        let own = video.codecTag.byteSwapped
        guard let entry = entries.first(where: { $0.name == video.codecName }) else {
            return own.isPrintable ? own : FourCharCode(text: video.codecName)
        }
        let codes = ([entry.code] + entry.others).map { FourCharCode(text: $0) }
        if codes.contains(own) { return own }
        if video.codecName == "prores", proResCodes.indices.contains(video.profile) {
            return FourCharCode(text: proResCodes[video.profile])
        }
        if video.codecName == "dvvideo", video.height == 576 { return kCMVideoCodecType_DVCPAL }
        return codes[0]
    }

    /// Returns FFmpeg's short name of the codec with a code; `nil` if it is unknown.
    ///
    /// - Parameter objectType: The codec's number in an MPEG-4 descriptor, which may differ from the code's.
    static func codecName(of code: FourCharCode, objectType: UInt8?) -> String? {
        if let found = entries.first(where: {
            ([$0.code] + $0.others).contains { FourCharCode(text: $0) == code }
        }) {
            return found.name == "mpeg4"
                ? objectType.flatMap(codecName(ofObjectType:)) ?? found.name : found.name
        }
        return VideoStreamParameters.codecName(tag: code.byteSwapped)
    }

    /// Returns the codec with a number of ISO/IEC 14496-1, table 5; `nil` for others.
    private static func codecName(ofObjectType number: UInt8) -> String? {
        switch number {
        case 0x20: "mpeg4"
        case 0x60...0x65: "mpeg2video"
        case 0x6A: "mpeg1video"
        case 0x6C: "mjpeg"
        case 0x6D: "png"
        default: nil
        }
    }
}

extension FourCharCode {
    /// The code of the first four characters, with spaces after fewer.
    fileprivate init(text: String) {
        let bytes = Array(text.utf8.prefix(4)) + [UInt8](repeating: 0x20, count: 4)
        self = bytes.prefix(4).reduce(0) { $0 << 8 | FourCharCode($1) }
    }

    fileprivate var isPrintable: Bool {
        [24, 16, 8, 0].allSatisfy { (0x20...0x7E).contains(UInt8(truncatingIfNeeded: self >> $0)) }
    }
}
