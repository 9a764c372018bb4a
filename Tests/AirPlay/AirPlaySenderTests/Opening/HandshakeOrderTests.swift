import AirPlayMessages
import Testing
import TuttiRTSP
import TuttiSystemIO

@testable import AirPlaySender

@Suite("Handshake of an AirPlay 2 session: inputs in every phase")
struct HandshakeOrderTests {
    typealias Wait = HandshakeRun.Wait
    typealias Input = AirPlay2Handshake.Input

    private static let lost = SpeakerFailure(.lost, "the speaker closed the connection", isOrderly: true)

    private static let streams: [SessionChoice.Stream] = [.buffered, .realtime]

    /// Returns a handshake with a speaker that was unreachable, and that takes this kind of stream.
    private static func run(_ stream: SessionChoice.Stream) -> HandshakeRun {
        var configuration = HandshakeRun.configuration()
        configuration.isReturning = true
        configuration.target.override.stream = stream
        return HandshakeRun(configuration)
    }

    @Test(
        "a lost connection ends the handshake with its cause if a request is pending",
        arguments: streams, Wait.allCases)
    func connectionEnds(stream: SessionChoice.Stream, wait: Wait) throws {
        guard Wait.all(of: stream).contains(wait) else { return }
        var run = Self.run(stream)
        try run.run(to: wait)
        let isRequest = if case .send = run.waiting?.output { true } else { false }
        run.give(.unanswered(Self.lost))
        switch wait {
        case .info: #expect(run.failure?.code == .lost && run.failure?.isOrderly == false)
        default: #expect(run.failure == (isRequest ? Self.lost : nil))
        }
    }

    @Test(
        "a cancelled handshake ends in any phase, and removes the clock peer", arguments: streams,
        Wait.allCases)
    func cancelled(stream: SessionChoice.Stream, wait: Wait) throws {
        guard Wait.all(of: stream).contains(wait) else { return }
        var run = Self.run(stream)
        try run.run(to: wait)
        run.give(.cancelled)
        #expect(run.failure?.code == .closed)
        #expect(run.trace.contains("remove 10.0.0.2") == run.trace.contains("GET /info"))
    }

    private static let inputs: [(Input, fits: Set<Wait>)] = [
        (.connected(HandshakeRun.link), [.connect]),
        (.notConnected(SystemError(operation: "connect", code: 111)), [.connect]),
        (.waited, [.settle]), (.peerAdded, [.addPeer]), (.peerRefused(lost), [.addPeer]),
        (.answered(RTSPResponse()), [.info, .pairStart, .pairProof, .session, .record, .peers, .stream]),
        (.unanswered(lost), [.info, .pairStart, .pairProof, .session, .record, .peers, .stream]),
        (.portsBound(BoundPorts()), [.ports]), (.portsNotBound("x"), [.ports]),
        (.eventsConnected, [.events]), (.eventsNotConnected(SystemError(operation: "x", code: 1)), [.events]),
        (.format(.aac44100), [.format]), (.format(nil), [.format]),
        (.streamOpened(isContinued: true), [.data]), (.streamNotOpened("x"), [.data]),
        (.soundEvicted, [.data]),
    ]

    @Test(
        "an input that the current phase does not expect changes nothing", arguments: streams, Wait.allCases)
    func outOfOrder(stream: SessionChoice.Stream, wait: Wait) throws {
        guard Wait.all(of: stream).contains(wait) else { return }
        var run = Self.run(stream)
        try run.run(to: wait)
        let (waiting, trace) = (run.waiting, run.trace)
        for (input, fits) in Self.inputs where !fits.contains(wait) {
            run.handshake.receive(input, at: HandshakeRun.now)
            #expect(run.handshake.nextOutput() == nil, "\(input) at \(wait)")
        }
        #expect(run.trace == trace && waiting?.wait == wait)
        try run.run()
        #expect(run.opened != nil)
        // No input changes a finished handshake either.
        for (input, _) in Self.inputs {
            run.handshake.receive(input, at: HandshakeRun.now)
            #expect(run.handshake.nextOutput() == nil)
        }
    }

    @Test(
        "a response body truncated at any byte fails the handshake",
        arguments: [Wait.info, .pairStart, .pairProof, .session, .stream])
    func cutShort(wait: Wait) throws {
        var run = HandshakeRun()
        try run.run(to: wait)
        guard case .send(let request, _) = run.waiting?.output else {
            Issue.record("no request")
            return
        }
        let whole = run.answer(request)
        for count in 0..<whole.body.count {
            var cut = run
            cut.give(.answered(RTSPResponse(contentType: "x", body: Array(whole.body[..<count]))))
            // The proof detects a key that is truncated at the end of one of its fragments.
            try cut.run()
            #expect(cut.failure != nil && cut.opened == nil, "\(count) bytes at \(wait)")
        }
        run.give(.answered(whole))
        try run.run()
        #expect(run.opened != nil)
    }

    @Test("a refused event connection is tried again a few times, after a pause", arguments: 0...4)
    func eventsRefused(times: Int) throws {
        var run = HandshakeRun()
        let refused = AirPlay2Handshake.Input.eventsNotConnected(SystemError(operation: "connect", code: 111))
        for _ in 0..<times {
            try run.run(to: .events)
            run.give(refused)
            if run.failure == nil { #expect(run.trace.last == "wait 0.2 seconds") }
        }
        try run.run()
        #expect((run.opened == nil) == (times > 3) && (run.failure?.code == .refused) == (times > 3))
        #expect(run.trace.filter { $0.hasPrefix("events") }.count == min(times + 1, 4))
    }
}
