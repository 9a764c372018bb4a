import CoreMedia
import Playback
import Synchronization
import TuttiMediaTime

/// A route that a test controls, and that records its calls.
final class ScriptedRoute: OutputRoute {
    enum Call: Equatable, Sendable {
        case enqueue(CMTime)
        case endOfData
        case flush
        case flushFrom(CMTime)
        case start(CMTime, HostTime?)
        /// A start at a rate other than 1.
        case startAt(rate: Double, CMTime)
        case stop(CMTime)
        case gain(Float)
        case detach(CMTime)
        case pitch(PitchTreatment)
    }

    private struct State {
        var calls: [Call] = []
        var isReady = false
        var isSufficient = false
        /// Number of buffers after which the route becomes full by itself.
        var room: Int?
        var starts: [@Sendable (HostTime) -> Void] = []
        var flushes: [@Sendable (Bool) -> Void] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
        var client: Weak?
        var kept: [CMSampleBuffer]?
        var beforeStart: (@Sendable () -> Void)?
        var beforeEnqueue: (@Sendable () -> Void)?
        var whileDetaching: (@Sendable () -> Void)?
        var isDetached = false
    }

    private struct Weak { weak var value: (any OutputRouteClient)? }

    private let state = Mutex(State())

    var calls: [Call] { state.withLock { $0.calls } }
    var client: (any OutputRouteClient)? { state.withLock { $0.client?.value } }

    private func note(_ call: Call) { state.withLock { $0.calls.append(call) } }

    // MARK: Scripting

    func setReady(_ isReady: Bool, room: Int? = nil) {
        state.withLock { ($0.isReady, $0.room) = (isReady, room) }
        if isReady { client?.routeMayTakeMore() }
    }

    /// Makes the route ready without notifying the client.
    func makeReadySilently(room: Int) { state.withLock { ($0.isReady, $0.room) = (true, room) } }

    func setSufficient(_ isSufficient: Bool) {
        state.withLock { $0.isSufficient = isSufficient }
        if isSufficient { client?.routeGainedData() }
    }

    /// Sets the buffers that the route returns when it is detached; none by default.
    func keep(_ buffers: [CMSampleBuffer]) { state.withLock { $0.kept = buffers } }

    /// Runs `body` just before the next start, as if on another thread.
    func beforeNextStart(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeStart = body }
    }

    /// Runs `body` within the next call to enqueue, before the route takes the buffer, as if on another thread.
    func beforeNextEnqueue(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeEnqueue = body }
    }

    /// Runs `body` when the route has just been detached, as if on another thread.
    func whileDetaching(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.whileDetaching = body }
    }

    /// Answers start number `index`; a start may be answered again.
    func answerStart(_ index: Int, at host: HostTime) {
        let answer = state.withLock { $0.starts.indices.contains(index) ? $0.starts[index] : nil }
        answer?(host)
    }

    /// Answers the oldest flush from a time.
    func answerFlush(_ isDone: Bool) {
        let answer = state.withLock { $0.flushes.isEmpty ? nil : $0.flushes.removeFirst() }
        answer?(isDone)
    }

    /// Returns once a flush from a time was requested.
    func flushWasAsked() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.flushes.isEmpty { state.watchers.append(continuation) }
                return !state.flushes.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    // MARK: OutputRoute

    func attach(_ client: any OutputRouteClient) { state.withLock { $0.client = Weak(value: client) } }

    func detach(at time: CMTime) -> [CMSampleBuffer]? {
        note(.detach(time))
        let (kept, body) = state.withLock { state in
            (state.client, state.isDetached) = (nil, true)
            return (state.kept, state.whileDetaching)
        }
        body?()
        return kept
    }

    func enqueue(_ buffer: CMSampleBuffer) -> Bool {
        let before = state.withLock { state in
            defer { state.beforeEnqueue = nil }
            return state.beforeEnqueue
        }
        before?()
        return state.withLock { state in
            guard !state.isDetached else { return false }
            state.calls.append(.enqueue(buffer.outputPresentationTimeStamp))
            guard let room = state.room else { return true }
            state.room = room - 1
            if room <= 1 { state.isReady = false }
            return true
        }
    }

    private func noteUnlessDetached(_ call: Call) -> Bool {
        state.withLock { state in
            if !state.isDetached { state.calls.append(call) }
            return !state.isDetached
        }
    }

    var isReadyForMoreData: Bool { state.withLock { $0.isReady } }
    func hasSufficientData(at time: CMTime) -> Bool { state.withLock { $0.isSufficient } }
    func endOfData() -> Bool { noteUnlessDetached(.endOfData) }
    func flush() -> Bool { noteUnlessDetached(.flush) }

    func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) -> Bool {
        guard noteUnlessDetached(.flushFrom(time)) else { return false }
        let watchers = state.withLock { state in
            state.flushes.append(done)
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.resume() }
        return true
    }

    func start(
        at time: CMTime, rate: Double, hostTime: HostTime?, started: @escaping @Sendable (HostTime) -> Void
    ) {
        let before = state.withLock { state in
            defer { state.beforeStart = nil }
            return state.beforeStart
        }
        before?()
        note(rate == 1 ? .start(time, hostTime) : .startAt(rate: rate, time))
        state.withLock { $0.starts.append(started) }
    }

    func stop(at time: CMTime) { note(.stop(time)) }
    func stand(at time: CMTime) {}
    func setGain(_ gain: Float) { note(.gain(gain)) }
    func setPitch(_ pitch: PitchTreatment) { note(.pitch(pitch)) }
}

/// A counter of occurrences that a test can await.
final class Happening: Sendable {
    private struct State {
        var count = 0
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    @discardableResult
    func happen() -> Int {
        let (count, ready) = state.withLock { state in
            state.count += 1
            let count = state.count
            let ready = state.waiting.filter { $0.count <= count }
            state.waiting.removeAll { $0.count <= count }
            return (count, ready)
        }
        for waiter in ready { waiter.continuation.resume() }
        return count
    }

    /// Returns after `count` occurrences.
    func reached(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.count < count { state.waiting.append((count, continuation)) }
                return state.count >= count
            }
            if isThere { continuation.resume() }
        }
    }
}

extension OutputRoute {
    func flush(from time: CMTime) async -> Bool {
        await withCheckedContinuation { continuation in
            flush(from: time) { continuation.resume(returning: $0) }
        }
    }
}
