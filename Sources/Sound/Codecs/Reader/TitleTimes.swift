import CTuttiFFmpeg
import TuttiWeb

/// The titles of a live stream, with the frames from which they apply.
struct TitleTimes {
    /// The most titles kept; the oldest are dropped.
    private static let limit = 64

    private let source: (any ByteSource)?
    private let isLive: Bool
    /// Titles of a radio station at byte offsets not read yet.
    private var coming: [StreamTitle] = []
    private var given: [TimedTitle] = []
    private var last: TimedTitle?

    init(source: FormatSource) {
        self.source = source.web?.main?.source
        isLive = source.isLive
    }

    /// Returns the titles since the last call.
    mutating func take() -> [TimedTitle] {
        defer { given = [] }
        return given
    }

    /// Assigns pending titles to a packet that begins at `frame`.
    mutating func note(packet: UnsafeMutablePointer<AVPacket>, frame: Int64) {
        guard isLive else { return }
        if let source { coming += source.takeTitles() }
        let position = packet.pointee.pos
        // The first title arrives after some sound and applies to that sound too.
        while let next = coming.first, last == nil || position < 0 || next.offset <= position {
            coming.removeFirst()
            note(TimedTitle(frame: frame, title: String(next.text.prefix(TimedTitle.lengthLimit))))
        }
        if coming.count > Self.limit { coming.removeFirst(coming.count - Self.limit) }
        if let changed = Self.changedTags(packet) {
            note(TimedTitle(frame: frame, title: changed.title ?? "", artist: changed.artist))
        }
    }

    private mutating func note(_ title: TimedTitle) {
        if let last, last.title == title.title, last.artist == title.artist { return }
        last = title
        given.append(title)
        if given.count > Self.limit { given.removeFirst() }
    }

    /// Returns the new tags where one logical stream of an Ogg stream ends and the next begins.
    private static func changedTags(_ packet: UnsafeMutablePointer<AVPacket>) -> MediaTags? {
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_METADATA_UPDATE, &size), size > 0 else {
            return nil
        }
        var dictionary: OpaquePointer?
        defer { av_dict_free(&dictionary) }
        guard av_packet_unpack_dictionary(data, size, &dictionary) >= 0 else { return nil }
        return MediaTags { key in
            av_dict_get(dictionary, key, nil, 0)?.pointee.value.map { String(cString: $0) }
        }
    }
}
