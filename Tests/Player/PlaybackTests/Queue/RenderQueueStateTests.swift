import CoreMedia
import Testing
import TuttiSystemIO

@testable import Playback

@Suite("The state of a render queue")
struct RenderQueueStateTests {
    typealias State = RenderQueueState

    // MARK: Requests

    enum Phase: String, CaseIterable, Sendable { case none, waiting, scheduled, running, stoppedInside }

    enum Call: String, CaseIterable, Sendable { case request, end, schedule, begin, returned }

    private static let queue = SerialQueue(label: "requests")

    /// A state in which request 1 is in `phase`.
    private static func state(in phase: Phase) -> State {
        var state = State()
        if phase == .none { return state }
        _ = state.request(on: queue) {}
        if phase == .waiting { return state }
        _ = state.schedule()
        if phase == .scheduled { return state }
        _ = state.begin(1)
        if phase == .stoppedInside { _ = state.endRequest(isComplete: true) }
        return state
    }

    private static func phase(of state: State) -> Phase {
        switch state.requests {
        case .none: .none
        case .waiting: .waiting
        case .scheduled: .scheduled
        case .running(nil): .stoppedInside
        case .running: .running
        }
    }

    static let transitions: [(Phase, Call, becomes: Phase, request: Int?)] = [
        (.none, .request, .waiting, 1), (.none, .end, .none, nil), (.none, .schedule, .none, nil),
        (.none, .begin, .none, nil), (.none, .returned, .none, nil),
        (.waiting, .request, .waiting, 2), (.waiting, .end, .none, nil), (.waiting, .schedule, .scheduled, 1),
        (.waiting, .begin, .waiting, 1), (.waiting, .returned, .waiting, 1),
        (.scheduled, .request, .waiting, 2), (.scheduled, .end, .none, nil),
        (.scheduled, .schedule, .scheduled, 1), (.scheduled, .begin, .running, 1),
        (.scheduled, .returned, .scheduled, 1),
        (.running, .request, .running, 2), (.running, .end, .stoppedInside, nil),
        (.running, .schedule, .running, 1), (.running, .begin, .running, 1),
        (.running, .returned, .waiting, 1),
        (.stoppedInside, .request, .running, 2), (.stoppedInside, .end, .stoppedInside, nil),
        (.stoppedInside, .schedule, .stoppedInside, nil), (.stoppedInside, .begin, .stoppedInside, nil),
        (.stoppedInside, .returned, .none, nil),
    ]

    @Test("the table has every call in every phase")
    func complete() {
        let pairs = Set(Self.transitions.map { "\($0.0) \($0.1)" })
        #expect(pairs.count == Phase.allCases.count * Call.allCases.count)
    }

    @Test("each call makes its transition in each phase of a request", arguments: transitions)
    func request(phase: Phase, call: Call, becomes: Phase, request: Int?) {
        var state = Self.state(in: phase)
        let before = state.requests.request?.id
        #expect(Self.phase(of: state) == phase)
        switch call {
        case .request: #expect(state.request(on: Self.queue) {}?.id == before)
        case .end: #expect(state.endRequest(isComplete: false)?.id == before)
        case .schedule: #expect((state.schedule() != nil) == (phase == .waiting))
        case .begin: #expect(state.begin(1) == (phase == .scheduled))
        case .returned: #expect(state.returned() == false)
        }
        #expect(Self.phase(of: state) == becomes)
        #expect(state.requests.request?.id == request)
        #expect(state.isOpen == (becomes != .stoppedInside))
    }

    @Test("a replaced call that is still on its queue does not begin")
    func replaced() {
        var state = Self.state(in: .scheduled)
        _ = state.request(on: Self.queue) {}
        #expect(state.schedule()?.id == 2)
        #expect(state.begin(1) == false)
        #expect(state.begin(2) == true)
    }

    @Test("a call knows whether its block enqueued anything")
    func enqueued() {
        var state = Self.state(in: .scheduled)
        _ = state.enqueue(from: .zero, to: .zero)
        #expect(state.begin(1) == true)
        #expect(state.returned() == false)
        #expect(state.schedule() != nil)
        #expect(state.begin(1) == true)
        _ = state.enqueue(from: .zero, to: .zero)
        #expect(state.returned() == true)
    }

    @Test("the end of requests ends the data only if there was a request; a new buffer revokes it")
    func endOfData() {
        var idle = State()
        _ = idle.endRequest(isComplete: true)
        #expect(!idle.isComplete)
        var state = Self.state(in: .waiting)
        _ = state.endRequest(isComplete: true)
        #expect(state.isComplete)
        _ = state.enqueue(from: .zero, to: .zero)
        #expect(!state.isComplete)
    }

    // MARK: Sound

