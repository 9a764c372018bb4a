import Dispatch
import Synchronization

/// The drawing of a window's subtitles on its own queue, so that a demanding script delays no picture.
///
/// Callable from any thread; newer work replaces older work that has not begun.
final class SubtitlePipeline: Sendable {
    private struct State {
        var cues: [SubtitleCue] = []
        var milliseconds: Int64 = 0
        var viewport: SubtitleViewport?
        var isScheduled = false
    }

    /// libass, as far as it was loaded.
    private enum Engine {
        case unloaded
        case loaded(SubtitleRenderer)
        case missing
    }

    private let state = Mutex(State())
    /// Used on the queue only; the lock is never contended.
    private let engine = Mutex(Engine.unloaded)
    private let queue = DispatchQueue(label: "tutti.subtitles", qos: .userInitiated)
    private let onImage: @Sendable (SubtitleImage?) -> Void
    private let onFailure: @Sendable (String) -> Void

    /// - Parameters:
    ///   - onImage: Receives the drawing when it changes, on the queue.
    ///   - onFailure: Receives the reason why nothing will be drawn, at most once.
    init(
        onImage: @escaping @Sendable (SubtitleImage?) -> Void,
        onFailure: @escaping @Sendable (String) -> Void
    ) {
        (self.onImage, self.onFailure) = (onImage, onFailure)
    }

    func show(_ cues: [SubtitleCue], at milliseconds: Int64) {
        update { state in (state.cues, state.milliseconds) = (cues, milliseconds) }
    }

    /// Tells the window's size and the picture's place; the display thread knows them.
    func setViewport(_ viewport: SubtitleViewport) {
        if state.withLock({ $0.viewport != viewport }) { update { $0.viewport = viewport } }
    }

    /// Calls `body` after all work until now, on the queue.
    func afterDrawing(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    private func update(_ change: (inout State) -> Void) {
        let isNew = state.withLock { state in
            change(&state)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isNew { queue.async { [self] in draw() } }
    }

    private func draw() {
        dispatchPrecondition(condition: .onQueue(queue))
        let (cues, milliseconds, viewport) = state.withLock { state in
            state.isScheduled = false
            return (state.cues, state.milliseconds, state.viewport)
        }
        guard let viewport else { return }
        engine.withLock { engine in
            if case .unloaded = engine { load(&engine) }
            guard case .loaded(let renderer) = engine else { return }
            let drawing = renderer.draw(cues, at: milliseconds, in: viewport)
            if case .image(let image) = drawing { onImage(image) }
        }
    }

    private func load(_ engine: inout Engine) {
        do throws(SubtitleFailure) {
            engine = .loaded(try SubtitleRenderer())
        } catch {
            engine = .missing
            onFailure(error.sentence)
        }
    }
}
