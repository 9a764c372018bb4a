import Dispatch
import Glibc
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// The log of a service on a file descriptor, usually standard error. Any thread; callers never wait for the reader.
///
/// Callers give no secret.
package final class ServiceLog: Sendable {
    private struct State {
        var level: LogLevel
        var limit = LogRateLimit()
        var queue = LogQueue()
        /// Whether a call of `drain` is on its way.
        var isDraining = false
    }

    private let state: Mutex<State>
    private let format: LogFormat
    private let descriptor: Int32
    private let writer = SerialQueue(label: "tutti.log")
    private let wakeUp: QueueWakeUp

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - level: The least important messages to write.
    ///   - descriptor: An open file; the log does not close it.
    ///   - format: The form of the lines; ``LogFormat/of(_:journalStream:)`` finds it.
    package init(level: LogLevel, to descriptor: Int32, _ format: LogFormat) {
        state = Mutex(State(level: level))
        (self.descriptor, self.format) = (descriptor, format)
        wakeUp = QueueWakeUp(on: writer, leeway: .seconds(1))
    }

    /// The least important messages that are written; may change at any time.
    package var level: LogLevel {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// Writes a message.
    ///
    /// - Parameters:
    ///   - message: One line; not evaluated if the level is not written.
    ///   - kind: Messages of one kind share a rate limit: 20 in 10 s. By default each place in the sources has its own.
    package func write(
        _ level: LogLevel, _ message: @autoclosure () -> String, kind: String? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        guard level >= self.level else { return }
        let kind = kind ?? "\(file):\(line)"
        append(level, message(), kind: kind, now: SystemClock.now)
    }

    /// Writes an error: something does not work until a person acts.
    package func error(
        _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
    ) { write(.error, message(), file: file, line: line) }

    /// Writes a warning: something is wrong, and music continues.
    package func warning(
        _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
    ) { write(.warning, message(), file: file, line: line) }

    /// Writes a notice: an action of a user, or a problem of a room.
    package func notice(
        _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
    ) { write(.notice, message(), file: file, line: line) }

    /// Writes an information: the course of the work.
    package func info(
        _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
    ) { write(.info, message(), file: file, line: line) }

    /// Writes a detail for finding mistakes.
    package func debug(
        _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
    ) { write(.debug, message(), file: file, line: line) }

    /// Waits until the reader has taken all lines, for the end of the program.
    ///
    /// - Returns: `false` if the reader did not take them in time.
    @discardableResult
    package func flush(within limit: Duration) -> Bool {
        let done = DispatchSemaphore(value: 0)
        writer.async { [self] in
            drain()
            done.signal()
        }
        return done.wait(timeout: .now() + limit.inSeconds) == .success
    }

    // MARK: The lines

    /// Formats a message and its rate limit's leftovers; the test's door to time.
    func append(_ level: LogLevel, _ message: String, kind: String, now: HostTime) {
        let line = format.line(level, message, at: .now)
        let (mustDrain, deadline) = state.withLock { state -> (Bool, HostTime?) in
            appendSurplus(to: &state, at: now)
            let isDropped = state.limit.take(kind, level, at: now) == .drop
            guard !isDropped else { return (false, state.limit.deadline) }
            state.queue.append(line)
            defer { state.isDraining = true }
            return (!state.isDraining, state.limit.deadline)
        }
        if mustDrain { writer.async { [self] in drain() } }
        if let deadline { wakeUp.set(at: deadline) { [weak self] in self?.tellSurplus(at: SystemClock.now) } }
    }

    /// Tells of the messages that were dropped in windows that have ended.
    func tellSurplus(at now: HostTime) {
        let deadline = state.withLock { state in
            appendSurplus(to: &state, at: now)
            return state.limit.deadline
        }
        writer.async { [self] in drain() }
        if let deadline { wakeUp.set(at: deadline) { [weak self] in self?.tellSurplus(at: SystemClock.now) } }
    }

    private func appendSurplus(to state: inout State, at now: HostTime) {
        for surplus in state.limit.takeEnded(at: now) {
            let message = "… \(surplus.count) more like this (\(surplus.kind))"
            state.queue.append(format.line(surplus.level, message, at: .now))
        }
    }

    /// Writes everything that waits; blocks the log's own queue while the reader is slow.
    private func drain() {
        writer.assertCurrent()
        let (text, dropped) = state.withLock { state in
            state.isDraining = false
            return state.queue.takeAll()
        }
        writeAll(text)
        guard dropped > 0 else { return }
        writeAll(format.line(.warning, "… \(dropped) lines lost: the log was not read fast enough", at: .now))
    }

    /// Writes a text; gives up if the file takes no more.
    private func writeAll(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                waitUntilWritable()
                continue
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private func waitUntilWritable() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
    }
}
