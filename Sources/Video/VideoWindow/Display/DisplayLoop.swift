import CTuttiSDL
import TuttiMediaTime
import TuttiSystemIO

/// The connection to the display and its open windows. Belongs to the display thread.
final class DisplayLoop {
    enum Outcome {
        /// All windows are closed.
        case finished
        /// The display was lost.
        case lost
    }

    let library: SDLLibrary
    private let host: DisplayThread
    private var windows: [ScreenWindow] = []
    private var cursor: CursorTimer
    private var isDisplayKeptAwake = false

    /// Settings of SDL that the windows rely on.
    private static let hints = [
        // The program handles signals and decides when it ends.
        (SDL_HINT_NO_SIGNAL_HANDLERS, "1"), (SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0"),
        // A window decides whether the display may sleep.
        (SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1"), (SDL_HINT_APP_NAME, "Tutti"),
        // The compositor shows whole pictures; and full screen stays while another window has the focus.
        (SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0"), (SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0"),
    ]

    private static let wayland = "wayland"
    private static let screenless = ["offscreen", "dummy"]

    /// SDL's name of the way to the display.
    private var driver: String? {
        library.functions.SDL_GetCurrentVideoDriver().map { String(cString: $0) }
    }

    /// Connects to the display.
    init(_ library: SDLLibrary, host: DisplayThread) throws(VideoWindowError) {
        (self.library, self.host) = (library, host)
        cursor = CursorTimer(at: SystemClock.now.nanoseconds)
        let sdl = library.functions
        sdl.SDL_LogSetOutputFunction({ _, _, _, _ in }, nil)
        sdl.SDL_SetMainReady()
        for (name, value) in Self.hints { _ = sdl.SDL_SetHint(name, value) }
        tutti_x11_guard_connection { DisplayThread.shared.displayWasLost() }
        guard sdl.SDL_InitSubSystem(tutti_sdl_init_video) == 0 else {
            throw library.failure(of: "SDL_InitSubSystem")
        }
        tutti_x11_guard_connection { DisplayThread.shared.displayWasLost() }
        tutti_x11_guard_requests()
        // The software renderer draws into the window's memory, not through OpenGL; SDL lacks that on Wayland.
        if driver != Self.wayland { _ = sdl.SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0") }
        // SDL's drivers without a screen stand in silently for a display that does not answer.
        if !DisplayAvailability.isDriverNamed, let driver, Self.screenless.contains(driver) {
            sdl.SDL_QuitSubSystem(tutti_sdl_init_video)
            throw .failed(operation: "SDL_InitSubSystem", message: "no display answers")
        }
    }

    /// Serves the windows until none is left.
    func run() -> Outcome {
        while true {
            openWindows()
            let now = SystemClock.now.nanoseconds
            if cursor.handleTimeout(at: now) { _ = library.functions.SDL_ShowCursor(SDL_DISABLE) }
            for window in windows where !host.isLost { window.work(at: now) }
            if host.isLost { return .lost }
            windows.removeAll(where: \.isClosed)
            updateScreenSaver()
            if windows.isEmpty { return .finished }
            waitForEvent()
            while let event = nextEvent() { handle(event) }
            if host.isLost { return .lost }
        }
    }

    /// Opens the windows that are newly wanted.
    private func openWindows() {
        for link in host.links() where !windows.contains(where: { $0.link === link }) {
            do throws(VideoWindowError) {
                windows.append(try ScreenWindow(link, library: library, host: host))
                link.didOpen()
            } catch {
                host.remove(link)
                link.end(error, last: .closed)
            }
        }
    }

    private func updateScreenSaver() {
        let keepsAwake = windows.contains(where: \.preventsDisplaySleep)
        guard keepsAwake != isDisplayKeptAwake else { return }
        isDisplayKeptAwake = keepsAwake
        if keepsAwake {
            library.functions.SDL_DisableScreenSaver()
        } else {
            library.functions.SDL_EnableScreenSaver()
        }
    }

    // MARK: Events

    /// Waits for an event or the next deadline.
    private func waitForEvent() {
        let sdl = library.functions
        let deadlines = windows.compactMap(\.deadline) + [cursor.deadline].compactMap(\.self)
        // Rounded up, so that the deadline has passed after the wait.
        let milliseconds = deadlines.min().map { ($0 - SystemClock.now.nanoseconds + 999_999) / 1_000_000 }
        DisplayThread.allowingFailure {
            host.waiting {
                if let milliseconds {
                    _ = sdl.SDL_WaitEventTimeout(nil, Int32(clamping: max(0, milliseconds)))
                } else {
                    _ = sdl.SDL_WaitEvent(nil)
                }
            }
        }
    }

    private func nextEvent() -> SDL_Event? {
        if host.isLost { return nil }
        var event = SDL_Event()
        let hasEvent = DisplayThread.allowingFailure { library.functions.SDL_PollEvent(&event) != 0 }
        return hasEvent ? event : nil
    }

    private func handle(_ event: SDL_Event) {
        switch SDL_EventType(event.type) {
        case SDL_QUIT: handleQuit()
        case SDL_MOUSEMOTION:
            if cursor.noteMovement(at: SystemClock.now.nanoseconds) {
                _ = library.functions.SDL_ShowCursor(SDL_ENABLE)
            }
        case SDL_WINDOWEVENT: window(event.window.windowID)?.handle(event.window)
        case SDL_KEYDOWN: window(event.key.windowID)?.handle(event.key)
        case SDL_MOUSEBUTTONDOWN: window(event.button.windowID)?.handle(event.button)
        case SDL_RENDER_TARGETS_RESET: for window in windows { window.redraw() }
        case SDL_RENDER_DEVICE_RESET: for window in windows { window.restoreTextures() }
        default: break
        }
    }

    /// On Wayland SDL reports a lost connection as a wish to quit; elsewhere the session's manager asks.
    private func handleQuit() {
        if driver == Self.wayland { return host.displayWasLost() }
        for window in windows { window.link.send(.closeRequested) }
    }

    private func window(_ id: UInt32) -> ScreenWindow? { windows.first { $0.id == id } }
}
