import Dispatch
import Foundation
import Synchronization

/// Looks for an output while this machine has none, on behalf of those that wait for one. Any thread.
final class MissingOutput: Sendable {
    /// Between two attempts.
    static let interval = Duration.seconds(1)

    private struct State {
        /// Attempts to open an output, each made once.
        var attempts: [@Sendable () -> Void] = []
        var reason: RouteError?
        var warn: (@Sendable (String) -> Void)? = { words in
            FileHandle.standardError.write(Data("Tutti: \(words)\n".utf8))
        }
    }

    private let state = Mutex(State())
    private let alarm: any PlayerAlarm

    convenience init() {
        self.init(alarm: DispatchAlarm(queue: DispatchQueue(label: "tutti.missing-output", qos: .utility)))
    }

    /// - Parameter alarm: calls on a queue that may wait for devices.
    init(alarm: any PlayerAlarm) { self.alarm = alarm }

    /// Why there is no output, as far as something is to be heard; `nil` while there is one.
    var reason: RouteError? { state.withLock { $0.reason } }

    func setWarning(_ warn: (@Sendable (String) -> Void)?) { state.withLock { $0.warn = warn } }

    /// Makes an attempt later.
    ///
    /// - Returns: whether this is news: there was an output before, or nobody has asked for one.
    func wait(_ reason: RouteError, _ attempt: @escaping @Sendable () -> Void) -> Bool {
        let isNews = state.withLock { state in
            defer { state.reason = reason }
            state.attempts.append(attempt)
            // Set with the lock held: an older call must not take the place of a newer one.
            if state.attempts.count == 1 {
                alarm.set(after: Self.interval) { [weak self] in self?.tryAgain() }
            }
            return state.reason == nil
        }
        guard isNews, let warn = state.withLock({ $0.warn }) else { return isNews }
        warn("nothing can be heard: \(reason). Playback waits for an output.")
        return true
    }

    /// - Returns: whether there was none before.
    func outputWasFound() -> Bool {
        state.withLock { state in
            defer { state.reason = nil }
            return state.reason != nil
        }
    }

    private func tryAgain() {
        let attempts = state.withLock { state in
            defer { state.attempts = [] }
            return state.attempts
        }
        for attempt in attempts { attempt() }
        // Everybody went elsewhere.
        state.withLock { if $0.attempts.isEmpty { $0.reason = nil } }
    }
}

// A machine without an output.
extension RouteCatalogue {
    /// Why nothing can be heard on this machine, while something is to be heard there and waits; `nil` else.
    ///
    /// ``Event/outputMissing(_:)`` and ``observeRoute(_:)`` tell of changes.
    public var outputError: RouteError? { missingOutput.reason }

    /// Sets the receiver of warnings that no other door of the program may show; `nil` drops them. Standard error at first.
    public func setWarningHandler(_ warn: (@Sendable (String) -> Void)?) { missingOutput.setWarning(warn) }

    /// - Returns: false if the failure is final, because the output was named.
    func awaitOutput(_ error: any Error, _ attempt: @escaping @Sendable () -> Void) -> Bool {
        guard !devices.isNamed else { return false }
        let reason = RouteError("\(error)")
        if missingOutput.wait(reason, attempt) {
            emit.yield(.outputMissing(reason))
            routeDidChange(.missing, before: options)
        }
        return true
    }

    func outputWasFound() {
        guard missingOutput.outputWasFound() else { return }
        emit.yield(.outputFound)
        routeDidChange(.found, before: options)
    }
}
