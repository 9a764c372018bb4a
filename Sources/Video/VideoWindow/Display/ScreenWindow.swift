import CTuttiSDL
import TuttiMediaTime
import TuttiSystemIO

/// An open window. Belongs to the display thread.
final class ScreenWindow {
    let link: WindowLink
    let id: UInt32
    private(set) var isClosed = false
    private let host: DisplayThread
    private let library: SDLLibrary
    private let window: OpaquePointer
    private let canvas: Canvas
    private var gravity: VideoGravity
    private var awakeWishes: AwakeWishes
    private var timing: PresentationTiming
    private var schedule = RedrawSchedule()
    /// The picture that is shown, for another drawing of it.
    private var picture: VideoPicture?
    /// Whether the picture is in the canvas: not while the window is hidden.
    private var isUploaded = false
    private var size: PixelSize
    private var isFullScreen: Bool
    private var hertz: Int

    /// The smallest size in the display's points.
    private static let smallest: Int32 = 64

    private var sdl: tutti_sdl_functions { library.functions }

    /// Opens the window that `link` describes.
    init(_ link: WindowLink, library: SDLLibrary, host: DisplayThread) throws(VideoWindowError) {
        (self.link, self.library, self.host) = (link, library, host)
        let sdl = library.functions
        let options = link.options
        // Shown when its renderer is made, because some renderers need another kind of window.
        var flags =
            SDL_WINDOW_HIDDEN.rawValue | SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
        if options.isFullScreen { flags |= SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue }
        let made = sdl.SDL_CreateWindow(
            link.title, tutti_sdl_window_centered, tutti_sdl_window_centered,
            Int32(clamping: link.size.width),
            Int32(clamping: link.size.height), flags)
        guard let made else { throw library.failure(of: "SDL_CreateWindow") }
        tutti_x11_guard_window(made)
        window = made
        do throws(VideoWindowError) {
            canvas = try Canvas(for: made, renderer: options.renderer, library: library)
        } catch {
            sdl.SDL_DestroyWindow(made)
            throw error
        }
        sdl.SDL_SetWindowMinimumSize(made, Self.smallest, Self.smallest)
        id = sdl.SDL_GetWindowID(made)
        gravity = options.gravity
        awakeWishes = AwakeWishes(program: options.preventsDisplaySleep)
        isFullScreen = options.isFullScreen
        size = canvas.size
        hertz = Self.hertz(of: made, sdl)
        timing = PresentationTiming(hertz: hertz, isSynchronized: canvas.renderer.isSynchronized)
        sdl.SDL_ShowWindow(made)
        redraw()
        let (name, isSynchronized, period) =
            (canvas.renderer.name, canvas.renderer.isSynchronized, timing.displayPeriod)
        link.updateStatistics(leadTime: timing.leadTime) { statistics in
            statistics.rendererName = name
            statistics.isSynchronized = isSynchronized
            statistics.displayPeriod = period
        }
    }

    /// The refreshes per second of the window's display; 0 if unknown.
    private static func hertz(of window: OpaquePointer, _ sdl: tutti_sdl_functions) -> Int {
        var mode = SDL_DisplayMode()
        let display = sdl.SDL_GetWindowDisplayIndex(window)
        guard display >= 0, sdl.SDL_GetCurrentDisplayMode(display, &mode) == 0 else { return 0 }
        return Int(mode.refresh_rate)
    }

    // MARK: Work

    /// The host time of the next ``work(at:)`` without new work; `nil` for none.
    var deadline: Int64? { schedule.deadline }

    var preventsDisplaySleep: Bool { awakeWishes.keepsAwake }

    /// Does what the inbox demands.
    func work(at now: Int64) {
        let inbox = link.takeInbox()
        if inbox.closes { return close() }
        apply(inbox, at: now)
        switch inbox.image {
        case .unchanged: break
        case .remove:
            picture = nil
            canvas.removePicture()
            schedule.noteChange(at: now)
        case .show(let pending): show(pending)
        }
        for (id, awaitsSubtitles) in inbox.snapshots { answerSnapshot(id, awaitsSubtitles) }
        link.subtitles?.setViewport(viewport)
        if let deadline = schedule.deadline, deadline <= now { redraw() }
    }

    private func apply(_ inbox: WindowInbox, at now: Int64) {
        if let title = inbox.title { sdl.SDL_SetWindowTitle(window, title) }
        if let size = inbox.size {
            sdl.SDL_SetWindowSize(window, Int32(clamping: size.width), Int32(clamping: size.height))
        }
        awakeWishes.apply(inbox)
        if let isFullScreen = inbox.isFullScreen { setFullScreen(isFullScreen) }
        if let gravity = inbox.gravity, gravity != self.gravity {
            self.gravity = gravity
            schedule.noteChange(at: now)
        }
        if case .set(let image) = inbox.overlay {
            canvas.setSubtitles(image)
            schedule.noteChange(at: now)
        }
    }

    private func close() {
        isClosed = true
        host.remove(link)
        canvas.close()
        sdl.SDL_DestroyWindow(window)
        link.end(.closed, last: .closed)
    }

    // MARK: Drawing

    /// Where subtitles belong, as last drawn.
    private lazy var viewport = SubtitleViewport(window: size)

