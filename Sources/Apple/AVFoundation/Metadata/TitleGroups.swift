import CoreMedia
import Foundation
import Playback
import TuttiCodecs

/// A converter of stream titles to metadata groups.
struct TitleGroups {
    /// FFmpeg's short name of the stream's container.
    let container: String

    func group(of scheduled: ScheduledTitle) -> AVTimedMetadataGroup {
        let duration = scheduled.end.map { $0 - scheduled.time } ?? .indefinite
        let items = contents(of: scheduled.title).map { content in
            var content = content
            (content.time, content.duration) = (scheduled.time, duration)
            return AVMetadataItem(content)
        }
        return AVTimedMetadataGroup(
            items: items, timeRange: CMTimeRange(start: scheduled.time, duration: duration))
    }

    private func contents(of title: TimedTitle) -> [MetadataContent] {
        if !title.tags.isEmpty {
            return title.tags.compactMap { MetadataMapping(space: .id3).item(of: $0)?.content }
        }
        if container == "ogg" {
            let words = [("title", title.title), ("artist", title.artist ?? "")].filter { !$0.1.isEmpty }
            return words.compactMap { key, text in
                MetadataMapping(space: .vorbisComment).item(of: MediaTag(key: key, value: text))?.content
            }
        }
        guard !title.title.isEmpty else { return [] }
        var content = MetadataContent()
        content.set(Self.streamTitle, in: .icy)
        content.value = title.title as NSString
        content.dataType = MetadataDataType.text
        return [content]
    }

    /// The key of ICY stream titles.
    static let streamTitle = "StreamTitle"
}
