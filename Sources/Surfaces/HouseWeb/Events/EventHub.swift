import Synchronization
import TuttiHouse
import TuttiHTTPService

/// The listeners to the house's changes. Any thread; nothing waits.
///
/// A new listener gets a snapshot, then the changes after it: the house tells of a change before a later snapshot
/// has it, so the changes that a snapshot lacks are in the ring or still to come, and each is sent once.
final class EventHub: Sendable {
    private struct State {
        var ring = ChangeRing()
        var listeners: [UInt64: EventStream] = [:]
        var lastListener: UInt64 = 0
        var isClosed = false
    }

    /// Snapshots taken for one listener: a second one is needed only if more changes than the ring holds happen
    /// within a call.
    private static let attempts = 3
    /// Missed changes of more bytes than this cost more than a snapshot.
    private static let resumptionBytes = 131_072

    /// The word that begins each event's id; another one after each start.
    let epoch: String
    private let state = Mutex(State())

    init(epoch: String = String(UInt32.random(in: .min ... .max), radix: 16)) { self.epoch = epoch }

    /// The number of listeners.
    var count: Int { state.withLock { $0.listeners.count } }

    /// Sends a change to all listeners, and keeps it for those that come back.
    func publish(_ change: HouseChange) {
        state.withLock { state in
            if case .depths = change.body {
                guard !state.listeners.isEmpty else { return }
                let event = ChangeEvent.event(of: change.body, id: nil)
                for listener in state.listeners.values { listener.send(event) }
                return
            }
            let event = ChangeEvent.event(of: change.body, id: id(change.revision))
            state.ring.append(ChangeRing.Entry(revision: change.revision, event: event))
            for listener in state.listeners.values { listener.send(event) }
        }
    }

    /// Returns the stream of a new listener.
    ///
    /// - Parameter lastID: The id of the last event that the client has; `nil` for none.
    func listen(after lastID: String?, to house: any HouseControlling) async throws(Problem) -> EventStream {
        if let revision = lastID.flatMap(revision(of:)), let stream = resume(after: revision) {
            return stream
        }
        for _ in 0..<Self.attempts {
            let snapshot = await house.snapshot()
            let event = ChangeEvent.event(of: snapshot, id: id(snapshot.revision))
            if let stream = add(beginning: event, after: snapshot.revision) { return stream }
        }
        throw Problem(status: 503, code: "unavailable", detail: "The house is too busy. Try again.")
    }

    /// Ends all streams, and those of later listeners at once.
    func close() {
        state.withLock { $0.isClosed = true }
        endStreams()
    }

    /// Ends the streams of all listeners, who may come back.
    func endStreams() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            return state.listeners.values
        }
        for listener in listeners { listener.end() }
    }

    private func id(_ revision: UInt64) -> String { "\(epoch)-\(revision)" }

    /// Returns the revision of an id of this epoch; `nil` for others.
    private func revision(of id: String) -> UInt64? {
        let parts = id.split(separator: "-", maxSplits: 1)
        return parts.count == 2 && parts[0] == epoch ? UInt64(parts[1]) : nil
    }

    /// Resumes after a change; `nil` if the client needs a snapshot.
    private func resume(after revision: UInt64) -> EventStream? {
        state.withLock { state in
            guard revision <= state.ring.last, let missed = state.ring.changes(after: revision),
                missed.reduce(0, { $0 + $1.event.bytes.count }) <= Self.resumptionBytes
            else { return nil }
            return add(missed, beginning: nil, to: &state)
        }
    }

    private func add(beginning event: ServerSentEvent, after revision: UInt64) -> EventStream? {
        state.withLock { state in
            state.ring.changes(after: revision).map { add($0, beginning: event, to: &state) }
        }
    }

    private func add(
        _ changes: ArraySlice<ChangeRing.Entry>, beginning event: ServerSentEvent?, to state: inout State
    ) -> EventStream {
        state.lastListener += 1
        let number = state.lastListener
        let bytes = changes.reduce(event?.bytes.count ?? 0) { $0 + $1.event.bytes.count }
        let stream = EventStream(backlog: HTTPLimits.eventBacklog + bytes) { [weak self] in
            self?.remove(number)
        }
        if let event { stream.send(event) }
        for change in changes { stream.send(change.event) }
        if state.isClosed { stream.end() } else { state.listeners[number] = stream }
        return stream
    }

    private func remove(_ number: UInt64) {
        state.withLock { _ = $0.listeners.removeValue(forKey: number) }
    }
}
