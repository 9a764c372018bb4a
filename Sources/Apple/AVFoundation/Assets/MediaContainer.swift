import Foundation

/// A file format with sound or pictures that can be read.
struct MediaContainer {
    let type: AVFileType
    let mimeTypes: [String]
    /// Accepted prefixes of the `codecs` parameter of a MIME type; empty accepts all codecs.
    var codecs: [String] = []

    private static let movieCodecs =
        ["mp4a.40", "mp4a.69", "mp4a.6b", "alac", "flac", "opus", ".mp3"]
        + [
            "avc1", "avc3", "hvc1", "hev1", "vp09", "av01", "mp4v.20", "jpeg", "apch", "apcn", "apcs", "apco",
            "ap4h",
        ]

    /// All supported file formats.
    static let all = [
        MediaContainer(
            type: .m4a, mimeTypes: ["audio/mp4", "audio/x-m4a", "audio/m4a"], codecs: movieCodecs),
        MediaContainer(type: .mp4, mimeTypes: ["video/mp4", "application/mp4"], codecs: movieCodecs),
        MediaContainer(type: .m4v, mimeTypes: ["video/x-m4v"], codecs: movieCodecs),
        MediaContainer(type: .mov, mimeTypes: ["video/quicktime"], codecs: movieCodecs),
        MediaContainer(type: .mobile3GPP, mimeTypes: ["audio/3gpp", "video/3gpp"], codecs: movieCodecs),
        MediaContainer(type: .mobile3GPP2, mimeTypes: ["audio/3gpp2", "video/3gpp2"], codecs: movieCodecs),
        MediaContainer(type: .mp3, mimeTypes: ["audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/x-mpeg"]),
        MediaContainer(
            type: AVFileType("public.aac-audio"), mimeTypes: ["audio/aac", "audio/aacp", "audio/x-aac"]),
        MediaContainer(type: .wav, mimeTypes: ["audio/wav", "audio/wave", "audio/x-wav", "audio/vnd.wave"]),
        MediaContainer(type: .aiff, mimeTypes: ["audio/aiff", "audio/x-aiff"]),
        MediaContainer(type: .aifc, mimeTypes: []), MediaContainer(type: .caf, mimeTypes: ["audio/x-caf"]),
        MediaContainer(type: AVFileType("org.xiph.flac"), mimeTypes: ["audio/flac", "audio/x-flac"]),
        MediaContainer(
            type: AVFileType("org.xiph.ogg-audio"),
            mimeTypes: ["audio/ogg", "audio/opus", "application/ogg"],
            codecs: ["opus", "vorbis", "flac"]),
        MediaContainer(
            type: AVFileType("org.webmproject.webm"), mimeTypes: ["audio/webm", "video/webm"],
            codecs: ["opus", "vorbis", "vp8", "vp08", "vp9", "vp09", "av1", "av01"]),
        MediaContainer(
            type: AVFileType("org.matroska.mkv"), mimeTypes: ["video/x-matroska", "audio/x-matroska"]),
        MediaContainer(type: AVFileType("public.mpeg-2-transport-stream"), mimeTypes: ["video/mp2t"]),
        MediaContainer(type: AVFileType("public.mpeg"), mimeTypes: ["video/mpeg"]),
        MediaContainer(type: AVFileType("public.avi"), mimeTypes: ["video/x-msvideo", "video/avi"]),
        MediaContainer(
            type: AVFileType("org.xiph.ogv"), mimeTypes: ["video/ogg"], codecs: ["theora", "opus", "vorbis"]),
        MediaContainer(type: .amr, mimeTypes: ["audio/amr"]),
        MediaContainer(type: .au, mimeTypes: ["audio/basic"]),
        MediaContainer(type: .ac3, mimeTypes: ["audio/ac3"]),
        MediaContainer(type: .eac3, mimeTypes: ["audio/eac3"]),
    ]

    /// Returns whether a MIME type, with or without parameters, is supported.
    static func takes(extendedMIMEType: String) -> Bool {
        let parts = extendedMIMEType.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let name = parts.first?.lowercased(),
            let container = all.first(where: { $0.mimeTypes.contains(name) })
        else { return false }
        return parts.dropFirst().allSatisfy(container.takes(parameter:))
    }

    private func takes(parameter: String) -> Bool {
        let pair = parameter.split(separator: "=", maxSplits: 1)
        guard pair.count == 2, pair[0].lowercased() == "codecs", !codecs.isEmpty else { return true }
        let names = pair[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"' ")).split(separator: ",")
        return names.allSatisfy { name in
            let name = name.trimmingCharacters(in: .whitespaces).lowercased()
            return codecs.contains { name.hasPrefix($0) }
        }
    }
}
