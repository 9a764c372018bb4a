import AVFoundation
import Playback
import TuttiSystemIO

/// A layer's pictures and texts, shown in the window: `layer.tuttiFrameSink = window`.
extension VideoWindow: TuttiVideoFrameSink {
    /// Shows a frame's `imageBuffer` at once. Formats other than 4:2:0 of 8 bits and BGRA are converted, on the calling
    /// thread; a frame without a picture, or in a format that cannot be converted, is not shown, and ``VideoWindowEvent/pictureRefused(_:)`` tells so once.
    public func show(_ frame: CMSampleBuffer) { show(frame, at: .invalid) }

    /// Shows a frame at a time of the host clock; at once if the time is invalid.
    public func show(_ frame: CMSampleBuffer, at hostTime: CMTime) {
        guard let buffer = frame.imageBuffer else {
            return refusePicture("No decoder knows the frame's encoding.")
        }
        let shown: CVPixelBuffer
        do {
            shown = try maker.withLock { try $0.make(forScreen: buffer) }
        } catch {
            return refusePicture("\(error)")
        }
        guard let picture = VideoPicture(shown) else {
            return refusePicture("The picture's planes are shorter than its size demands.")
        }
        let due = hostTime.isNumeric ? hostTime.convertScale(1_000_000_000, method: .default).value : nil
        show(picture, dueAt: due ?? SystemClock.now.nanoseconds + leadTime.wholeNanoseconds)
    }

    /// Shows texts instead of the present ones.
    public func show(_ subtitles: [TuttiSubtitle]) {
        let cues = subtitles.map { subtitle in
            SubtitleCue(
                start: Int64(subtitle.start), duration: Int64(subtitle.end - subtitle.start),
                text: subtitle.scriptEvent, header: subtitle.scriptHeader)
        }
        showSubtitles(cues, at: SubtitleCue.drawingTime(of: cues))
    }

    /// Fits pictures into the window as the layer's program wants; see ``setGravity(_:)``.
    public func setVideoGravity(_ gravity: AVLayerVideoGravity) {
        switch gravity {
        case .resize: setGravity(.resize)
        case .resizeAspectFill: setGravity(.resizeAspectFill)
        default: setGravity(.resizeAspect)
        }
    }

    /// Lets the display sleep while the layer does not need it; see ``setPreventsDisplaySleep(_:)``.
    public func setKeepsDisplayAwake(_ keepsAwake: Bool) { setLayerKeepsAwake(keepsAwake) }
}
