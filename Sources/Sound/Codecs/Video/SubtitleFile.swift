import CTuttiFFmpeg
import Glibc

/// The texts of a subtitle file: SubRip, WebVTT, or (Advanced) SubStation Alpha.
package struct SubtitleFile: Hashable, Sendable {
    /// The texts, in the order of their starts; times count from the film's beginning.
    package let cues: [SubtitleCue]
    /// The script's header: resolution and styles of the events.
    package let header: String
    /// ``cues``, to be found by their time.
    package let table: SubtitleTable

    /// The most texts; the rest of a longer file is ignored.
    package static let cueLimit = 50_000
    /// The largest file, in bytes.
    package static let byteLimit = 16 << 20
    /// The endings of the files' names.
    package static let extensions = ["srt", "vtt", "ass", "ssa"]

    /// Creates a list of texts.
    package init(cues: [SubtitleCue], header: String) {
        (self.cues, self.header, table) = (cues, header, SubtitleTable(cues))
    }

    /// Reads a file; blocks on the disk. Texts that are not UTF-8 are taken as Windows-1252.
    ///
    /// - Throws: ``MediaError`` if the file cannot be read or has no subtitles.
    package init(path: String, interrupt: MediaInterrupt = MediaInterrupt()) throws(MediaError) {
        FormatSource.silenced
        let name = SourceName(path)
        try name.check()
        let bytes = name.bytes(Self.byteLimit + 1)
        guard bytes.count <= Self.byteLimit else {
            throw .undecodable(
                name: name.displayName, reason: "it is larger than \(Self.byteLimit >> 20) MiB")
        }
        interrupt.begin(silence: FormatSource.fileOpeningLimit, total: FormatSource.fileOpeningLimit)
        var context: UnsafeMutablePointer<AVFormatContext>? = try FormatSource.makeContext(name, interrupt)
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "format_whitelist", "srt,webvtt,ass", 0)
        av_dict_set(&options, "protocol_whitelist", "file", 0)
        defer { avformat_close_input(&context) }
        guard avformat_open_input(&context, name.location, nil, &options) >= 0, let context,
            context.pointee.nb_streams > 0, let stream = context.pointee.streams[0],
            let decoder = SubtitleDecoder(stream, encoding: Self.encoding(of: bytes))
        else { throw .noSubtitles(name: name.displayName) }
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        guard let packet else { throw FormatSource.outOfMemory(name) }
        var cues: [SubtitleCue] = []
        while cues.count < Self.cueLimit, av_read_frame(context, packet) >= 0 {
            cues += decoder.decode(packet)
            av_packet_unref(packet)
        }
        if interrupt.isCancelled { throw .cancelled }
        self.init(
            cues: cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
                .map(\.element), header: decoder.header)
    }

    /// iconv's name of the encoding; `nil` for UTF-8, and UTF-16 with a mark, which FFmpeg knows.
    private static func encoding(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return nil }
        return String(validating: bytes, as: UTF8.self) == nil ? "CP1252" : nil
    }

    /// Returns the subtitle file beside a film: its name with another ending, perhaps after a language.
    ///
    /// - Parameter film: The film's path.
    /// - Returns: Paths of regular files, the plain name first, in the order of their names; empty for an address.
    package static func beside(_ film: String) -> [String] {
        guard !SourceName(film).isRemote, let slash = film.lastIndex(of: "/") ?? film.indices.first else {
            return []
        }
        let hasFolder = film[slash] == "/"
        let folder = hasFolder ? String(film[...slash]) : "./"
        let file = hasFolder ? String(film[film.index(after: slash)...]) : film
        let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
        guard !stem.isEmpty, let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var found: [String] = []
        var seen = 0
        while let entry = readdir(handle), seen < 100_000 {
            seen += 1
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(stem + "."), let dot = name.lastIndex(of: "."),
                extensions.contains(name[name.index(after: dot)...].lowercased()),
                name.dropFirst(stem.count).count <= 24
            else { continue }
            found.append((hasFolder ? folder : "") + name)
        }
        return found.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    }
}
