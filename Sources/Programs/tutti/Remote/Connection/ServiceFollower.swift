import Dispatch
import Foundation
import Synchronization
import TuttiSystemIO

/// The events of a service, across its restarts and lost connections.
struct ServiceFollower: Sendable {
    /// A step of the following.
    enum Step: Equatable, Sendable {
        case event(ServiceEvent)
        /// The connection has ended, and Tutti retries; the sentence says why.
        case lost(String)
    }

    let service: RemoteService
    /// Waits before the next attempt; returns early if the task is cancelled.
    var pause: @Sendable (Duration) async -> Void = { await Task.pause(for: $0) }

    /// Events that wait for a slow reader; a reader that is slower gets the whole house again.
    private static let bufferLimit = 4_096
    /// Bytes of those events.
    private static let byteLimit = 16 << 20

    /// Follows until the caller ends, which gets each step in order.
    ///
    /// - Throws: ``RemoteFailure`` if the first connection fails.
    func run(_ onStep: (Step) async -> Bool) async throws(RemoteFailure) {
        var (last, told): (String?, RemoteFailure.Kind?) = (nil, nil)
        var pauses = FollowerPause()
        var hasBegun = false
        while !Task.isCancelled {
            let places: [ServicePlace]
            var failure: RemoteFailure?
            var hasEvents = false
            do {
                places = try await service.places()
                let waiting = WaitingBytes(limit: Self.byteLimit)
                let (steps, end) = events(at: places, after: last, waiting)
                for await event in steps {
                    waiting.remove(event.size)
                    (last, told) = (event.id ?? last, nil)
                    (hasBegun, hasEvents) = (true, true)
                    guard await onStep(.event(event)) else { return }
                }
                failure = end.failure
            } catch {
                failure = error
            }
            if Task.isCancelled { return }
            let reason = failure ?? RemoteFailure(.noService, "The connection was lost.")
            guard hasBegun else { throw reason }
            if hasEvents { pauses = FollowerPause() }
            if told != reason.kind {
                told = reason.kind
                guard await onStep(.lost(reason.description)) else { return }
            }
            await pause(pauses.next())
        }
    }

    /// Listens on its own thread; the end of the stream's reader ends the connection.
    private func events(
        at places: [ServicePlace], after last: String?, _ waiting: WaitingBytes
    ) -> (AsyncStream<ServiceEvent>, FollowerEnd) {
        let (steps, emit) = AsyncStream<ServiceEvent>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.bufferLimit))
        let (end, connection) = (FollowerEnd(), FollowerConnection())
        emit.onTermination = { _ in connection.end() }
        DispatchQueue(label: "tutti.events").async {
            do {
                try service.listen(at: places, after: last, onOpen: connection.begin) { event in
                    // A gap would leave a wrong state: the next connection begins after the last event taken.
                    guard waiting.add(event.size), case .enqueued = emit.yield(event) else { return false }
                    return true
                }
            } catch {
                end.failure = error as? RemoteFailure ?? RemoteFailure(.noService, "\(error).")
            }
            emit.finish()
        }
        return (steps, end)
    }
}

/// The pauses between attempts to connect: 0.2 s, then twice as long up to 3 s.
struct FollowerPause {
    private var pause = Duration.milliseconds(200)

    mutating func next() -> Duration {
        defer { pause = min(pause * 2, .seconds(3)) }
        return pause
    }
}

/// The bytes of the events that wait for their reader. Any thread.
final class WaitingBytes: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// Counts an event.
    ///
    /// - Returns: `false` if it would be too much; then it does not count.
    func add(_ bytes: Int) -> Bool {
        count.withLock { count in
            guard bytes <= limit - count else { return false }
            count += bytes
            return true
        }
    }

    func remove(_ bytes: Int) { count.withLock { $0 -= bytes } }
}

extension ServiceEvent {
    /// Bytes of its texts, and of what holds them.
    var size: Int {
        name.utf8.count + (id?.utf8.count ?? 0) + data.utf8.count + MemoryLayout<ServiceEvent>.size
    }
}

/// The reason for the end of a connection; `nil` for its orderly end.
private final class FollowerEnd: Sendable {
    private let state = Mutex<RemoteFailure?>(nil)

    var failure: RemoteFailure? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// A connection that another thread may end, also before it is open.
private final class FollowerConnection: Sendable {
    private let state = Mutex<(socket: ServiceSocket?, isOver: Bool)>((nil, false))

    func begin(_ socket: ServiceSocket) {
        let isOver = state.withLock { state in
            state.socket = socket
            return state.isOver
        }
        if isOver { socket.interrupt() }
    }

    func end() {
        state.withLock { state in
            state.isOver = true
            return state.socket.take()
        }?.interrupt()
    }
}
