import AVFoundation
import Playback

/// A track of `tutti play`: played, playing or still to be played.
struct PlayTrack: PlayQueueEntry {
    /// A number that no other track of the list has.
    let id: Int
    /// A path or an address.
    let path: String
    /// The title from a playlist; `nil` if there is none.
    var title: String?
    /// The pipe to read once, instead of a file.
    let pipe: PlayInput.Pipe?
    /// Whether the track is a playlist entry; playlists inside playlists are not expanded.
    var isFromList = false
    /// The source's properties without the picture, once opened.
    var media: TuttiMedia?
    /// The current title of a live stream.
    var heardTitle: StreamTitle?
    /// The error message, if the track cannot be played.
    var failure: String?
    /// Whether the track was played to its end since the list last began at it or before it.
    var hasEnded = false
    /// The track's item in the player's queue.
    var queued: QueuedItem?
    /// Whether the player has opened the item.
    var isOpen = false

    init(_ input: PlayInput, id: Int) {
        (self.id, path, title, pipe) = (id, input.path, input.title, input.pipe)
    }

    /// Makes the item that plays the track.
    func makeItem() -> AVPlayerItem {
        guard let pipe else { return AVPlayerItem(tuttiLocation: path) }
        return AVPlayerItem(tuttiPipe: path == PlayInput.standardInput ? nil : path, format: pipe.format)
    }

    var item: AVPlayerItem? { queued?.item }

    var isPlayable: Bool { failure == nil }

    /// The texts and the picture for the speakers' displays; `nil` until the item is open.
    var display: TuttiSpeakerDisplay? {
        guard let media = item?.tuttiMedia else { return nil }
        var display = TuttiSpeakerDisplay(media)
        display.title = media.title ?? title ?? PlayTitle.lastPart(of: media.location)
        if let heard = heardTitle, !heard.title.isEmpty {
            (display.album, display.title, display.artist) = (display.title, heard.title, heard.artist)
        }
        return display
    }

    mutating func leaveQueue() { (queued, isOpen) = (nil, false) }
}

/// A title announced by a live stream.
struct StreamTitle: Equatable, Sendable {
    /// Empty when a title ends.
    var title: String
    /// The artist, if the stream sends it separately.
    var artist: String?

    /// Artist and title as one line; empty when a title ends.
    var text: String { [artist ?? "", title].filter { !$0.isEmpty }.joined(separator: " – ") }

    init(title: String, artist: String? = nil) { (self.title, self.artist) = (title, artist) }

    init(_ metadata: [AVMetadataItem]) {
        func text(_ identifier: AVMetadataIdentifier) -> String? {
            metadata.first { $0.identifier == identifier }?.stringValue
        }
        self.init(title: text(.commonIdentifierTitle) ?? "", artist: text(.commonIdentifierArtist))
    }
}

/// An item of the player's queue.
struct QueuedItem: Equatable, Sendable {
    let item: AVPlayerItem
    /// Observations that end with this value.
    var observations: [NSKeyValueObservation] = []

    /// The item decides: its observations stay those with which it was made.
    static func == (left: QueuedItem, right: QueuedItem) -> Bool { left.item === right.item }
}