    private var isHidden: Bool {
        sdl.SDL_GetWindowFlags(window) & (SDL_WINDOW_HIDDEN.rawValue | SDL_WINDOW_MINIMIZED.rawValue) != 0
    }

    private func show(_ pending: WindowInbox.PendingPicture) {
        picture = pending.picture
        isUploaded = false
        let start = pending.foundIdleThread ? pending.postedAt : SystemClock.now.nanoseconds
        guard !isHidden, draw() else {
            return link.updateStatistics(leadTime: timing.leadTime) { $0.droppedCount += 1 }
        }
        timing.noteUpload(nanoseconds: SystemClock.now.nanoseconds - start)
        present(isPicture: true)
        let timing = timing
        link.updateStatistics(leadTime: timing.leadTime) { statistics in
            statistics.notePicture(
                shownAt: statistics.lastPresentationTime, due: pending.due, timing: timing)
        }
    }

    /// Draws everything, not yet visibly. Returns whether the picture is part of the drawing.
    private func draw() -> Bool {
        DisplayThread.allowingFailure {
            let hasPicture = upload()
            viewport = canvas.draw(gravity: gravity)
            return hasPicture
        }
    }

    private func upload() -> Bool {
        guard let picture, !isUploaded else { return isUploaded }
        do throws(VideoWindowError) {
            try canvas.upload(picture)
            isUploaded = true
        } catch {
            link.send(.pictureRefused("\(error)"), once: .pictureRefused)
        }
        return isUploaded
    }

    /// Draws again what is shown, such as in another size.
    func redraw() {
        if isHidden { return schedule.noteDrawing(isPicture: false, at: SystemClock.now.nanoseconds) }
        _ = draw()
        present(isPicture: false)
        link.subtitles?.setViewport(viewport)
    }

    private func present(isPicture: Bool) {
        let start = SystemClock.now.nanoseconds
        DisplayThread.allowingFailure { canvas.present() }
        let end = SystemClock.now.nanoseconds
        timing.notePresentation(from: start, to: end)
        schedule.noteDrawing(isPicture: isPicture, at: end)
        let timing = timing
        link.updateStatistics(leadTime: timing.leadTime) { $0.notePresentation(at: end, timing: timing) }
    }

    /// Makes the textures again after the graphics hardware lost them.
    func restoreTextures() {
        canvas.removeTextures()
        isUploaded = false
        redraw()
    }

    private func answerSnapshot(_ id: Int, _ awaitsSubtitles: Bool) {
        _ = draw()
        if awaitsSubtitles, let subtitles = link.subtitles {
            subtitles.setViewport(viewport)
            let link = link
            return subtitles.afterDrawing {
                if link.post({ $0.snapshots.append((id, awaitsSubtitles: false)) }) {
                    DisplayThread.shared.wake()
                }
            }
        }
        let result = DisplayThread.allowingFailure {
            Result { () throws(VideoWindowError) in try canvas.readPixels() }
        }
        present(isPicture: false)
        link.answerSnapshot(id, with: result)
    }

    // MARK: Events

    func handle(_ event: SDL_WindowEvent) {
        switch SDL_WindowEventID(UInt32(event.event)) {
        case SDL_WINDOWEVENT_CLOSE: link.send(.closeRequested)
        case SDL_WINDOWEVENT_SIZE_CHANGED, SDL_WINDOWEVENT_EXPOSED, SDL_WINDOWEVENT_RESTORED,
            SDL_WINDOWEVENT_SHOWN:
            schedule.noteChange(at: SystemClock.now.nanoseconds)
            noteSize()
        case SDL_WINDOWEVENT_DISPLAY_CHANGED: noteDisplay()
        default: break
        }
    }

    private func noteSize() {
        let isFullScreen = sdl.SDL_GetWindowFlags(window) & SDL_WINDOW_FULLSCREEN.rawValue != 0
        if isFullScreen != self.isFullScreen {
            self.isFullScreen = isFullScreen
            link.send(.fullScreenChanged(isFullScreen))
        }
        if canvas.size != size {
            size = canvas.size
            link.send(.sizeChanged(size))
        }
    }

    /// Another display may have another rate.
    private func noteDisplay() {
        let hertz = Self.hertz(of: window, sdl)
        guard hertz != self.hertz else { return }
        self.hertz = hertz
        timing.setDisplay(hertz: hertz)
    }

    func handle(_ event: SDL_KeyboardEvent) {
        guard let press = KeyPress(event) else { return }
        guard press.key == .f, link.options.togglesFullScreen, !press.isControlled else {
            return link.send(.key(press))
        }
        if !press.isRepeat { setFullScreen(!isFullScreen) }
    }

    func handle(_ event: SDL_MouseButtonEvent) {
        let isDoubleClick = Int32(event.button) == SDL_BUTTON_LEFT && event.clicks == 2
        if isDoubleClick, link.options.togglesFullScreen { setFullScreen(!isFullScreen) }
    }

    private func setFullScreen(_ isFullScreen: Bool) {
        guard isFullScreen != self.isFullScreen else { return }
        let flags = isFullScreen ? SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue : 0
        _ = sdl.SDL_SetWindowFullscreen(window, flags)
        noteSize()
        schedule.noteChange(at: SystemClock.now.nanoseconds)
    }
}
