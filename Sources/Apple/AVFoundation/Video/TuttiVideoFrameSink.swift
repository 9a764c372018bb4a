import CoreMedia
import Foundation

/// A receiver of due pictures, which a host toolkit adopts to show them, as the window of the module VideoWindow does.
/// Tutti's extension.
///
/// One call at a time is made, on a queue of Tutti's and without a lock held. A call should return within the time between
/// two pictures; otherwise later pictures are late.
public protocol TuttiVideoFrameSink: AnyObject, Sendable {
    /// Seconds by which a frame is handed over before its time: half a display period where the display shows frames at
    /// its own instants, and the time that drawing takes. 0 by default.
    var leadTime: Duration { get }

    /// Shows a frame that is due. Its `imageBuffer` is the picture; a frame whose encoding Tutti cannot decode comes as
    /// it was enqueued.
    func show(_ frame: CMSampleBuffer)

    /// Shows a frame that is due at a time of the host clock, ``leadTime`` from now unless it is late.
    ///
    /// - Parameter hostTime: Invalid for a frame to be shown at once and held, as while playback is paused.
    func show(_ frame: CMSampleBuffer, at hostTime: CMTime)

    /// Skips a frame because a later frame is due too, or because the frame is marked not to be shown.
    func skip(_ frame: CMSampleBuffer)

    /// Shows texts instead of the present ones; none for no text. Only a player's layer has texts.
    func show(_ subtitles: [TuttiSubtitle])

    /// Removes the shown image and texts.
    func removeImage()

    /// Fits pictures into the sink's place in another way: the layer's `videoGravity`.
    ///
    /// Called when the program sets that property, and before the first picture if it was set earlier. A sink whose layer's
    /// property the program never sets keeps its own way.
    func setVideoGravity(_ gravity: AVLayerVideoGravity)

    /// Keeps the display awake or lets it sleep. Called before the first picture and at each change.
    ///
    /// - Parameter keepsAwake: `true` while pictures play, or wait to play; `false` while playback is paused or without
    ///   pictures, and while `preventsDisplaySleepDuringVideoPlayback` of the player or the layer is `false`.
    func setKeepsDisplayAwake(_ keepsAwake: Bool)

    /// Takes a notice about an item's pictures; the same one comes once for each item. Only a player's layer has notices.
    func note(_ notice: TuttiPictureNotice)
}

/// A notice about the pictures of an item, whose sound plays on. Tutti's extension.
public enum TuttiPictureNotice: Hashable, Sendable {
    /// The pictures cannot be read or decoded, for the reason in the sentence.
    case failed(String)
    /// The graphics device does not decode this film, so the processor does. The name is FFmpeg's for the codec.
    case decodedInSoftware(codec: String)
}

extension TuttiVideoFrameSink {
    public var leadTime: Duration { .zero }
    public func show(_ frame: CMSampleBuffer, at hostTime: CMTime) { show(frame) }
    public func skip(_ frame: CMSampleBuffer) {}
    public func show(_ subtitles: [TuttiSubtitle]) {}
    public func setVideoGravity(_ gravity: AVLayerVideoGravity) {}
    public func setKeepsDisplayAwake(_ keepsAwake: Bool) {}
    public func note(_ notice: TuttiPictureNotice) {}
}
