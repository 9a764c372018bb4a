import Synchronization
import TuttiTestSupport

@testable import TuttiViews

/// A terminal with scripted input.
final class ScriptedTerminal: PickerTerminal {
    private struct State {
        var lines: [String]
        var isOpen: Bool
        var waiting: CheckedContinuation<String?, Never>?
    }

    private let state: Mutex<State>
    let output = Recorder("")
    /// Lines that were read without an echo.
    let secrets = Recorder<[String]>([])

    /// - Parameter isOpen: Whether more input may follow these lines; else the input ends.
    init(_ lines: [String] = [], isOpen: Bool = false) {
        state = Mutex(State(lines: lines, isOpen: isOpen))
    }

    func write(_ text: String) { output.update { $0 += text } }

    func type(_ line: String?) {
        let waiting = state.withLock { state in
            if line == nil { state.isOpen = false }
            if state.waiting == nil, let line { state.lines.append(line) }
            return state.waiting.take()
        }
        waiting?.resume(returning: line)
    }

    func readLine(isSecret: Bool) async -> String? {
        let line = await withCheckedContinuation { continuation in
            let next: String?? = state.withLock { state in
                if !state.lines.isEmpty { return .some(state.lines.removeFirst()) }
                guard state.isOpen else { return .some(nil) }
                state.waiting = continuation
                return nil
            }
            if let next { continuation.resume(returning: next) }
        }
        if isSecret, let line { secrets.update { $0.append(line) } }
        return line
    }
}
