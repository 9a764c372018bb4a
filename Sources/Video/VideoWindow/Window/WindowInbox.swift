/// Work for the display thread on one window, in which newer work replaces older work of its kind.
struct WindowInbox {
    enum Image {
        case unchanged
        case remove
        case show(PendingPicture)
    }

    enum Overlay {
        case unchanged
        case set(SubtitleImage?)
    }

    struct PendingPicture {
        let picture: VideoPicture
        /// Host times in nanoseconds.
        let due: Int64
        let postedAt: Int64
        /// Whether the display thread was waiting, so that the way to the screen measures no other work.
        let foundIdleThread: Bool
    }

    private(set) var image = Image.unchanged
    private(set) var droppedCount = 0
    var overlay = Overlay.unchanged
    var title: String?
    var size: PixelSize?
    var gravity: VideoGravity?
    var isFullScreen: Bool?
    private(set) var preventsDisplaySleep: Bool?
    /// Whether the layer whose pictures are shown wants the display to stay awake.
    var layerKeepsAwake: Bool?
    /// Requests for the window's pixels, and whether subtitles posted before the request may still be missing.
    var snapshots: [(id: Int, awaitsSubtitles: Bool)] = []
    var closes = false

    mutating func show(_ pending: PendingPicture) {
        dropPending()
        image = .show(pending)
    }

    mutating func removeImage() {
        dropPending()
        image = .remove
    }

    /// Takes the program's wish. If the display is to stay awake, it does so until the layer's next wish.
    mutating func setPreventsDisplaySleep(_ prevents: Bool) {
        preventsDisplaySleep = prevents
        if prevents { layerKeepsAwake = true }
    }

    private mutating func dropPending() {
        if case .show = image { droppedCount += 1 }
    }

    /// Returns all work and leaves none.
    mutating func take() -> WindowInbox {
        defer { self = WindowInbox() }
        return self
    }
}
