import Foundation
import Synchronization
import TuttiSystemIO

/// A retry loop that looks for a local output while this machine has none. Any thread.
final class MissingOutput: Sendable {
    /// The delay before a retry.
    static let interval = Duration.seconds(1)

    /// The remedies for a program; its users do not have the options of `tutti play`.
    static let advice =
        "Playback waits for an output. RouteCatalogue.shared.choose(_:) selects a speaker, RouteCatalogue.shared.setLocalOutput(_:) or TUTTI_OUTPUT in the environment names another output, such as wave:FILE."

    private struct State {
        /// Pending attempts to open an output; each runs once.
        var attempts: [@Sendable () -> Void] = []
        var reason: RouteError?
        var warn: (@Sendable (String) -> Void)? = { words in
            FileHandle.standardError.write(Data("Tutti: \(words)\n".utf8))
        }
    }

    private let state = Mutex(State())
    private let retry: any WakeUp

    convenience init(machine: any Machine) {
        self.init(retry: QueueWakeUp(on: machine.makeQueue("tutti.missing-output", qos: .utility)))
    }

    /// - Parameter retry: Calls back on a queue that may block on devices.
    init(retry: any WakeUp) { self.retry = retry }

    /// The reason why sound waits for an output; `nil` while there is an output, or no sound waits.
    var reason: RouteError? { state.withLock { $0.reason } }

    /// Warns the user of something else.
    func warn(_ words: String) { state.withLock { $0.warn }?(words) }

    func setWarning(_ warn: (@Sendable (String) -> Void)?) { state.withLock { $0.warn = warn } }

    /// Schedules an attempt after ``interval``, and warns the user once per outage.
    ///
    /// - Returns: Whether the outage is new.
    func wait(_ reason: RouteError, _ attempt: @escaping @Sendable () -> Void) -> Bool {
        let isNew = state.withLock { state in
            defer { state.reason = reason }
            state.attempts.append(attempt)
            // Set with the lock held: an older call must not replace a newer one.
            if state.attempts.count == 1 {
                retry.set(after: Self.interval) { [weak self] in self?.tryAgain() }
            }
            return state.reason == nil
        }
        guard isNew, let warn = state.withLock({ $0.warn }) else { return isNew }
        warn("nothing can be heard: \(reason). \(Self.advice)")
        return true
    }

    /// Ends the outage.
    ///
    /// - Returns: Whether there was an outage.
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
        // No attempt is pending: all queues moved to other outputs.
        state.withLock { if $0.attempts.isEmpty { $0.reason = nil } }
    }
}
