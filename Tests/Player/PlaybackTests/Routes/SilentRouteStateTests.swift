import CoreMedia
import Testing
import TuttiMediaTime

@testable import Playback

@Suite("The state of a silent route")
struct SilentRouteStateTests {
    typealias State = SilentRouteState

    private static let now = HostTime(nanoseconds: 1_000_000_000)
    private static let line = PresentationLine(time: .zero, host: now, rate: 1)
    private static func time(_ second: Double) -> CMTime { CMTime(seconds: second, preferredTimescale: 1000) }

    private static func enqueue(_ seconds: Range<Int64>, in state: inout State) throws {
        for second in seconds {
            let buffer = try Buffers.pcm(Sound.noise(44_100), at: Buffers.time(second * 44_100))
            #expect(state.enqueue(buffer, at: now) == (state.phase != .detached))
        }
    }

    enum Call: String, CaseIterable, Sendable { case start, stop, stand, detach }

    private static let another = PresentationLine(time: time(3), host: now, rate: 2)

    static let calls: [(State.Phase, Call, becomes: State.Phase)] = [
        (.standing(at: .zero), .start, .running(another)),
        (.standing(at: .zero), .stop, .standing(at: time(3))),
        (.standing(at: .zero), .stand, .standing(at: time(3))), (.standing(at: .zero), .detach, .detached),
        (.running(line), .start, .running(another)), (.running(line), .stop, .standing(at: time(3))),
        (.running(line), .stand, .running(line)), (.running(line), .detach, .detached),
        (.detached, .start, .detached), (.detached, .stop, .detached), (.detached, .stand, .detached),
        (.detached, .detach, .detached),
    ]

    @Test("each call makes its transition in each phase; a detached route ignores all", arguments: calls)
    func call(phase: State.Phase, call: Call, becomes: State.Phase) throws {
        var state = State()
        if case .running(let line) = phase { #expect(state.start(line) == true) }
        if phase == .detached { _ = state.detach(at: .zero) }
        #expect(state.phase == phase)
        switch call {
        case .start: #expect(state.start(Self.another) == (phase != .detached))
        case .stop: #expect(state.stop(at: Self.time(3)) == (phase != .detached))
        case .stand: #expect(state.stand(at: Self.time(3)) == (phase != .detached))
        case .detach: #expect(state.detach(at: .zero).isEmpty == true)
        }
        #expect(state.phase == becomes)
        try Self.enqueue(0..<1, in: &state)
    }

    @Test("only a full, running route has a deadline: the time when three seconds are left")
    func deadline() throws {
        var state = State()
        try Self.enqueue(0..<5, in: &state)
        #expect(state.isFull && state.deadline == nil)
        #expect(state.start(Self.line) == true)
        #expect(state.deadline == Self.now.advanced(by: .seconds(2)))
        #expect(state.start(PresentationLine(time: .zero, host: Self.now, rate: 2)) == true)
        #expect(state.deadline == Self.now.advanced(by: .seconds(1)))
        let due = Self.now.advanced(by: .seconds(1))
        let isReady = state.isReady(at: due)
        #expect(isReady && state.deadline == nil)
        #expect(state.detach(at: .zero).count == 3)
    }
}
