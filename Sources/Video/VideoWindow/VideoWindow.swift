import Playback
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// A window that shows pictures at their time, with subtitles.
///
/// All windows of a process share one thread, which alone uses the display; calls here only leave work for that
/// thread and return at once, unless they say otherwise. Callable from any thread. A window without references
/// closes.
public final class VideoWindow: Sendable {
    private let link: WindowLink
    /// Converts frames in formats that the window does not draw.
    let maker = Mutex(PixelBufferMaker.forScreen())

    /// Checks that a window can be expected to open.
    ///
    /// Loads SDL2 on the first call, if the environment names a display.
    /// - Throws: ``VideoWindowError/noDisplay`` or ``VideoWindowError/libraryMissing(_:)``.
    public static func checkDisplay() throws(VideoWindowError) { _ = try DisplayAvailability.check() }

    /// Whether ``checkDisplay()`` succeeds.
    public static var isDisplayAvailable: Bool { (try? checkDisplay()) != nil }

    /// Opens a window. Waits for the display, some tens of milliseconds, so do not call on an actor.
    ///
    /// - Parameters:
    ///   - title: The text of the title bar.
    ///   - size: The size of the content in the display's points.
    /// - Throws: An error if the display is missing or refuses.
    public init(
        title: String, size: PixelSize, options: VideoWindowOptions = VideoWindowOptions()
    ) throws(VideoWindowError) {
        let library = try DisplayAvailability.check()
        link = WindowLink(title: title, size: size, options: options)
        try DisplayThread.shared.open(link, with: library)
        try link.waitUntilOpen()
    }

    deinit { close() }

    /// Closes the window; ``events`` ends with ``VideoWindowEvent/closed``. Closing again does nothing.
    public func close() { post { $0.closes = true } }

    /// The window's events, for one reader. Of events that nobody reads, the newest 256 are kept.
    public var events: AsyncStream<VideoWindowEvent> { link.events }

    // MARK: Pictures

    /// Shows a picture as soon as possible; of pictures that are not drawn yet only the newest is shown.
    ///
    /// The window keeps the last picture, to draw it again in another size.
    /// - Parameter hostNanoseconds: The host time (`CLOCK_MONOTONIC`) at which the picture should be on the screen.
    ///   Call ``leadTime`` earlier. The time itself only counts for ``statistics``.
    public func show(_ picture: VideoPicture, dueAt hostNanoseconds: Int64) {
        let pending = WindowInbox.PendingPicture(
            picture: picture, due: hostNanoseconds, postedAt: SystemClock.now.nanoseconds,
            foundIdleThread: DisplayThread.shared.isWaiting)
        post { $0.show(pending) }
    }

    /// Removes the picture and its subtitles; the window is black.
    public func removeImage() {
        link.subtitles?.show([], at: 0)
        post { $0.removeImage() }
    }

    /// The time before its own at which a picture should be handed over to ``show(_:dueAt:)``.
    ///
    /// A picture handed over then is on the screen within half a display period of its time. Measured
    /// continuously: the time to prepare a picture and, with a synchronized renderer, half a display period.
    public var leadTime: Duration { .nanoseconds(link.leadTime) }

    /// Counts and measurements.
    public var statistics: VideoWindowStatistics { link.statistics }

    /// Tells once that a picture cannot be drawn.
    func refusePicture(_ reason: String) { link.send(.pictureRefused(reason), once: .pictureRefused) }

    // MARK: Subtitles

    /// Shows the subtitles of a moment, until the next call; an empty list removes them.
    ///
    /// Call for each picture, or at least whenever a cue begins or ends. Passing the same array again is cheap.
    /// Another thread draws the subtitles, so that a demanding script delays no picture; while pictures flow,
    /// a change appears together with a picture. Without libass nothing is drawn, and
    /// ``VideoWindowEvent/subtitlesUnavailable(_:)`` tells so once.
    ///
    /// - Parameters:
    ///   - cues: All cues that the script may show around the time. All have the same header; others are not shown.
    ///     Cues longer than 64 KiB, and all but the last 8192, are left out.
    ///   - milliseconds: The moment in the media's time, as in ``SubtitleCue/start``.
    public func showSubtitles(_ cues: [SubtitleCue], at milliseconds: Int64) {
        let link = link
        if cues.isEmpty, link.subtitles == nil { return }
        let subtitles = link.subtitles {
            SubtitlePipeline(
                onImage: { [weak link] image in
                    if link?.post({ $0.overlay = .set(image) }) == true { DisplayThread.shared.wake() }
                },
                onFailure: { [weak link] reason in
                    link?.send(.subtitlesUnavailable(reason), once: .subtitlesUnavailable)
                })
        }
        subtitles.show(cues, at: milliseconds)
        // The drawing thread tells the pipeline the window's size.
        post { _ in }
    }

    // MARK: Appearance

    /// Changes the text of the title bar.
    public func setTitle(_ title: String) { post { $0.title = title } }

    /// Changes the size of the content, in the display's points. Has no effect in full screen.
    public func setSize(_ size: PixelSize) { post { $0.size = size } }

    /// Changes how pictures fit into the window. The last call counts, of this function or of a layer whose program has set
    /// `videoGravity`.
    public func setGravity(_ gravity: VideoGravity) { post { $0.gravity = gravity } }

    /// Enters or leaves the full screen of the window's display; the display's mode stays.
    public func setFullScreen(_ isFullScreen: Bool) { post { $0.isFullScreen = isFullScreen } }

    /// Keeps the display awake or lets it sleep. The display stays awake while one of the process's windows wants it.
    ///
    /// A layer lets the display sleep while nothing plays. Without a layer, set to `false` then. `false` always counts;
    /// `true` counts until the layer's next change.
    public func setPreventsDisplaySleep(_ prevents: Bool) { post { $0.setPreventsDisplaySleep(prevents) } }

    /// Takes the layer's wish to keep the display awake.
    func setLayerKeepsAwake(_ keepsAwake: Bool) { post { $0.layerKeepsAwake = keepsAwake } }

    // MARK: Pixels

    /// Draws the window, with all work posted before, and reads its pixels back. For tests and screenshots;
    /// takes some milliseconds of the display thread.
    ///
    /// - Throws: A ``VideoWindowError`` if the window is closed or the display refuses.
    public func snapshot() async throws -> WindowSnapshot {
        try await withCheckedThrowingContinuation { continuation in
            guard let id = link.addSnapshot(continuation) else { return }
            post { $0.snapshots.append((id, awaitsSubtitles: true)) }
        }
    }

    private func post(_ change: (inout WindowInbox) -> Void) {
        if link.post(change) { DisplayThread.shared.wake() }
    }
}