    enum Step: String, CaseIterable, Sendable { case enqueue, begin, fail, recover, flush }

    static let soundTransitions: [(RenderQueue.Status, Step, becomes: RenderQueue.Status, isChange: Bool)] = [
        (.unknown, .enqueue, .unknown, true), (.unknown, .begin, .rendering, true),
        (.unknown, .fail, .failed, true), (.unknown, .recover, .unknown, false),
        (.unknown, .flush, .unknown, false),
        (.rendering, .enqueue, .rendering, true), (.rendering, .begin, .rendering, false),
        (.rendering, .fail, .failed, true), (.rendering, .recover, .rendering, false),
        (.rendering, .flush, .rendering, false),
        (.failed, .enqueue, .failed, false), (.failed, .begin, .failed, false),
        (.failed, .fail, .failed, false), (.failed, .recover, .unknown, true),
        (.failed, .flush, .failed, false),
    ]

    @Test("each step makes its transition in each status", arguments: soundTransitions)
    func sound(status: RenderQueue.Status, step: Step, becomes: RenderQueue.Status, isChange: Bool) {
        var state = State()
        if status == .rendering { _ = state.beginRendering() }
        if status == .failed { _ = state.fail(RenderError("broken"), at: .zero) }
        switch step {
        case .enqueue:
            let acceptance = state.enqueue(from: .zero, to: .zero)
            #expect((acceptance != .refused) == isChange)
            #expect((acceptance == .first) == (status == .unknown))
        case .begin: #expect(state.beginRendering() == isChange)
        case .fail: #expect(state.fail(RenderError("again"), at: nil) == isChange)
        case .recover: #expect(state.recover() == isChange)
        case .flush: state.flush()
        }
        #expect(state.sound.status == becomes)
        #expect(state.isOpen == (becomes != .failed))
        // The first failure stays.
        if case .failed(let error, let time) = state.sound, status == .failed {
            #expect("\(error)" == "broken" && time == .zero)
        }
    }

    // MARK: Data

    private static func time(_ second: Int64) -> CMTime { CMTime(value: second, timescale: 1) }

    static let cuts: [(Int64, isStale: Bool, end: Int64?)] = [
        (3, false, 3), (9, false, 8), (2, false, nil), (1, false, nil), (3, true, 8),
    ]

    @Test("a cut shortens the data, unless a flush came after its request", arguments: cuts)
    func cut(at second: Int64, isStale: Bool, end: Int64?) {
        var state = State()
        _ = state.enqueue(from: Self.time(4), to: Self.time(8))
        let asked = state.flushes
        if isStale { state.flush() }
        _ = state.enqueue(from: Self.time(2), to: Self.time(8))
        state.cut(from: Self.time(second), askedIn: asked)
        #expect(state.data?.end == end.map(Self.time))
        #expect(state.hasData(at: Self.time(7)) == (end == 8))
    }

    // MARK: Holds

    @Test("only the latest automatic flush releases the hold")
    func holds() {
        var state = State()
        let first = state.hold()
        let second = state.hold()
        state.release(first)
        #expect(state.isHeld && !state.isOpen)
        state.release(second)
        #expect(!state.isHeld && state.isOpen)
    }

    static let losses: [(at: Int64, hasData: Bool)] = [(0, true), (7, true), (8, false)]

    @Test("sound that the output loses is requested again only if it was not heard yet", arguments: losses)
    func loses(at second: Int64, hasData: Bool) {
        var state = State()
        _ = state.enqueue(from: Self.time(4), to: Self.time(8))
        #expect(state.lose(from: Self.time(second)) == hasData)
        #expect(state.data == nil && state.isHeld == hasData)
    }

    @Test("a move that keeps the sound holds no requests; a lossy move holds them until it is done")
    func moves() {
        var state = State()
        _ = state.enqueue(from: Self.time(4), to: Self.time(8))
        #expect(state.leave(at: Self.time(5), isWhole: true) == true)
        #expect(!state.isHeld && state.data != nil)
        #expect(state.leave(at: Self.time(5), isWhole: false) == true)
        #expect(state.isHeld && state.data == nil)
        #expect(state.leave(at: Self.time(5), isWhole: false) == false)
        state.arrive()
        #expect(!state.isHeld)
    }

    static let volumes: [(Float, isMuted: Bool, gain: Float)] = [
        (0.5, false, 0.5), (0.5, true, 0), (-1, false, 0), (2, false, 1), (.nan, false, 1),
    ]

    @Test("the gain is the volume, clamped, or 0 while muted", arguments: volumes)
    func gain(volume: Float, isMuted: Bool, gain: Float) {
        var state = State()
        state.setVolume(volume)
        state.isMuted = isMuted
        #expect(state.gain == gain)
    }
}
