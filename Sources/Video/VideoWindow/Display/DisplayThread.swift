import CTuttiSDL
import Dispatch
import Synchronization
import TuttiSystemIO

/// The thread that alone uses the display, for all windows of the process.
///
/// The thread starts with the first window and stays, as does its connection to the display: graphics drivers have
/// threads of their own, which crash the process if SDL unloads a driver (*observed* with Mesa 22.3). Callable from
/// any thread, but for ``run(_:)``.
final class DisplayThread: Sendable {
    private enum Phase {
        case unstarted
        /// No window is open.
        case sleeping
        case serving
        /// The display was lost.
        case lost
    }

    private struct State {
        var phase = Phase.unstarted
        var links: [WindowLink] = []
        var wakeThread: WakeThread?
    }

    static let shared = DisplayThread()

    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)
    private let isWakePending = Atomic(false)
    private let isInWait = Atomic(false)

    // MARK: Any thread

    /// Opens the window of `link`, which learns the outcome.
    func open(_ link: WindowLink, with library: SDLLibrary) throws(VideoWindowError) {
        let before: Phase = try state.withLock { state throws(VideoWindowError) in
            if state.phase == .lost { throw .displayLost }
            defer { state.phase = .serving }
            state.links.append(link)
            return state.phase
        }
        switch before {
        case .unstarted: try start(library)
        case .sleeping: work.signal()
        case .serving, .lost: wake()
        }
    }

    private func start(_ library: SDLLibrary) throws(VideoWindowError) {
        do {
            let wakeThread = WakeThread(library)
            try wakeThread.start()
            state.withLock { $0.wakeThread = wakeThread }
            try RealtimeThread.start(name: "tutti-display", priority: 0) { [self] _ in run(library) }
        } catch {
            let failure = VideoWindowError.failed(operation: error.operation, message: "\(error)")
            endAll(failure, last: .closed, phase: .unstarted)
            throw failure
        }
    }

    /// Makes the thread check the windows' inboxes; calls before the check count once.
    func wake() {
        guard !isWakePending.exchange(true, ordering: .acquiringAndReleasing) else { return }
        state.withLock { $0.wakeThread }?.signal()
    }

    /// Whether the thread has nothing to do at the moment.
    var isWaiting: Bool { isInWait.load(ordering: .relaxed) }

    /// Ends all windows for their programs. Nothing uses the connection afterwards: a use could wait forever.
    /// Called on any thread that loses the display.
    func displayWasLost() {
        endAll(.displayLost, last: .displayLost, phase: .lost)
        // SDL repeats a wait for events that failed, until there is one.
        state.withLock { $0.wakeThread }?.signal()
    }

    private func endAll(_ error: VideoWindowError, last: VideoWindowEvent, phase: Phase) {
        let links = state.withLock { state in
            state.phase = phase
            defer { state.links = [] }
            return state.links
        }
        for link in links { link.end(error, last: last) }
    }

    // MARK: The display thread

    private func run(_ library: SDLLibrary) {
        tutti_x11_join_guard()
        var loop: DisplayLoop?
        while true {
            do throws(VideoWindowError) {
                if loop == nil { loop = try DisplayLoop(library, host: self) }
                if loop?.run() == .lost { return }
            } catch {
                // The next window tries again.
                endAll(error, last: .closed, phase: .serving)
            }
            let isDone = state.withLock { state in
                guard state.links.isEmpty else { return false }
                state.phase = .sleeping
                return true
            }
            if isDone { work.wait() }
        }
    }

    /// The windows that are wanted. Looking answers all wake-ups until then.
    func links() -> [WindowLink] {
        _ = isWakePending.exchange(false, ordering: .acquiringAndReleasing)
        return state.withLock { $0.links }
    }

    /// Forgets a window that is closed or could not be opened.
    func remove(_ link: WindowLink) { state.withLock { state in state.links.removeAll { $0 === link } } }

    /// Runs a wait for events, during which the thread counts as waiting.
    func waiting<Result>(_ wait: () -> Result) -> Result {
        isInWait.store(true, ordering: .relaxed)
        defer { isInWait.store(false, ordering: .relaxed) }
        return wait()
    }

    /// Whether the display was lost; check this after ``allowingFailure(_:)``, before the next use of SDL.
    var isLost: Bool { state.withLock { $0.phase == .lost } }

    /// Calls functions of SDL that return even if the display is lost meanwhile: waits for events, and drawing.
    static func allowingFailure<Result>(_ body: () -> Result) -> Result {
        tutti_x11_allow_failure(true)
        defer { tutti_x11_allow_failure(false) }
        return body()
    }
}
