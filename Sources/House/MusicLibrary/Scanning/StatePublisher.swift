import Synchronization
import TuttiSystemIO

/// The state of the library, and who follows it. Thread-safe.
final class StatePublisher: Sendable {
    private struct Contents {
        var state: LibraryState
        var followers: [Int: AsyncStream<LibraryState>.Continuation] = [:]
        var lastFollower = 0
        var throttle = UpdateThrottle()
        var isFinished = false
    }

    private let contents: Mutex<Contents>
    private let timer = QueueWakeUp(on: SerialQueue(label: "tutti.library.state"))

    init(_ state: LibraryState) { contents = Mutex(Contents(state: state)) }

    var state: LibraryState { contents.withLock { $0.state } }

    /// Changes the state; followers learn it now or soon.
    func update(_ change: (inout LibraryState) -> Void) {
        let delay = contents.withLock { contents -> Duration? in
            let before = contents.state
            change(&contents.state)
            return contents.state == before ? nil : contents.throttle.note(at: .now)
        }
        guard let delay else { return }
        if delay == .zero { publish() } else { timer.set(after: delay) { [weak self] in self?.publish() } }
    }

    private func publish() {
        let (state, followers) = contents.withLock { contents in
            contents.throttle.didPublish(at: .now)
            return (contents.state, Array(contents.followers.values))
        }
        for follower in followers { follower.yield(state) }
    }

    func changes() -> AsyncStream<LibraryState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LibraryState.self, bufferingPolicy: .bufferingNewest(1))
        let isFinished = contents.withLock { contents in
            continuation.yield(contents.state)
            if contents.isFinished { return true }
            contents.lastFollower += 1
            let number = contents.lastFollower
            contents.followers[number] = continuation
            continuation.onTermination = { [weak self] _ in
                self?.contents.withLock { _ = $0.followers.removeValue(forKey: number) }
            }
            return false
        }
        if isFinished { continuation.finish() }
        return stream
    }

    /// Ends all streams.
    func finish() {
        let followers = contents.withLock { contents in
            contents.isFinished = true
            defer { contents.followers = [:] }
            return Array(contents.followers.values)
        }
        for follower in followers { follower.finish() }
    }
}

/// The times of updates: at most one in each interval, and none is lost.
struct UpdateThrottle {
    typealias Instant = ContinuousClock.Instant

    static let interval = Duration.milliseconds(500)

    private var last: Instant?
    private var isPending = false

    /// Notes a change.
    ///
    /// - Returns: The time until the update that tells it; `nil` if that is on its way.
    mutating func note(at now: Instant) -> Duration? {
        if isPending { return nil }
        isPending = true
        guard let last else { return .zero }
        return max(.zero, now.duration(to: last.advanced(by: Self.interval)))
    }

    mutating func didPublish(at now: Instant) { (last, isPending) = (now, false) }
}
