import AirPlaySender
import CommandLineInterface
import Playback
import Synchronization

/// A live display on a terminal: title, position, and each speaker's buffer and state.
final class TerminalPlayReport: PlayReport {
    private struct State {
        var screen = LiveScreen()
        var progress: PlayProgress?
        var choice: WireChoice?
        var clocks: [String: String] = [:]
        var notice = ""
        var hasEnded = false
    }

    private let state = Mutex(State())

    init() { StandardStream.output.write(EscapeSequence.hideCursor) }

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
            case .clock(let speaker, let clock, _): state.clocks[speaker] = clock
            case .warning(_, _, let message), .error(_, _, let message): state.notice = message
            case .member(let speaker, .left): state.clocks[speaker] = nil
            case .source, .title, .opened, .playing, .paused, .volume, .speakerVolume, .member, .ended,
                .route:
                break
            }
            let size = Terminal.size(StandardStream.output.rawValue) ?? Terminal.Size(columns: 80, rows: 24)
            let lines = Self.lines(
                state.progress, choice: state.choice, clocks: state.clocks, notice: state.notice,
                columns: size.columns)
            StandardStream.output.write(state.screen.frame(lines, size: size))
        }
    }

    static func lines(
        _ progress: PlayProgress?, choice: WireChoice?, clocks: [String: String], notice: String, columns: Int
    ) -> [String] {
        guard let progress else { return ["Connecting…"] }
        let ahead = progress.speakers.map(\.secondsAhead).min() ?? 0
        let duration = progress.duration.map(PlayTitle.clock) ?? "-:--"
        let volume = progress.volume.map { "  volume \(Int($0.rounded()))" } ?? ""
        let head = "\(progress.isPaused ? "⏸" : "▶") \(progress.title)"
        let times = "\(PlayTitle.clock(progress.position)) / \(duration)\(volume)"
        let bar = bar(
            position: progress.position, ahead: ahead, duration: progress.duration,
            width: max(10, min(columns - 2, 100)))
        var lines = [DisplayWidth.cut(Printable.text(head), to: columns), bar, times]
        for speaker in progress.speakers {
            let clock = clocks[speaker.speaker].map { ", clock \($0)" } ?? ""
            // One speaker's volume is the volume above.
            let own = progress.speakers.count > 1 ? speaker.volume : nil
            let volume = own.map { ", volume \(Int($0.rounded()))" } ?? ""
            let text =
                "  \(speaker.speaker): \(words(speaker.state)), \(Int(speaker.secondsAhead)) s ahead\(clock)\(volume)"
            lines.append(DisplayWidth.cut(Printable.text(text), to: columns))
        }
        if let choice { lines.append(DisplayWidth.cut("  \(choice.format): \(choice.reason)", to: columns)) }
        if !notice.isEmpty { lines.append(DisplayWidth.cut("  " + Printable.text(notice), to: columns)) }
        return lines
    }

    /// Draws the played part in one colour, the part that speakers hold in another, the rest dim.
    static func bar(position: Double, ahead: Double, duration: Double?, width: Int) -> String {
        let length = max(duration ?? position + ahead, 0.001)
        let played = cells(position / length, of: width)
        let held = max(played, cells((position + ahead) / length, of: width))
        let pieces = [
            ("\u{1B}[36m", played), ("\u{1B}[33m", held - played), ("\u{1B}[2m", width - held),
        ]
        return pieces.map { $0.0 + String(repeating: "━", count: $0.1) + "\u{1B}[0m" }.joined()
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
