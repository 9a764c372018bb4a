import AirPlayMessages
import HomeKitPairing
import Testing
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

@testable import AirPlaySender

@Suite("Handshake of an AirPlay 2 session, without sockets")
struct AirPlay2HandshakeTests {
    typealias Wait = HandshakeRun.Wait
    typealias Input = AirPlay2Handshake.Input

    @Test("the steps of a successful handshake have the one order that every receiver accepts")
    func order() throws {
        var run = HandshakeRun()
        try run.run()
        let url = "rtsp://10.0.0.1/77"
        #expect(
            run.trace == [
                "connect 10.0.0.2:7000 4.0 seconds", "add 10.0.0.2", "GET /info", "describe", "behaviour",
                "POST /pair-setup", "POST /pair-setup", "encrypt", "SETUP \(url)", "events 10.0.0.2:1111",
                "RECORD \(url)", "SETPEERS \(url)", "format", "SETUP \(url)", "restart 10.0.0.2",
                "data 10.0.0.2:2222", "opened",
            ])
        let opened = try #require(run.opened)
        #expect(opened.url == url && opened.peer == HandshakeRun.peer)
        #expect(opened.streamID == 3 && opened.bufferBytes == 8 << 20 && !opened.isContinuing)
        #expect(run.failure == nil)
    }

    @Test("each phase belongs to a step, and the steps are taken in their order")
    func steps() throws {
        var seen: [OpeningStep.Kind] = []
        for wait in Wait.allCases where wait != .settle && wait != .ports {
            var run = HandshakeRun()
            try run.run(to: wait)
            if let step = run.handshake.step, step != seen.last { seen.append(step) }
        }
        #expect(seen == OpeningStep.Kind.allCases)
        var run = HandshakeRun()
        try run.run(to: .format)
        #expect(run.handshake.step == nil)
        try run.run()
        #expect(run.handshake.step == nil)
    }

    @Test("a step ends when the next begins, or with the end of all")
    func stepTimes() {
        func at(_ seconds: Int64) -> HostTime { HostTime(nanoseconds: seconds * 1_000_000_000) }
        var timer = OpeningStepTimer()
        timer.begin(.port, at: at(0))
        #expect(timer.enter(.port, at: at(1)) == nil && timer.enter(nil, at: at(2)) == nil)
        #expect(timer.enter(.info, at: at(3)) == OpeningStep(.port, duration: .seconds(3)))
        #expect(timer.end(at: at(4)) == OpeningStep(.info, duration: .seconds(1)))
        #expect(timer.end(at: at(5)) == nil && timer.enter(.session, at: at(6)) == nil)
        for code in [SpeakerFailure.Code.busy, .passwordNeeded, .pinNeeded] {
            let failure = SpeakerFailure(code, "no")
            timer.begin(.session, at: at(6))
            let kind: OpeningStep.Kind = code == .busy ? .session : .access
            #expect(
                timer.end(failure, at: at(8)) == OpeningStep(kind, duration: .seconds(2), failure: failure))
        }
    }

    @Test("each request has the fields that receivers need")
    func requests() throws {
        var run = HandshakeRun()
        try run.run()
        let session = try SessionSetupRequest(body: run.requests[3].body)
        #expect(session.sessionUUID == "SESSION" && session.isContinuing == nil)
        #expect(session.timingPeerInfo?.id == "PEER" && session.timingPeerList.count == 1)
        #expect(session.timingPeerInfo?.clockIdentity == HandshakeRun.clock)
        let peers = try PeerList(body: run.requests[5].body)
        #expect(peers.addresses == ["10.0.0.2", "10.0.0.1"])
        let stream = try StreamSetupRequest(body: run.requests[6].body)
        #expect(stream.key == HandshakeRun.numbers.key && stream.streamConnectionID == 88)
        #expect(stream.kind == .buffered && stream.format == .alac44100x16)
        for request in run.requests {
            #expect((request.headers["X-Apple-HKP"] == "4") == (request.path == "/pair-setup"))
            #expect((request.headers["Content-Type"] != nil) == !request.body.isEmpty)
        }
    }

    @Test("a resumed session connects quickly, and continues its stream if the speaker can")
    func resumed() throws {
        var configuration = HandshakeRun.configuration()
        (configuration.isResuming, configuration.isReturning, configuration.yieldsToOthers) = (
            true, true, true
        )
        for continuesAt in [Int64(4711), nil] {
            var run = HandshakeRun(configuration, receiver: HandshakeRun.info(status: [.sessionActive]))
            run.continuesAt = continuesAt
            try run.run(to: .data)
            #expect(
                run.trace.first == "connect 10.0.0.2:7000 1.5 seconds"
                    && !run.trace.contains { $0.hasPrefix("wait") })
            #expect(try SessionSetupRequest(body: run.requests[3].body).isContinuing == true)
            guard case .openStream(let stream, _) = run.waiting?.output else {
                Issue.record("no stream")
                return
            }
            #expect(stream.continuesAt?.rawValue == continuesAt.map { UInt32($0) })
            try run.run()
            #expect(run.opened?.isContinuing == (continuesAt != nil))
        }
    }

    @Test("a session that is not resumed starts its stream anew, even if the speaker offers to continue one")
    func notResumed() throws {
        var run = HandshakeRun()
        run.continuesAt = 4711
        try run.run()
        #expect(run.opened?.isContinuing == false)
    }

    @Test("a speaker that was unreachable gets time to come up before the first request")
    func returning() throws {
        var configuration = HandshakeRun.configuration()
        configuration.isReturning = true
        var run = HandshakeRun(configuration)
        try run.run()
        #expect(Array(run.trace[1...3]) == ["wait 2.5 seconds", "add 10.0.0.2", "GET /info"])
    }

    @Test("addresses are tried in order, and the failure names the last error")
    func addresses() throws {
        var run = HandshakeRun()
        run.give(.notConnected(SystemError(operation: "connect", code: 111)))
        #expect(run.trace.last == "connect 10.0.1.2:7001 4.0 seconds")
        var other = run
        other.give(.notConnected(SystemError(operation: "connect", code: 110)))
        #expect(other.failure?.code == .unreachable)
        #expect(
            other.failure?.message
                == "Kitchen does not answer at 10.0.0.2:7000: \(SystemError(operation: "connect", code: 110)); is it switched on, and on this network?"
        )
        try run.run()
        #expect(run.opened != nil)
    }

    @Test(
        "the buffer has the size that the speaker announces, within limits",
        arguments: [(nil, 4 << 20), (1000, 4 << 20), (40_000, 40_000), (Int64(UInt32.max), 1 << 30)]
            as [(Int64?, Int)])
    func buffer(named: Int64?, used: Int) throws {
        var run = HandshakeRun()
        try run.run(to: .stream)
        run.give(
            .answered(
                RTSPResponse(
                    contentType: PeerList.contentType,
                    body: StreamSetupResponse(dataPort: 1, audioBufferSize: named).body)))
        try run.run()
        #expect(run.opened?.bufferBytes == used)
    }

    // MARK: Refusals

    struct Refusal: Sendable {
        var name: String
        var wait: Wait
        var code: SpeakerFailure.Code
        var message: String?
        var retryDelay: Duration?
        var input: @Sendable (inout HandshakeRun) -> Input

        init(
            _ name: String, _ wait: Wait, _ code: SpeakerFailure.Code, _ message: String? = nil,
            retryDelay: Duration? = nil, input: @escaping @Sendable (inout HandshakeRun) -> Input
        ) {
            (self.name, self.wait, self.code) = (name, wait, code)
            (self.message, self.retryDelay, self.input) = (message, retryDelay, input)
        }
    }

    private static func status(_ status: RTSPStatus, _ headers: RTSPHeaders = [:]) -> Input {
        .answered(RTSPResponse(status, headers: headers))
    }

    private static func empty(_ run: inout HandshakeRun) -> Input {
        .answered(RTSPResponse(contentType: PeerList.contentType, body: PropertyList.dictionary([:]).encoded))
    }

    private static func pairing(_ error: PairingError, _ status: RTSPStatus = .ok)
        -> @Sendable (inout HandshakeRun) -> Input
    {
        { run in
            .answered(RTSPResponse(status, contentType: "application/octet-stream", body: run.refusal(error)))
        }
    }

    private static let silent = SpeakerFailure(.silent, "the speaker did not answer in time")

    static let refusals =
        descriptionRefusals + pairingStatusRefusals + pairingRefusals + sessionRefusals + streamRefusals

    private static let descriptionRefusals: [Refusal] = [
        Refusal(
            "no /info", .info, .refused,
            "Kitchen refused to describe itself (status 404); restart it; if that does not help, update it"
        ) { _ in
            status(.notFound)
        },
        Refusal("an empty /info", .info, .notASpeaker) { _ in status(.ok) },
        Refusal(
            "not RTSP", .info, .notASpeaker,
            "Kitchen answers, but not as an AirPlay speaker; restart it, and check whether another device has its address"
        ) { _ in
            .unanswered(SpeakerFailure(.refused, "x"))
        },
        Refusal(
            "silent at /info", .info, .silent,
            "Kitchen accepts a connection, but does not answer; if it is not just starting, restart it"
        ) { _ in
            .unanswered(silent)
        },
    ]

    private static let pairingStatusRefusals: [Refusal] = [
        Refusal("only known controllers", .pairStart, .forbidden) { _ in status(.forbidden) },
        Refusal("pairing needed", .pairStart, .pinNeeded) { _ in status(.connectionAuthorizationRequired) },
        Refusal("too many senders", .pairStart, .refused, retryDelay: .seconds(1)) { _ in
            status(.notEnoughBandwidth)
        },
        Refusal("too many, with a time", .pairStart, .refused, retryDelay: .seconds(400)) { _ in
            status(.serviceUnavailable, ["Retry-After": "400"])
        },
        Refusal("too many, for an age", .pairStart, .refused, retryDelay: .seconds(600)) { _ in
            status(.notEnoughBandwidth, ["Retry-After": "99999999"])
        },
        Refusal("another error", .pairStart, .refused) { _ in status(.internalServerError) },
        Refusal("an empty body", .pairStart, .refused) { _ in status(.ok) },
    ]

    private static let pairingRefusals: [Refusal] = [
        Refusal(
            "back-off", .pairStart, .refused, retryDelay: .seconds(16), input: pairing(.backOff(seconds: 16))),
        Refusal(
            "back-off with an error status", .pairStart, .refused, retryDelay: .seconds(16),
            input: pairing(.backOff(seconds: 16), .forbidden)),
        Refusal(
            "too many tries", .pairStart, .refused, retryDelay: .seconds(600), input: pairing(.tooManyTries)),
        Refusal("too many controllers", .pairStart, .refused, input: pairing(.tooManyPeers)),
        Refusal("busy pairing", .pairStart, .refused, retryDelay: .seconds(1), input: pairing(.busy)),
        Refusal("access limited", .pairStart, .forbidden, input: pairing(.unavailable)),
        Refusal(
            "unknown error, by status", .pairStart, .forbidden, input: pairing(.refused(code: 99), .forbidden)
        ),
        Refusal(
            "wrong password", .pairProof, .passwordNeeded,
            "Kitchen needs a password: give it with --password-file", input: pairing(.authenticationFailed)),
        Refusal(
            "wrong password with an error status", .pairProof, .passwordNeeded,
            input: pairing(.authenticationFailed, .connectionAuthorizationRequired)),
        Refusal("a start repeated", .pairProof, .refused) { run in
            var again = PairSetupAccessory(password: PairSetup.transientPassword)
            var controller = PairSetupController()
            guard case .send(let reply) = again.receive(controller.start()) else { return .cancelled }
            return .answered(RTSPResponse(contentType: "application/octet-stream", body: reply))
        },
    ]

    private static let sessionRefusals: [Refusal] = [
        Refusal("busy", .session, .busy, "Kitchen is busy with another sender") { _ in
            status(.notEnoughBandwidth)
        },
        Refusal("a password at SETUP", .session, .passwordNeeded) { _ in status(.unauthorized) },
        Refusal(
            "no session", .session, .refused,
            "Kitchen refused a session (status 500); restart it; if that does not help, update it"
        ) { _ in
            status(.internalServerError)
        },
        Refusal("a session with another success", .session, .refused) { _ in status(RTSPStatus(rawValue: 204))
        },
        Refusal("no event port", .session, .refused, input: empty),
        Refusal("no event connection", .events, .refused) { _ in
            .eventsNotConnected(SystemError(operation: "connect", code: 110))
        },
        Refusal(
            "no RECORD", .record, .refused,
            "Kitchen refused to record (status 455); restart it; if that does not help, update it"
        ) { _ in
            status(.methodNotValidInThisState)
        },
        Refusal(
            "no peers", .peers, .refused,
            "Kitchen refused its clock peers (status 400); restart it; if that does not help, update it"
        ) { _ in
            status(.badRequest)
        },
        Refusal("the group is gone", .format, .closed) { _ in .format(nil) },
    ]

    private static let streamRefusals: [Refusal] = [
        Refusal("no stream", .stream, .refused) { _ in status(.badRequest) },
        Refusal("busy at the stream", .stream, .busy) { _ in status(.notEnoughBandwidth) },
        Refusal("no data port", .stream, .refused, input: empty),
        Refusal(
            "no data connection", .data, .refused,
            "Kitchen does not accept the sound connection: x; restart it; if that does not help, update it"
        ) { _ in
            .streamNotOpened("x")
        },
        Refusal("evicted", .data, .lost, "Kitchen needs sound that is no longer in memory") { _ in
            .soundEvicted
        },
    ]

    @Test(
        "each refusal becomes a failure with a message, and removes the clock peer",
        arguments: refusals.indices)
    func refused(index: Int) throws {
        let refusal = Self.refusals[index]
        var run = HandshakeRun()
        try run.run(to: refusal.wait)
        let isServed = run.trace.contains("GET /info")
        let input = refusal.input(&run)
        run.give(input)
        let failure = try #require(run.failure, "\(refusal.name)")
        #expect(failure.code == refusal.code, "\(refusal.name): \(failure)")
        if let message = refusal.message { #expect(failure.message == message) }
        #expect(failure.retryDelay == refusal.retryDelay, "\(refusal.name)")
        #expect(run.waiting == nil && run.opened == nil)
        #expect(
            run.trace.suffix(2) == (isServed ? ["remove 10.0.0.2", "failed"] : ["add 10.0.0.2", "failed"]))
    }

    @Test(
        "a missing or wrong password is reported, and the right one opens the session",
        arguments: [(nil, "x"), ("y", "x")] as [(String?, String?)])
    func password(given: String?, own: String?) throws {
        var run = HandshakeRun(HandshakeRun.configuration(password: given), accessoryPassword: own)
        try run.run()
        #expect(run.failure?.code == (given == nil ? .passwordNeeded : .passwordWrong))
        var right = HandshakeRun(HandshakeRun.configuration(password: "x"), accessoryPassword: "x")
        try right.run()
        #expect(right.opened != nil)
    }

    static let descriptions: [(String, SpeakerFailure.Code, ReceiverInfo)] = [
        ("wants a PIN", .pinNeeded, HandshakeRun.info(status: [.pinRequired])),
        ("announces a password", .passwordNeeded, HandshakeRun.info(status: [.passwordRequired])),
    ]

    @Test(
        "a speaker whose description rules out a session fails before pairing",
        arguments: descriptions.indices)
    func described(index: Int) throws {
        let (name, code, receiver) = Self.descriptions[index]
        var run = HandshakeRun(receiver: receiver)
        try run.run()
        #expect(run.failure?.code == code, "\(name)")
        #expect(!run.trace.contains("POST /pair-setup"))
        // The group still gets the description if only a PIN or a password is missing.
        #expect(run.trace.contains("describe"))
    }

    @Test("a speaker in use is left to its sender only if the speaker ended our last session")
    func inUse() throws {
        let receiver = HandshakeRun.info(status: [.sessionActive])
        for yields in [false, true] {
            var configuration = HandshakeRun.configuration()
            configuration.yieldsToOthers = yields
            var run = HandshakeRun(configuration, receiver: receiver)
            try run.run()
            #expect(run.failure?.code == (yields ? .busy : nil))
            #expect((run.opened == nil) == yields)
        }
    }

    @Test("a speaker whose description has no AirPlay 2 ends the handshake, to be opened with AirPlay 1")
    func airPlay1() throws {
        var run = HandshakeRun(receiver: HandshakeRun.info(features: [.audio]))
        try run.run()
        #expect(run.airPlay1?.stream == .airPlay1 && run.airPlay1?.clock == .ntp)
        #expect(run.trace.suffix(2) == ["remove 10.0.0.2", "AirPlay 1"] && run.failure == nil)
    }

    @Test("a resume fails if the speaker refuses the connection at all addresses")
    func ended() throws {
        var configuration = HandshakeRun.configuration()
        configuration.isResuming = true
        var run = HandshakeRun(configuration)
        for _ in 0..<2 { run.give(.notConnected(SystemError(operation: "connect", code: 111))) }
        #expect(run.failure == SpeakerFailure(.refused, "Kitchen has ended"))
    }
}
