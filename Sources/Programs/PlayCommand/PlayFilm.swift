import AVFoundation
import VideoWindow

/// The window of `tutti play`: opens with the first film and shows the pictures of whatever the player plays.
///
/// All calls belong to the player's queue. Nothing that happens to the window affects the sound.
final class PlayFilm: @unchecked Sendable {
    // Safe to share: the variables are touched only on `queue`; the rest is immutable and Sendable.

    /// The wishes of the command line.
    struct Options: Sendable {
        enum Mode: Sendable {
            /// A window if there is a display, else only sound.
            case automatic
            /// Only sound.
            case never
        }

        var mode = Mode.automatic
        var isFullScreen = false
        /// A subtitle file, or the language of an embedded track; `nil` for a file in the film's folder.
        var subtitles: String?
        var showsSubtitles = true
    }

    private enum Phase {
        case closed
        case opening
        case open(VideoWindow)
        /// No window can be opened, or the display was lost.
        case failed
    }

    private let options: Options
    private let queue: DispatchQueue
    private let layer: AVPlayerLayer
    private let sink = FilmSink()
    private let report: any PlayReport
    private let perform: @Sendable (PlayRequest) -> Void
    private var phase = Phase.closed
    private var events: Task<Void, Never>?
    private var title = ""
    private var hasEnded = false
    private var subtitles = PlaySubtitles()
    /// Codecs that the graphics device does not decode, which were already reported.
    private var softwareCodecs: Set<String> = []
    /// The titles of items that are ready; the next one is ready while the current one plays.
    private var titles: [ObjectIdentifier: String] = [:]
    private weak var presented: AVPlayerItem?
    private var token: NSKeyValueObservation?

    init(
        options: Options, player: AVPlayer, queue: DispatchQueue, report: any PlayReport,
        perform: @escaping @Sendable (PlayRequest) -> Void
    ) {
        (self.options, self.queue, self.report, self.perform) = (options, queue, report, perform)
        layer = AVPlayerLayer(player: player)
        sink.setNoticeHandler { [weak self] notice in
            guard let self else { return }
            self.queue.async { self.handle(notice) }
        }
        token = player.observe(\.currentItem) { [weak self] _, _ in
            guard let self else { return }
            self.queue.async { self.present() }
        }
    }

    /// Notes that an item is ready. A film is shown when it becomes the current item; the first film opens the window.
    func show(_ item: AVPlayerItem, title: String) {
        // A list may have thousands of items, but few of them are ready.
        if titles.count > 64 { titles = [:] }
        titles[ObjectIdentifier(item)] = title
        present()
    }

    /// Shows the player's current item, if it is ready.
    private func present() {
        guard options.mode != .never, !hasEnded, let item = layer.player?.currentItem, item !== presented,
            let title = titles.removeValue(forKey: ObjectIdentifier(item))
        else { return }
        presented = item
        if let notice = item.tuttiPictureNotice { return handle(notice) }
        guard item.presentationSize != .zero else { return }
        self.title = title
        chooseSubtitles(of: item)
        switch phase {
        case .closed: open(size: item.presentationSize)
        case .open(let window): window.setTitle(title)
        case .opening, .failed: break
        }
    }

    /// Closes the window.
    func end() {
        hasEnded = true
        events?.cancel()
        layer.tuttiFrameSink = nil
        sink.detach()
        if case .open(let window) = phase {
            window.close()
            report.show(.pictures(PlayPictures(layer.tuttiPictureCounts, window.statistics)))
        }
        phase = .failed
    }

    /// Lets the display sleep while playback is paused.
    func setPaused(_ isPaused: Bool) {
        if case .open(let window) = phase { window.setPreventsDisplaySleep(!isPaused) }
    }

    func setFullScreen(_ isFullScreen: Bool) {
        guard case .open(let window) = phase else { return report.warn("no-window", "there is no window") }
        window.setFullScreen(isFullScreen)
    }

    // MARK: The window

    private func open(size: CGSize) {
        do throws(VideoWindowError) {
            try VideoWindow.checkDisplay()
        } catch {
            phase = .failed
            return report.warn("no-window", "only the sound is played. \(error)")
        }
        phase = .opening
        // Pictures are decoded while the window opens.
        layer.tuttiFrameSink = sink
        var wishes = VideoWindowOptions()
        wishes.isFullScreen = options.isFullScreen
        let (title, pixels) = (title, Self.windowSize(for: size))
        // Opening waits for the display, and the player's queue must not.
        DispatchQueue.global().async { [self, wishes] in
            let result = Result { () throws(VideoWindowError) in
                try VideoWindow(title: title, size: pixels, options: wishes)
            }
            queue.async { [self] in opened(result) }
        }
    }

    private func opened(_ result: Result<VideoWindow, VideoWindowError>) {
        switch result {
        case .success(let window):
            guard !hasEnded else { return window.close() }
            phase = .open(window)
            window.setTitle(title)
            sink.attach(window)
            events = Task { [weak self] in
                for await event in window.events {
                    guard let self else { return }
                    self.queue.async { self.handle(event) }
                }
            }
        case .failure(let error):
            phase = .failed
            layer.tuttiFrameSink = nil
            report.warn("no-window", "only the sound is played. \(error)")
        }
    }

    /// The size of a new window: that of the pictures, or less for large ones.
    static func windowSize(for size: CGSize) -> PixelSize {
        let scale = min(1, 1280 / max(1, size.width), 720 / max(1, size.height))
        return PixelSize(
            width: max(64, Int((size.width * scale).rounded())),
            height: max(64, Int((size.height * scale).rounded())))
    }

