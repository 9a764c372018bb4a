import AirPlaySender
import Playback
import Synchronization
import TuttiCommandLineInterface

/// A live display on a terminal: title, position, and each speaker's buffer and state.
final class TerminalPlayReport: PlayReport {
    private struct State {
        var screen = LiveScreen()
        var progress: PlayProgress?
        var choice: WireChoice?
        /// The states of the clocks, by the speaker's id.
        var clocks: [String: String] = [:]
        var hasEnded = false
    }

    private let isVerbose: Bool
    private let hasColor = Console.hasColor(.output)
    private let state = Mutex(State())

    /// - Parameter isVerbose: Whether each event leaves a line above the display.
    init(isVerbose: Bool) {
        self.isVerbose = isVerbose
        StandardStream.output.write(EscapeSequence.hideCursor)
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        StandardStream.output.write(EscapeSequence.showCursor)
    }

    func show(_ event: PlayEvent) {
        state.withLock { state in
            guard !state.hasEnded else { return }
            switch event {
            case .progress(let progress): state.progress = progress
            case .format(let choice): state.choice = choice
            case .clock(let speaker, let clock, _): state.clocks[speaker.id] = clock
            case .warning(_, _, let message):
                StandardStream.output.write(state.screen.erase())
                Console.warning("tutti play", message)
            case .error(_, _, let message):
                StandardStream.output.write(state.screen.erase())
                Console.error("tutti play", message)
            case .member(let speaker, .left): state.clocks[speaker.id] = nil
            case .source, .title, .opened, .playing, .paused, .volume, .speakerVolume, .member, .pictures,
                .ended,
                .route:
                break
            }
            if isVerbose, let line = PlainPlayReport.line(event, isVerbose: true) {
                StandardStream.output.write(state.screen.erase() + Printable.text(line) + "\n")
            }
            let size = Terminal.size(StandardStream.output.rawValue) ?? Terminal.Size(columns: 80, rows: 24)
            let lines = Self.lines(
                state.progress, choice: state.choice, clocks: state.clocks, columns: size.columns,
                hasColor: hasColor)
            StandardStream.output.write(state.screen.frame(lines, size: size))
        }
    }

    static func lines(
        _ progress: PlayProgress?, choice: WireChoice?, clocks: [String: String], columns: Int, hasColor: Bool
    ) -> [String] {
        guard let progress else { return ["Connecting…"] }
        let ahead = progress.speakers.map(\.secondsAhead).min() ?? 0
        let duration = progress.duration.map(PlayTitle.clock) ?? "-:--"
        let volume = progress.volume.map { "  volume \(Int($0.rounded()))" } ?? ""
        let head = "\(progress.isPaused ? "⏸" : "▶") \(progress.title)"
        let times = "\(PlayTitle.clock(progress.position)) / \(duration)\(volume)"
        let bar = bar(
            position: progress.position, ahead: ahead, duration: progress.duration,
            width: max(10, min(columns - 2, 100)), hasColor: hasColor)
        var lines = [DisplayWidth.cut(Printable.text(head), to: columns), bar, times]
        for speaker in progress.speakers {
            let clock = clocks[speaker.speaker.id].map { ", clock \($0)" } ?? ""
            // One speaker's volume is the volume above.
            let own = progress.speakers.count > 1 ? speaker.volume : nil
            let volume = own.map { ", volume \(Int($0.rounded()))" } ?? ""
            let id = progress.isTwin(speaker.speaker) ? " (\(speaker.speaker.id))" : ""
            let text =
                "  \(speaker.speaker)\(id): \(words(speaker.state)), \(Int(speaker.secondsAhead)) s ahead\(clock)\(volume)"
            lines.append(DisplayWidth.cut(Printable.text(text), to: columns))
        }
        if let choice { lines.append(DisplayWidth.cut("  \(choice.format): \(choice.reason)", to: columns)) }
        return lines
    }

    /// Draws the played part, the part that speakers hold, and the rest: in three colours, or with three lines.
    static func bar(position: Double, ahead: Double, duration: Double?, width: Int, hasColor: Bool) -> String
    {
        let length = max(duration ?? position + ahead, 0.001)
        let played = cells(position / length, of: width)
        let held = max(played, cells((position + ahead) / length, of: width))
        let counts = [played, held - played, width - held]
        guard hasColor else {
            return zip(["━", "─", "┈"], counts).map { String(repeating: $0, count: $1) }.joined()
        }
        return zip([TextStyle.played, .warning, .dim], counts).map { style, count in
            style.applied(to: String(repeating: "━", count: count))
        }.joined()
    }

    private static func cells(_ share: Double, of width: Int) -> Int {
        share.isFinite ? Int(max(0, min(share, 1)) * Double(width)) : 0
    }

    private static func words(_ state: SpeakerState) -> String {
        switch state {
        case .connecting: "connecting"
        case .waitingForClock: "waiting for the clock"
        case .ready: "ready"
        case .playing: "playing"
        case .starved: "starved: the network is too slow"
        case .lost(let failure): "lost: \(failure.message)"
        case .closed: "closed"
        }
    }
}
