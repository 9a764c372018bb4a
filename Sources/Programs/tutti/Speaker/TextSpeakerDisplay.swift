import AirPlayMessages
import AirPlayReceiver
import Synchronization
import TuttiCommandLineInterface

/// A display of one text line per event; on a terminal the last line is a live status.
final class TextSpeakerDisplay: SpeakerDisplay {
    private struct State {
        var screen = LiveScreen()
        var title = ""
        var hasEnded = false
    }

    private let isLive: Bool
    private let state = Mutex(State())

    /// - Parameter isLive: Whether standard output is a terminal that can be redrawn.
    init(isLive: Bool) {
        self.isLive = isLive
        if isLive { StandardStream.output.write(EscapeSequence.hideCursor) }
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        if isLive { StandardStream.output.write(EscapeSequence.showCursor) }
    }

    func started(_ start: SpeakerStart) {
        line("\(start.name) is an AirPlay speaker on port \(start.port), with the output \(start.output)")
    }

    func show(_ event: SpeakerEvent) {
        if case .metadata(let metadata, _) = event {
            state.withLock {
                $0.title = [metadata.artist, metadata.title].compactMap(\.self).joined(separator: " – ")
            }
        }
        if case .warning(_, let message) = event {
            beside { Console.warning("tutti speaker", message) }
        } else if !Console.isQuiet, let text = Self.text(event) {
            line(text)
        }
    }

    func show(_ status: SpeakerStatusLine) {
        guard isLive else { return }
        state.withLock { state in
            guard !state.hasEnded else { return }
            draw([Self.text(status, title: state.title)], &state)
        }
    }

    /// Prints a permanent line above the live status.
    private func line(_ text: String) { beside { StandardStream.output.line(Printable.text(text)) } }

    private func beside(_ body: () -> Void) {
        state.withLock { state in
            guard !state.hasEnded else { return }
            if isLive { StandardStream.output.write(state.screen.erase()) }
            body()
        }
    }

    private func draw(_ lines: [String], _ state: inout State) {
        let size = Terminal.size(StandardStream.output.rawValue) ?? Terminal.Size(columns: 80, rows: 24)
        StandardStream.output.write(state.screen.frame(lines, size: size))
    }

    static func text(_ event: SpeakerEvent) -> String? {
        switch event {
        case .sessionStarted(let sender): "\(name(sender)) plays here"
        case .sessionEnded(let sender, let reason): "\(name(sender)) has ended: \(reason)"
        case .senderLost(let sender):
            "\(name(sender)) is unreachable; playback continues with the buffered sound"
        case .senderReturned(let sender): "\(name(sender)) is back"
        case .source(let kind, let format): "\(kind) stream" + (format.map { ", \($0)" } ?? "")
        case .playing(let isPlaying): isPlaying ? "playing" : "paused"
        case .volume(let volume): "volume \(Int(volume.percent.rounded()))"
        case .metadata(let metadata, _):
            [metadata.title, metadata.artist, metadata.album].compactMap(\.self).joined(separator: ", ")
        case .pin(let pin?): "PIN: \(pin)"
        case .pin(nil), .artwork, .progress: nil
        case .warning: nil
        }
    }

    static func text(_ status: SpeakerStatusLine, title: String) -> String {
        guard let stream = status.stream else { return "waiting for a sender" }
        var words = [stream.isPlaying ? "▶" : "⏸", Printable.text(title)].filter { !$0.isEmpty }
        words.append("\(Int(stream.bufferedSeconds)) s held")
        if let offset = status.clockDrift { words.append("clock \(rounded(offset)) ppm") }
        words.append("off by \(rounded(stream.error * 1e6)) µs")
        if stream.missingFrames > 0 { words.append("\(stream.missingFrames) frames missing") }
        return words.joined(separator: "  ")
    }

    private static func rounded(_ number: Double) -> String {
        guard number.isFinite else { return "?" }
        let tenths = Int(max(-1e9, min(1e9, number * 10)).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    private static func name(_ sender: SenderDescription) -> String {
        sender.name ?? "\(sender.address)"
    }
}
