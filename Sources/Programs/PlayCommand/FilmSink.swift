import AVFoundation
import Synchronization

/// The way of a film's pictures to its window. Until the window is open, the last picture, texts and settings are kept for
/// it. Any thread.
final class FilmSink: TuttiVideoFrameSink {
    private struct State {
        var window: (any TuttiVideoFrameSink)?
        var frame: CMSampleBuffer?
        var texts: [TuttiSubtitle] = []
        var gravity: AVLayerVideoGravity?
        var keepsAwake: Bool?
        var handleNotice: @Sendable (TuttiPictureNotice) -> Void = { _ in }
    }

    private let state = Mutex(State())

    /// Sets the receiver of notices.
    func setNoticeHandler(_ body: @escaping @Sendable (TuttiPictureNotice) -> Void) {
        state.withLock { $0.handleNotice = body }
    }

    /// Shows the kept picture, and all that follow, in an open window.
    func attach(_ window: any TuttiVideoFrameSink) {
        // With the lock held, so that no later picture overtakes the kept one; the window only takes note of it.
        state.withLock { state in
            state.window = window
            if let gravity = state.gravity.take() { window.setVideoGravity(gravity) }
            if let keepsAwake = state.keepsAwake.take() { window.setKeepsDisplayAwake(keepsAwake) }
            if let frame = state.frame.take() { window.show(frame) }
            if !state.texts.isEmpty { window.show(state.texts) }
            state.texts = []
        }
    }

    /// Lets go of the window.
    func detach() { state.withLock { $0.window = nil } }

    var leadTime: Duration { state.withLock { $0.window }?.leadTime ?? .zero }

    func show(_ frame: CMSampleBuffer) { show(frame, at: .invalid) }

    func show(_ frame: CMSampleBuffer, at hostTime: CMTime) {
        let window = state.withLock { state in
            if state.window == nil { state.frame = frame }
            return state.window
        }
        window?.show(frame, at: hostTime)
    }

    func show(_ subtitles: [TuttiSubtitle]) {
        let window = state.withLock { state in
            if state.window == nil { state.texts = subtitles }
            return state.window
        }
        window?.show(subtitles)
    }

    func removeImage() {
        let window = state.withLock { state in
            (state.frame, state.texts) = (nil, [])
            return state.window
        }
        window?.removeImage()
    }

    func setVideoGravity(_ gravity: AVLayerVideoGravity) {
        let window = state.withLock { state in
            if state.window == nil { state.gravity = gravity }
            return state.window
        }
        window?.setVideoGravity(gravity)
    }

    func setKeepsDisplayAwake(_ keepsAwake: Bool) {
        let window = state.withLock { state in
            if state.window == nil { state.keepsAwake = keepsAwake }
            return state.window
        }
        window?.setKeepsDisplayAwake(keepsAwake)
    }

    func note(_ notice: TuttiPictureNotice) { state.withLock { $0.handleNotice }(notice) }
}
