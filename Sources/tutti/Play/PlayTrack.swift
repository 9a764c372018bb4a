import AVFoundation
import Codecs

/// One thing that `tutti play` plays, has played or will.
struct PlayTrack {
    /// A path or an address.
    let path: String
    /// What a list calls it.
    var title: String?
    /// A list inside a list is not looked into.
    var isFromList = false
    /// Since it was opened.
    var info: MediaInfo?
    /// What a live stream said last that is heard.
    var heardTitle: TimedTitle?
    /// Why it cannot be played.
    var failure: String?
    /// It was heard, or passed over.
    var isOver = false
    /// What stands for it in the player's queue.
    var queued: QueuedItem?
    /// The player has opened that.
    var isOpen = false

    init(_ input: PlayInput) { (path, title) = (input.path, input.title) }

    var item: AVPlayerItem? { queued?.item }

    /// It is heard, or will be.
    var isToBeHeard: Bool { failure == nil && !isOver }

    mutating func leaveQueue() { (queued, isOpen) = (nil, false) }
}

/// An item of the player's queue.
struct QueuedItem {
    let item: AVPlayerItem
    /// Last as long as this does.
    var observations: [NSKeyValueObservation] = []
}
