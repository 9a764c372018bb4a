import CoreMedia
import Testing
import TuttiMediaTime

@testable import Playback

@Suite("The state of a packet route")
struct PacketRouteStateTests {
    typealias State = PacketRouteState

    private static let now = HostTime(nanoseconds: 1_000_000_000_000)

    private static func time(_ second: Double) -> CMTime {
        CMTime(seconds: second, preferredTimescale: 44_100)
    }

    /// Unwraps the result of a transition, which a macro cannot call.
    private func required<Value>(_ value: Value?) throws -> Value { try #require(value) }

    private static func enqueue(_ seconds: Range<Int>, in state: inout State) throws {
        for second in seconds {
            let buffer = try Buffers.pcm(Sound.noise(44_100), at: Buffers.time(Int64(second) * 44_100))
            let amount = UnpackedSound.Amount(of: buffer)
            guard let generation = state.enqueue(buffer, amount) else { continue }
            _ = state.arrive(amount, in: generation)
        }
    }

    /// Packs everything that was enqueued.
    private static func pack(_ state: inout State, isWaitingForRoom: Bool = false) {
        state.publish(
            waiting: UnpackedSound.Amount(), encoded: state.enqueued, isWaitingForRoom: isWaitingForRoom,
            at: now)
    }

    // MARK: Calls

    enum Call: String, CaseIterable, Sendable { case start, stop, stopEmpty, flush, enqueue, detach }

    /// A state with a second of sound.
    private static func state(in phase: State.Phase, depth: RouteDepth = .buffered) throws -> State {
        var state = State(depth: depth)
        try enqueue(0..<1, in: &state)
        if phase == .playing || phase == .paused { _ = state.start(at: .zero) }
        if phase == .paused { _ = state.stop() }
        if phase == .detached { _ = state.detach(at: .zero) }
        return state
    }

    static let calls: [(State.Phase, Call, becomes: State.Phase)] = [
        (.open, .start, .playing), (.open, .stop, .open), (.open, .stopEmpty, .open), (.open, .flush, .open),
        (.open, .enqueue, .open), (.open, .detach, .detached),
        (.playing, .start, .playing), (.playing, .stop, .paused), (.playing, .stopEmpty, .open),
        (.playing, .flush, .playing), (.playing, .enqueue, .playing), (.playing, .detach, .detached),
        (.paused, .start, .playing), (.paused, .stop, .paused), (.paused, .stopEmpty, .open),
        (.paused, .flush, .open), (.paused, .enqueue, .paused), (.paused, .detach, .detached),
        (.detached, .start, .detached), (.detached, .stop, .detached), (.detached, .stopEmpty, .detached),
        (.detached, .flush, .detached), (.detached, .enqueue, .detached), (.detached, .detach, .detached),
    ]

    @Test("the table has every call in every phase")
    func complete() {
        #expect(Set(Self.calls.map { "\($0.0) \($0.1)" }).count == 4 * Call.allCases.count)
    }

    @Test("each call makes its transition in each phase; a detached route ignores all", arguments: calls)
    func call(phase: State.Phase, call: Call, becomes: State.Phase) throws {
        var state = try Self.state(in: phase)
        #expect(state.phase == phase)
        let generation = state.flushes.begun
        let isLive = phase != .detached
        switch call {
        case .start: #expect((state.start(at: .zero) != nil) == isLive)
        case .stop: #expect(state.stop() == isLive)
        case .stopEmpty:
            state.forget(state.cut(from: .zero) { _ in })
            #expect(state.stop() == isLive)
        case .flush: #expect(state.flush() == (isLive ? generation + 1 : nil))
        case .enqueue:
            let buffer = try Buffers.pcm(Sound.noise(100), at: .zero)
            #expect(state.enqueue(buffer, UnpackedSound.Amount(of: buffer)) == (isLive ? generation : nil))
        case .detach: #expect((state.detach(at: .zero) != nil) == (phase == .open))
        }
        #expect(state.phase == becomes)
    }

    @Test(
        "buffers are kept at a depth of seconds, or until a start fixes the rate", arguments: [true, false])
    func keeps(isShallow: Bool) throws {
        let depth: RouteDepth = isShallow ? .local : .buffered
        for phase in [State.Phase.open, .playing, .paused] {
            var state = try Self.state(in: phase, depth: depth)
            let count = isShallow || phase == .open ? 1 : nil
            #expect(state.detach(at: .zero)?.count == count)
        }
        var heard = try Self.state(in: .open, depth: depth)
        #expect(heard.detach(at: Self.time(1))?.count == 0)
    }

    @Test("a start gets the queued buffers, or reports that only their packets are left")
    func queued() throws {
        var state = try Self.state(in: .open)
        let first = try required(state.start(at: .zero))
        #expect(first.buffers.count == 1 && !first.isLost)
        let second = try required(state.start(at: Self.time(0.5)))
        #expect(second.buffers.isEmpty && second.isLost)
        let behind = try required(state.start(at: Self.time(1)))
        #expect(!behind.isLost)
    }

    // MARK: Generations

    @Test("late work of an older generation changes nothing")
    func generations() throws {
        var state = State(depth: .local)
        try Self.enqueue(0..<2, in: &state)
        let amount = UnpackedSound.Amount(seconds: 1, bytes: 100)
        let cut = state.cut(from: Self.time(1)) { _ in }
        let generation = state.flushes.begun
        let reached = try required(state.flush())
        #expect(state.arrive(amount, in: generation) == false)
        state.publish(waiting: amount, encoded: (.zero, Self.time(2)), isWaitingForRoom: true, at: Self.now)
        #expect(state.encoded == nil && state.backlog.total == UnpackedSound.Amount())
        #expect(!state.allows(cut, at: Self.now))
        #expect(!state.mayPack)
        try Self.enqueue(0..<2, in: &state)
        state.forget(cut)
        #expect(state.enqueued?.end == Self.time(2))
        state.reach(reached)
        #expect(state.mayPack)
        Self.pack(&state)
        #expect(state.encoded?.end == Self.time(2))
        _ = state.detach(at: .zero)
        #expect(!state.mayPack)
        state.publish(waiting: amount, encoded: nil, isWaitingForRoom: false, at: Self.now)
        #expect(state.encoded != nil)
    }

    @Test("a cut revokes the end of data, unless the end was signalled again", arguments: [true, false])
    func ends(isSignalledAgain: Bool) throws {
        var state = try Self.state(in: .open)
        state.endOfData()
        let cut = state.cut(from: .zero) { _ in }
        if isSignalledAgain { state.endOfData() }
        state.forget(cut)
        #expect(state.isComplete == isSignalledAgain)
    }

    // MARK: The output

    enum Step: String, CaseIterable, Sendable {
        case begin, answer, oldAnswer, end, endElsewhere, stand, detach
    }

    enum RunPhase: String, CaseIterable, Sendable { case unstarted, starting, running, stopped }

    private static func state(in phase: RunPhase) -> State {
        var state = State(depth: .local)
        if phase == .unstarted { return state }
        _ = state.start(at: .zero)
        _ = state.begin(at: .zero, rate: 1, now: now)
        if phase == .running { _ = state.answer(1, host: now) }
        if phase == .stopped { _ = state.end(at: .zero, now: now) }
        return state
    }

    private static let line = PresentationLine(time: .zero, host: now, rate: 1)
    private static let later = now.advanced(by: .seconds(1))

    static let steps: [(RunPhase, Step, becomes: State.Run, isDone: Bool)] = [
        (.unstarted, .begin, .starting(id: 1, at: time(3), rate: 2), true),
        (.unstarted, .answer, .unstarted(at: .zero), false),
        (.unstarted, .oldAnswer, .unstarted(at: .zero), false),
        (.unstarted, .end, .unstarted(at: .zero), false),
        (.unstarted, .endElsewhere, .unstarted(at: time(3)), false),
        (.unstarted, .stand, .unstarted(at: time(3)), true),
        (.unstarted, .detach, .stopped(at: time(3)), false),
        (.starting, .begin, .starting(id: 2, at: time(3), rate: 2), true),
        (
            .starting, .answer, .running(id: 1, line: PresentationLine(time: .zero, host: later, rate: 1)),
            true
        ),
        (.starting, .oldAnswer, .starting(id: 1, at: .zero, rate: 1), false),
        (.starting, .end, .stopped(at: .zero), true), (.starting, .endElsewhere, .stopped(at: time(3)), true),
        (.starting, .stand, .starting(id: 1, at: .zero, rate: 1), true),
        (.starting, .detach, .stopped(at: time(3)), false),
        (.running, .begin, .starting(id: 2, at: time(3), rate: 2), true),
        (.running, .answer, .running(id: 1, line: PresentationLine(time: .zero, host: later, rate: 1)), true),
        (.running, .oldAnswer, .running(id: 1, line: line), false),
        (.running, .end, .stopped(at: .zero), true), (.running, .endElsewhere, .stopped(at: time(3)), true),
        (.running, .stand, .running(id: 1, line: line), true),
        (.running, .detach, .stopped(at: time(3)), false),
        (.stopped, .begin, .starting(id: 2, at: time(3), rate: 2), true),
        (.stopped, .answer, .stopped(at: .zero), false), (.stopped, .oldAnswer, .stopped(at: .zero), false),
        (.stopped, .end, .stopped(at: .zero), false), (.stopped, .endElsewhere, .stopped(at: time(3)), true),
        (.stopped, .stand, .stopped(at: time(3)), true), (.stopped, .detach, .stopped(at: time(3)), false),
    ]

    @Test("the table has every step in every phase of the output")
    func completeRun() {
        let pairs = Set(Self.steps.map { "\($0.0) \($0.1)" })
        #expect(pairs.count == RunPhase.allCases.count * Step.allCases.count)
    }

    @Test("each step makes its transition in each phase of the output", arguments: steps)
    func step(phase: RunPhase, step: Step, becomes: State.Run, isDone: Bool) {
        var state = Self.state(in: phase)
        switch step {
        case .begin: #expect((state.begin(at: Self.time(3), rate: 2, now: Self.now) != nil) == isDone)
        case .answer: #expect(state.answer(1, host: Self.later) == isDone)
        case .oldAnswer: #expect(state.answer(0, host: Self.later) == isDone)
        case .end: #expect(state.end(at: .zero, now: Self.now) == isDone)
        case .endElsewhere: #expect(state.end(at: Self.time(3), now: Self.now) == isDone)
        case .stand: state.stand(at: Self.time(3), now: Self.now)
        case .detach:
            _ = state.detach(at: Self.time(3))
            #expect(state.begin(at: .zero, rate: 1, now: Self.now) == nil)
            #expect(state.answer(1, host: Self.later) == false)
        }
        #expect(state.run == becomes)
    }

    // MARK: Packing

    enum Work: String, CaseIterable, Sendable { case idle, queued, asking, cutting }

    enum Turn: String, CaseIterable, Sendable { case queue, step, oldStep, ask, answered, cut, endCut }

    private static func state(in work: Work) -> State {
        var state = State(depth: .local)
        switch work {
        case .idle: break
        case .queued: _ = state.queueStep()
        case .asking: state.ask()
        case .cutting: state.beginCut()
        }
        return state
    }

    private static func work(of state: State) -> Work {
        switch state.packing {
        case .idle: .idle
        case .queued: .queued
        case .asking: .asking
        case .cutting: .cutting
        }
    }

    static let turns: [(Work, Turn, becomes: Work)] = [
        (.idle, .queue, .queued), (.idle, .step, .idle), (.idle, .oldStep, .idle), (.idle, .ask, .asking),
        (.idle, .answered, .idle), (.idle, .cut, .cutting), (.idle, .endCut, .idle),
        (.queued, .queue, .queued), (.queued, .step, .idle), (.queued, .oldStep, .queued),
        (.queued, .ask, .asking), (.queued, .answered, .queued), (.queued, .cut, .cutting),
        (.queued, .endCut, .queued),
        (.asking, .queue, .asking), (.asking, .step, .asking), (.asking, .oldStep, .asking),
        (.asking, .ask, .asking), (.asking, .answered, .idle), (.asking, .cut, .cutting),
        (.asking, .endCut, .asking),
        (.cutting, .queue, .cutting), (.cutting, .step, .cutting), (.cutting, .oldStep, .cutting),
        (.cutting, .ask, .cutting), (.cutting, .answered, .cutting), (.cutting, .cut, .cutting),
        (.cutting, .endCut, .idle),
    ]

    @Test("the table has every turn in every phase of the work")
    func completeWork() {
        let pairs = Set(Self.turns.map { "\($0.0) \($0.1)" })
        #expect(pairs.count == Work.allCases.count * Turn.allCases.count)
    }

    @Test("each turn makes its transition in each phase of the work", arguments: turns)
    func turn(work: Work, turn: Turn, becomes: Work) {
        var state = Self.state(in: work)
        switch turn {
        case .queue: #expect((state.queueStep() != nil) == (work == .idle))
        case .step: #expect(state.beginStep(1) == (work == .queued))
        case .oldStep: #expect(state.beginStep(0) == false)
        case .ask: state.ask()
        case .answered: state.answered()
        case .cut: state.beginCut()
        case .endCut: #expect(state.endCut().isEmpty == true)
        }
        #expect(Self.work(of: state) == becomes)
        #expect(state.mayPack == (becomes == .idle || becomes == .queued))
    }

    @Test("cuts wait, in order, for the one in progress")
    func cutsWait() {
        var state = State(depth: .local)
        let cuts = (1...3).map { state.cut(from: Self.time(Double($0))) { _ in } }
        #expect(state.mayBegin(cuts[0]) == true)
        state.beginCut()
        #expect(state.mayBegin(cuts[1]) == false)
        #expect(state.mayBegin(cuts[2]) == false)
        #expect(state.endCut().map(\.time) == [Self.time(2), Self.time(3)])
        #expect(state.mayBegin(cuts[1]) == true)
    }

    // MARK: Deadlines

    @Test("a full route wakes when the low-water mark is reached, and not again")
    func lowMark() throws {
        var state = Self.state(in: .running)
        try Self.enqueue(0..<5, in: &state)
        Self.pack(&state)
        _ = state.release(at: Self.now)
        #expect(state.isReady(at: Self.now) == false)
        // Five seconds less the low-water mark of three.
        #expect(state.deadline == Self.now.advanced(by: .seconds(2)))
        let due = Self.now.advanced(by: .seconds(2))
        // Another caller sees the room first; the waiting client must still be notified.
        #expect(state.isReady(at: due) == true)
        #expect(state.deadline == due)
        #expect(state.release(at: due) == Self.time(2))
        #expect(!state.isFull)
        #expect(state.deadline == due.advanced(by: RouteWakes.rest))
    }

    @Test("a route wakes often while sound waits for room, and seldom otherwise")
    func room() throws {
        var state = State(depth: .buffered)
        try Self.enqueue(0..<5, in: &state)
        _ = state.start(at: .zero)
        let start = try required(state.begin(at: .zero, rate: 1, now: Self.now))
        #expect(state.answer(start, host: Self.now) == true)
        Self.pack(&state, isWaitingForRoom: true)
        _ = state.release(at: Self.now)
        #expect(state.deadline == Self.now.advanced(by: RouteDepth.buffered.refill))
        Self.pack(&state)
        #expect(state.deadline == Self.now.advanced(by: RouteWakes.rest))
        // All sound was heard and released.
        let end = Self.now.advanced(by: .seconds(60))
        _ = state.release(at: end)
        #expect(state.deadline == nil)
    }

    @Test("a stopped route wakes once after a change, then never")
    func stopped() throws {
        var state = Self.state(in: .running)
        try Self.enqueue(0..<5, in: &state)
        Self.pack(&state)
        _ = state.release(at: Self.now)
        #expect(state.end(at: Self.time(1), now: Self.now) == true)
        let due = Self.now.advanced(by: RouteDepth.local.refill)
        #expect(state.deadline == due)
        state.stand(at: Self.time(2), now: due)
        #expect(state.deadline == due)
        #expect(state.release(at: due) == Self.time(2))
        #expect(state.deadline == nil)
        #expect(!State(depth: .local).isFull && State(depth: .local).deadline == nil)
    }

    @Test("a stopped route with a full store keeps waking until a speaker has reported its size")
    func unknownSize() throws {
        var state = State(depth: .buffered)
        try Self.enqueue(0..<5, in: &state)
        for second in 0..<3 {
            let now = Self.now.advanced(by: .seconds(second))
            state.publish(waiting: UnpackedSound.Amount(), encoded: nil, isWaitingForRoom: true, at: now)
            let due = now.advanced(by: RouteDepth.buffered.refill)
            #expect(state.deadline == due)
            _ = state.release(at: due)
        }
        state.bufferSize.answered(8 << 20)
        state.publish(waiting: UnpackedSound.Amount(), encoded: nil, isWaitingForRoom: true, at: Self.now)
        #expect(state.deadline == nil)
    }

    @Test("a detached route never wakes and releases nothing")
    func detached() throws {
        var state = Self.state(in: .running)
        try Self.enqueue(0..<5, in: &state)
        _ = state.isReady(at: Self.now)
        _ = state.detach(at: .zero)
        #expect(state.deadline == nil)
        #expect(state.release(at: Self.now) == nil)
    }

    @Test("the buffer size is queried one request at a time, and often until it is known")
    func bufferSize() {
        var size = RouteBufferSize()
        let standard = size.storeLimit
        #expect(size.ask(at: Self.now, isUrgent: false) == true)
        #expect(size.ask(at: Self.now, isUrgent: true) == false)
        size.answered(nil)
        #expect(size.storeLimit == standard)
        #expect(size.ask(at: Self.now, isUrgent: false) == true)
        size.answered(16 << 20)
        #expect(size.storeLimit == standard + (8 << 20))
        #expect(size.ask(at: Self.now, isUrgent: false) == false)
        #expect(size.ask(at: Self.now, isUrgent: true) == true)
        size.answered(nil)
        #expect(size.bytes == 16 << 20)
        #expect(size.ask(at: Self.now.advanced(by: RouteWakes.rest), isUrgent: false) == true)
    }
}
