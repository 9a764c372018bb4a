import Glibc
import TuttiCommandLineInterface
import TuttiSystemIO

/// The user's input: keys on a terminal, lines in `--json` mode, otherwise none.
final class PlayControl: @unchecked Sendable {
    // Safe to share: the variables are touched only on `queue`; the rest is immutable and Sendable.

    /// The longest command line, in bytes; a longer line is dropped.
    private static let lineLimit = 16 * 1024

    private let isJSON: Bool
    private let report: any PlayReport
    private let perform: @Sendable (PlayRequest) -> Void
    private let queue = SerialQueue(label: "tutti.control")
    private var raw: KeyboardMode?
    private var decoder = KeyDecoder()
    private var lines = InputLines(limit: PlayControl.lineLimit)
    private var source: ReadinessSource?

    init(isJSON: Bool, report: any PlayReport, perform: @escaping @Sendable (PlayRequest) -> Void) {
        self.isJSON = isJSON
        self.report = report
        self.perform = perform
    }

    func start() {
        let isTerminal = Terminal.isTTY(STDIN_FILENO) && Terminal.isTTY(StandardStream.output.rawValue)
        guard isJSON || isTerminal else { return }
        queue.sync {
            if !isJSON { raw = KeyboardMode(STDIN_FILENO) }
            // A closed standard input gives no commands.
            source = try? ReadinessSource(readable: STDIN_FILENO, on: queue) { [weak self] in self?.read() }
            source?.arm()
        }
    }

    func stop() {
        queue.sync { (source, raw) = (nil, nil) }
    }

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else {
            // The music continues after the last command, whose line may have no end.
            if count == 0, isJSON { perform(lines.finish().map { [$0] } ?? []) }
            if count == 0 || (errno != EAGAIN && errno != EINTR) { source = nil }
            return
        }
        if isJSON { perform(lines.receive(bytes[..<count])) } else { readKeys(bytes[..<count]) }
    }

    private func perform(_ lines: [InputLines.Line]) {
        for line in lines {
            do throws(UsageError) {
                guard case .text(let text) = line else {
                    throw UsageError("a command of more than \(Self.lineLimit) bytes is dropped")
                }
                perform(try PlayRequest(line: text))
            } catch {
                report.warn("bad-command", "\(error)")
            }
        }
    }

    private func readKeys(_ bytes: ArraySlice<UInt8>) {
        for key in decoder.receive(bytes) {
            if let request = Self.request(for: key) { perform(request) }
        }
    }

    static func request(for key: Key) -> PlayRequest? {
        switch key {
        case .character(" "): .toggle
        case .left: .skip(-10)
        case .right: .skip(10)
        case .up: .louder(5)
        case .down: .louder(-5)
        case .character("n"): .next
        case .character("p"): .previous
        case .character("q"), .control("c"): .quit
        case .character("."): .step(1)
        case .character(","): .step(-1)
        case .character("]"): .faster(1.25)
        case .character("["): .faster(0.8)
        case .character("m"): .mute
        case .character("s"): .subtitles
        default: nil
        }
    }
}

/// An owner of ``RawMode``: the terminal delivers single keys while the object lives.
private final class KeyboardMode: Sendable {
    private let mode: RawMode

    init?(_ descriptor: Int32) {
        guard let mode = RawMode(descriptor) else { return nil }
        self.mode = mode
    }
}