    private func handle(_ event: VideoWindowEvent) {
        guard !hasEnded else { return }
        switch event {
        case .key(let press): if let request = Self.request(for: press) { perform(request) }
        case .closeRequested: perform(.quit)
        case .subtitlesUnavailable(let reason): report.warn("no-subtitles", reason)
        case .pictureRefused(let reason): report.warn("no-picture", reason)
        case .displayLost:
            layer.tuttiFrameSink = nil
            sink.detach()
            phase = .failed
            report.warn("display-lost", "the display is gone; the sound plays on")
        case .closed, .sizeChanged, .fullScreenChanged: break
        }
    }

    private func handle(_ notice: TuttiPictureNotice) {
        guard !hasEnded else { return }
        switch notice {
        case .failed(let reason): report.warn("no-picture", "\(reason); the sound plays on")
        case .decodedInSoftware(let codec):
            guard softwareCodecs.insert(codec).inserted else { return }
            report.warn(
                "software-decoding", "the graphics device does not decode \(codec); the processor does")
        }
    }

    /// The keys of a window: the terminal's keys, and keys that only pictures need.
    static func request(for press: KeyPress) -> PlayRequest? {
        switch press.key {
        case .c where press.isControlled: .quit
        case _ where press.isControlled: nil
        case .space: .toggle
        case .left: .skip(-10)
        case .right: .skip(10)
        case .up: .louder(5)
        case .down: .louder(-5)
        case .n: .next
        case .p: .previous
        case .q, .escape: .quit
        case .period: .step(1)
        case .comma: .step(-1)
        case .rightBracket: .faster(1.25)
        case .leftBracket: .faster(0.8)
        case .backspace: .rate(1)
        case .m: .mute
        case .s: .subtitles
        default: nil
        }
    }

    // MARK: Subtitles

    private func chooseSubtitles(of item: AVPlayerItem) {
        guard options.showsSubtitles else { return subtitles = PlaySubtitles() }
        subtitles = PlaySubtitles(item: item)
        if let path = options.subtitles, FileManager.default.fileExists(atPath: path) {
            subtitles.add(path)
            return showSubtitles(.file(path), of: item)
        }
        if options.subtitles == nil, let first = subtitles.files.first {
            showSubtitles(.file(first), of: item)
        }
        let language = options.subtitles
        Task { [weak self] in
            guard let group = await PlaySubtitles.embedded(in: item), let self else { return }
            self.queue.async { self.found(group, in: item, language: language) }
        }
    }

    private func found(_ group: AVMediaSelectionGroup, in item: AVPlayerItem, language: String?) {
        guard subtitles.item === item else { return }
        subtitles.group = group
        guard let language else { return }
        let wanted = Locale(identifier: language)
        if let option = AVMediaSelectionGroup.mediaSelectionOptions(from: group.options, with: wanted).first {
            showSubtitles(.option(option), of: item)
        } else {
            report.warn("no-subtitles", "there is no subtitle file and no subtitle track '\(language)'")
        }
    }

    /// Shows the film's next subtitles: none, then the files, then the film's own tracks.
    func showNextSubtitles() {
        guard let item = subtitles.item else { return }
        showSubtitles(subtitles.next, of: item)
    }

    private func showSubtitles(_ choice: PlaySubtitles.Choice, of item: AVPlayerItem) {
        subtitles.choice = choice
        do throws(AVError) {
            switch choice {
            case .none: try item.tuttiShowSubtitles(ofFile: nil)
            case .file(let path): try item.tuttiShowSubtitles(ofFile: path)
            case .option(let option):
                if let group = subtitles.group { item.select(option, in: group) }
            }
        } catch {
            report.warn("no-subtitles", error.localizedDescription)
        }
    }
}

/// The subtitles of a film, from which the user chooses.
struct PlaySubtitles {
    enum Choice: Equatable {
        case none
        case file(String)
        case option(AVMediaSelectionOption)
    }

    private(set) weak var item: AVPlayerItem?
    private(set) var files: [String] = []
    /// The tracks of the film; `nil` without any, or until they are known.
    var group: AVMediaSelectionGroup?
    var choice = Choice.none

    init() {}

    init(item: AVPlayerItem) { (self.item, files) = (item, item.tuttiSubtitleFiles) }

    mutating func add(_ path: String) { if !files.contains(path) { files.insert(path, at: 0) } }

    /// The choice after the current one.
    var next: Choice {
        let all = [.none] + files.map(Choice.file) + (group?.options ?? []).map(Choice.option)
        let index = all.firstIndex(of: choice) ?? 0
        return all[(index + 1) % all.count]
    }

    /// Returns the subtitles of the film itself; `nil` if it has none or cannot be read, which the item reports.
    static func embedded(in item: AVPlayerItem) async -> AVMediaSelectionGroup? {
        try? await item.currentMediaSelection.asset?.loadMediaSelectionGroup(for: .legible)
    }
}

/// The pictures of one `tutti play`, counted.
struct PlayPictures: Sendable, Equatable {
    var shown: Int
    /// Pictures that were decoded and never reached the screen.
    var dropped: Int
    /// Pictures shown more than half a display period after their time.
    var late: Int
    var corrupt: Int

    init(_ counts: TuttiPictureCounts, _ window: VideoWindowStatistics) {
        (shown, late, corrupt) = (window.shownCount, window.lateCount, counts.corrupt)
        dropped = counts.overtaken + window.droppedCount
    }
}
