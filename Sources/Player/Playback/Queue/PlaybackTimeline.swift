import CoreMedia
import Foundation
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// The presentation timeline: *presentation time t is heard at host time h, at rate r*. Any thread.
///
/// A render synchronizer or a player owns the timeline. The routes report the instant at which they can be
/// heard, which sets the line. From then on time is arithmetic and never stalls for missing data.
///
/// ``TimelineMachine`` decides; the timeline carries out, without its lock.
package final class PlaybackTimeline: Sendable {
    /// Callbacks of the timeline, called without a lock held, on the thread that made a change or is
    /// notifying already.
    package struct Events: Sendable {
        /// The requested rate changed.
        package var rateDidChange: @Sendable () -> Void = {}
        /// The rate or the time mapping changed; `isJump` if the time was set.
        var lineDidChange: @Sendable (_ isJump: Bool) -> Void = { _ in }

        /// Makes callbacks that do nothing.
        package init() {}
    }

    private typealias Queues = [TimelineMachine.QueueID: RenderQueue]

    private struct State: Sendable {
        var machine: TimelineMachine
        /// The queues of the machine, by its numbers.
        var queues: Queues = [:]
        var lastQueue = 0
        var observers: [Int: TimeObserver] = [:]
        var nextObserver = 0

        var queuesInOrder: [RenderQueue] { machine.queues.compactMap { queues[$0] } }

        func id(of queue: RenderQueue) -> TimelineMachine.QueueID? {
            queues.first { $0.value === queue }?.key
        }
    }

    private let state: Mutex<State>
    private let clock: any HostClock
    private let events = Mutex(Events())
    /// Starts the timebase when the first sound is heard.
    private let firstSound: QueueWakeUp
    private let lineOrder = NotificationSerializer()
    private let timebaseOrder = NotificationSerializer()
    /// The timeline as a timebase on the host clock, in presentation time. Stands until sound is heard.
    package let timebase: CMTimebase

    /// Makes a timeline that stands at time zero.
    ///
    /// - Parameter machine: Time and queues.
    package init(machine: any Machine) {
        clock = machine
        firstSound = QueueWakeUp(on: machine.makeQueue("tutti.timeline", qos: .userInteractive))
        state = Mutex(State(machine: TimelineMachine(at: machine.now)))
        timebase = CMTimebase(drivenOn: .hostTimeClock)
    }

    deinit {
        // The queues' weak references to the timeline are `nil` by now.
        for queue in state.withLock({ $0.queuesInOrder }) { queue.lineDidChange() }
    }

    /// Replaces the callbacks.
    package func setEvents(_ events: Events) { self.events.withLock { $0 = events } }

    // MARK: Reading

    /// The last requested rate, even while its start is awaited; 0 while paused.
    package var rate: Float { state.withLock { $0.machine.requestedRate } }

    /// The rate at which the outputs last started; 0 while their sound can play at any rate.
    var startedRate: Float { state.withLock { $0.machine.startedRate } }

    /// Forgets the rate of the queued sound, because the queue is empty or its sound can play at any rate.
    func forgetRate() { state.withLock { $0.machine.forgetRate() } }

    /// The audible presentation time.
    package var currentTime: CMTime {
        let now = clock.now
        return line.time(at: now)
    }

    var line: PresentationLine { state.withLock { $0.machine.line } }

    /// The start of the current run: the presentation time heard then, and the host time. `nil` while time
    /// stands or a start is awaited.
    package var start: (time: CMTime, host: HostTime)? {
        let now = clock.now
        let line = line
        return line.isRunning(at: now) ? (line.time, line.host) : nil
    }

    /// Whether time runs; `false` while paused or until the outputs start.
    package var isRunning: Bool {
        let now = clock.now
        return line.isRunning(at: now)
    }

    /// Whether a start waits until every queue has enough data.
    package var delaysRateChangeUntilHasSufficientMediaData: Bool {
        get { state.withLock { $0.machine.delaysRateChange } }
        set { state.withLock { $0.machine.delaysRateChange = newValue } }
    }

    // MARK: Queues

    /// The queues on the timeline.
    package var queues: [RenderQueue] { state.withLock { $0.queuesInOrder } }

    /// Adds a queue, which joins the running sound. Idempotent.
    ///
    /// - Returns: `false` if the queue belongs to another timeline.
    package func add(_ queue: RenderQueue) -> Bool {
        if let owner = queue.timeline { return owner === self }
        queue.setTimeline(self)
        let (actions, queues) = state.withLock { state in
            state.lastQueue += 1
            state.queues[state.lastQueue] = queue
            return (state.machine.add(state.lastQueue), state.queues)
        }
        queue.lineDidChange()
        carryOut(actions, on: queues)
        return true
    }

    /// Removes a queue, stops its route and flushes its sound.
    ///
    /// - Returns: `false` if the queue is not on the timeline.
    package func remove(_ queue: RenderQueue) -> Bool {
        let removal: (actions: [TimelineMachine.Action], queues: Queues)? = state.withLock { state in
            guard let id = state.id(of: queue) else { return nil }
            let queues = state.queues
            state.queues[id] = nil
            return (state.machine.remove(id), queues)
        }
        guard let removal else { return false }
        carryOut(removal.actions, on: removal.queues)
        return true
    }

    /// Restarts after a queue moved to another output, with all of its sound or none.
    ///
    /// Time stands until the new output is audible, so that no sound is missed.
    func queueMoved(_ queue: RenderQueue, isWhole: Bool) {
        let now = clock.now
        decide { state in
            guard let id = state.id(of: queue) else { return [] }
            return state.machine.move(id, isWhole: isWhole, at: now)
        }
    }

    /// Retries a start that waited for data.
    func queueGainedData() { tryStart() }

    // MARK: Rate

    /// Sets the time, if `time` is numeric, then the rate.
    ///
    /// - Parameters:
    ///   - hostTime: Host time at which `time` is to be heard; `nil` for as soon as possible.
    ///   - keepsSound: Whether the queues play the sound they have at another rate too, as far as their
    ///     outputs still have it.
    package func setRate(_ rate: Float, time: CMTime, hostTime: HostTime?, keepsSound: Bool = false) {
        decide { $0.machine.prepare(for: rate) }
        let now = clock.now
        decide {
            $0.machine.setRate(rate, time: time, hostTime: hostTime, keepsSound: keepsSound, at: now)
        }
    }

    // MARK: Carrying out

    /// Carries out the answer to an input.
    private func decide(_ input: (inout State) -> [TimelineMachine.Action]) {
        let (actions, queues) = state.withLock { state in (input(&state), state.queues) }
        carryOut(actions, on: queues)
    }

    /// - Parameter queues: The queues at the time of the decision; a thread may have changed them since.
    private func carryOut(_ actions: [TimelineMachine.Action], on queues: Queues) {
        func each(_ ids: [TimelineMachine.QueueID], _ body: (RenderQueue) -> Void) {
            for id in ids {
                if let queue = queues[id] { body(queue) }
            }
        }
        for action in actions {
            switch action {
            case .publishLine(let isJump): publishLine(isJump: isJump)
            case .notifyRate: events.withLock { $0 }.rateDidChange()
            case .notifyPlaying(let ids, let isPlaying): each(ids) { $0.playingChanges(to: isPlaying) }
            case .stop(let ids, let time): each(ids) { $0.route.stop(at: time) }
            case .stand(let ids, let time): each(ids) { $0.route.stand(at: time) }
            case .flush(let ids, let time): each(ids) { $0.flushAutomatically(from: time) }
            case .join(let ids): each(ids, join)
            case .tryStart: tryStart()
            case .start(let start): startRoutes(start, on: queues)
            case .release(let id): each([id], release)
            }
        }
    }

    /// Starts a queue at the time that the other queues will have reached by then.
    private func join(_ queue: RenderQueue) {
        let now = clock.now
        let place = state.withLock { $0.machine.join(at: now) }
        queue.route.start(at: place.time, rate: place.rate, hostTime: place.hostTime) { _ in }
    }

    private func release(_ queue: RenderQueue) {
        queue.setTimeline(nil)
        queue.lineDidChange()
        queue.route.stop(at: currentTime)
        queue.flush()
    }

    /// Begins the start that waits, if the queues have enough data.
    private func tryStart() {
        let (waiting, queues) = state.withLock { ($0.machine.waitingStart, $0.queues) }
        guard let waiting,
            waiting.asked.allSatisfy({ queues[$0]?.hasSufficientData(at: waiting.time) ?? true })
        else { return }
        let now = clock.now
        carryOut(state.withLock { $0.machine.begin(waiting, at: now) }, on: queues)
    }

    /// Starts the first route, which reports its host time, then the other routes at that time.
    private func startRoutes(_ start: TimelineMachine.Start, on queues: Queues) {
        let (time, rate, generation) = (start.time, start.rate, start.generation)
        // The answer must not keep the first queue, whose route keeps the answer.
        let others = start.others.compactMap { queues[$0] }
        queues[start.first]?.route.start(at: time, rate: rate, hostTime: start.hostTime) { [weak self] host in
            for queue in others { queue.route.start(at: time, rate: rate, hostTime: host) { _ in } }
            self?.decide { $0.machine.started(generation, at: host) }
            if !others.isEmpty { self?.decide { $0.machine.correct(after: generation) } }
        }
        decide { $0.machine.correct(after: generation) }
    }

    // MARK: Publishing

    private func publishLine(isJump: Bool) {
        lineOrder.tell(isJump: isJump) { isJump in
            driveTimebase(isJump: isJump)
            let (line, observers, queues) = state.withLock {
                ($0.machine.line, Array($0.observers.values), $0.queuesInOrder)
            }
            for observer in observers { observer.lineDidChange(line, now: clock.now, isJump: isJump) }
            for queue in queues { queue.lineDidChange() }
            events.withLock { $0 }.lineDidChange(isJump)
        }
    }

    /// Drives the timebase, which stands until sound is heard.
    func driveTimebase(isJump: Bool = false) {
        timebaseOrder.tell(isJump: isJump) { isJump in drive(isJump: isJump) }
    }

    private func drive(isJump: Bool) {
        let line = line
        let isAhead = line.rate != 0 && !line.isRunning(at: clock.now)
        timebase.drive(
            anchorTime: line.time, at: line.host, rate: isAhead ? 0 : line.rate, isJump: isJump)
        guard isAhead else { return firstSound.cancel() }
        firstSound.set(at: line.host) { [weak self] in self?.driveTimebase() }
    }

    // MARK: Observers

    /// Calls `body` on `queue` at each multiple of `interval`, and when time jumps, starts or stops.
    ///
    /// - Returns: A token for ``removeObserver(_:)``.
    package func addPeriodicObserver(
        every interval: CMTime, queue: SerialQueue, body: @escaping @Sendable (CMTime) -> Void
    ) -> Int {
        add(.periodic(interval: interval, body: body), queue: queue)
    }

    /// Calls `body` on `queue` once for each of `times` that playback crosses.
    ///
    /// - Returns: A token for ``removeObserver(_:)``.
    package func addBoundaryObserver(
        at times: [CMTime], queue: SerialQueue, body: @escaping @Sendable () -> Void
    ) -> Int {
        add(.boundary(times: times.filter(\.isNumeric).sorted(), body: body), queue: queue)
    }

    /// Calls `body` on `queue` once, when playback or a jump reaches `time` or passes it.
    ///
    /// - Returns: A token for ``removeObserver(_:)``.
    package func addArrivalObserver(
        at time: CMTime, queue: SerialQueue, body: @escaping @Sendable () -> Void
    ) -> Int {
        add(.arrival(time: time, body: body), queue: queue)
    }

    /// Removes an observer. A call waiting on the queue is dropped, except that of an arrival observer.
    package func removeObserver(_ token: Int) {
        state.withLock { $0.observers.removeValue(forKey: token) }?.cancel()
    }

    private func add(_ kind: TimeObserver.Kind, queue: SerialQueue) -> Int {
        let observer = TimeObserver(kind: kind, queue: queue) { [clock] in clock.now }
        let (token, line) = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = observer
            return (state.nextObserver, state.machine.line)
        }
        observer.begin(with: line, now: clock.now)
        return token
    }
}
