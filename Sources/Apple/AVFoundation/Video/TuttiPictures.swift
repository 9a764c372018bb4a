import CoreMedia
import Foundation
import TuttiCodecs

/// The pictures of a layer, counted. Tutti's extension.
public struct TuttiPictureCounts: Hashable, Sendable {
    /// Pictures handed to the sink.
    public var shown = 0
    /// Decoded pictures that were not shown because a later one was due already.
    public var overtaken = 0
    /// Pictures decoded after their time had passed: the decoder is too slow.
    public var decodedLate = 0
    /// Packets and pictures that could not be decoded or converted.
    public var corrupt = 0

    /// Creates counts of zero.
    public init() {}
}

/// A text that is shown with pictures. Tutti's extension.
public struct TuttiSubtitle: Hashable, Sendable {
    /// The text without styles, with line feeds.
    public let text: String
    /// The time from which the text is shown, in milliseconds of its file.
    public let start: Int
    /// The time until which the text is shown, in milliseconds of its file.
    public let end: Int
    /// The event in the form of Advanced SubStation Alpha, with its styles, for a toolkit that can draw them.
    public let scriptEvent: String
    /// The header of the event's script: resolution and styles.
    public let scriptHeader: String

    init(_ cue: SubtitleCue, header: String) {
        (text, start, end) = (cue.text, Int(cue.start), Int(cue.end))
        (scriptEvent, scriptHeader) = (cue.event, header)
    }
}
