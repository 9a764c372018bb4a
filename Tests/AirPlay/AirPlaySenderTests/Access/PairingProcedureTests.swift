import AirPlayMessages
import HomeKitPairing
import Testing
import TuttiRTSP
import TuttiSystemIO

@testable import AirPlaySender

@Suite("Pairing with a speaker once, without sockets")
struct PairingProcedureTests {
    typealias Input = PairingProcedure.Input
    typealias Output = PairingProcedure.Output

    static let addresses = [
        SocketAddress(IPAddress(10, 0, 0, 2), port: 7000), SocketAddress(IPAddress(10, 0, 1, 2), port: 7001),
    ]
    static let refusedConnection = SystemError(operation: "connect", code: 111)

    /// A speaker that shows the PIN 4711.
    struct Speaker {
        var setup: PairSetupAccessory
        var controllers: [PairedPeer] = []
        var info = HandshakeRun.info(status: .pinRequired)

        init() { setup = Self.newSetup() }

        private static func newSetup() -> PairSetupAccessory {
            PairSetupAccessory(
                password: nil,
                lasting: PairSetupAccessory.Lasting(identity: AccessSpeaker.identity) { "4711" })
        }

        mutating func connect() { setup = Self.newSetup() }

        mutating func answer(_ request: RTSPRequest) -> RTSPResponse {
            switch request.path {
            case "/info": return RTSPResponse(contentType: "x", body: info.body)
            case "/pair-pin-start": return RTSPResponse()
            default:
                switch setup.receive(request.body) {
                case .introduced(let reply, let peer):
                    controllers.append(peer)
                    return RTSPResponse(contentType: "x", body: reply)
                case .send(let reply), .refused(let reply, _), .paired(let reply, _):
                    return RTSPResponse(contentType: "x", body: reply)
                }
            }
        }
    }

    /// A procedure and what it has given out.
    struct Run {
        var procedure: PairingProcedure
        var speaker = Speaker()
        var trace: [String] = []
        var requests: [RTSPRequest] = []
        var output: Output

        init(name: String = "Kitchen") {
            procedure = PairingProcedure(
                SpeakerTarget(name: name, addresses: PairingProcedureTests.addresses),
                identity: AccessSpeaker.controller)
            output = procedure.begin()
            note()
        }

        mutating func give(_ input: Input) {
            guard let next = procedure.receive(input) else { return }
            output = next
            note()
        }

        /// Answers as a speaker does until the procedure sends a request to this path, or ends.
        mutating func run(to path: String? = nil, secret: String? = "4711") {
            while true {
                switch output {
                case .paired, .failed: return
                case .send(let request) where request.path == path: return
                case .send(let request): give(.answered(speaker.answer(request)))
                case .connect:
                    speaker.connect()
                    give(.connected)
                case .ask: give(.secret(secret))
                }
            }
        }

        var failure: SpeakerFailure? { if case .failed(let failure) = output { failure } else { nil } }

        private mutating func note() {
            switch output {
            case .connect(let address): trace.append("connect \(address)")
            case .send(let request):
                trace.append(request.path)
                requests.append(request)
            case .ask: trace.append("ask")
            case .paired: trace.append("paired")
            case .failed: trace.append("failed")
            }
        }
    }

    @Test("the PIN is asked for once the speaker shows it, and both ends know each other then")
    func order() {
        var run = Run()
        run.run()
        #expect(
            run.trace == [
                "connect 10.0.0.2:7000", "/info", "/pair-pin-start", "ask", "/pair-setup", "/pair-setup",
                "/pair-setup", "paired",
            ])
        #expect(run.output == .paired(AccessSpeaker.paired))
        #expect(run.speaker.controllers == [AccessSpeaker.controller.publicHalf])
        for request in run.requests.dropFirst() { #expect(request.headers["X-Apple-HKP"] == "3") }
    }

    @Test(
        "the user is asked for a PIN or for a password, as the speaker says",
        arguments: [
            (AirPlayStatusFlags.pinRequired, ReceiverDescription.PairingNeed.pin),
            (.passwordRequired, .password), ([], .transient),
        ] as [(AirPlayStatusFlags, ReceiverDescription.PairingNeed)])
    func need(status: AirPlayStatusFlags, need: ReceiverDescription.PairingNeed) {
        var run = Run()
        run.speaker.info = HandshakeRun.info(status: status)
        run.run(to: "/pair-pin-start")
        #expect(run.procedure.askedNeed == nil)
        run.give(.answered(RTSPResponse()))
        #expect(run.output == .ask && run.procedure.askedNeed == need)
        run.give(.secret("4711"))
        #expect(run.procedure.askedNeed == nil)
    }

    @Test("a speaker found by its address is stored under its own name")
    func name() {
        var run = Run(name: "10.0.0.2:7000")
        run.run()
        #expect(run.output == .paired(AccessSpeaker.paired))
    }

    @Test("a wrong PIN, a missing PIN and an unreachable speaker are different failures")
    func failures() {
        var wrong = Run()
        wrong.run(secret: "4712")
        #expect(wrong.failure?.code == .pinWrong)
        #expect(wrong.failure?.message.contains("471") == false)
        for secret in [nil, ""] {
            var missing = Run()
            missing.run(secret: secret)
            #expect(missing.failure?.code == .pinNeeded)
        }
        var unreachable = Run()
        unreachable.give(.notConnected(Self.refusedConnection))
        #expect(unreachable.trace.last == "connect 10.0.1.2:7001")
        unreachable.give(.notConnected(Self.refusedConnection))
        #expect(unreachable.failure?.code == .unreachable)
    }

    @Test("a speaker that hangs up while the PIN is typed is asked again on another connection, once")
    func slowTyping() {
        let lost = SpeakerFailure(.lost, "the speaker closed the connection")
        var run = Run()
        run.run(to: "/pair-setup")
        run.give(.unanswered(lost))
        #expect(run.trace.suffix(2) == ["/pair-setup", "connect 10.0.0.2:7000"])
        var again = run
        run.run()
        #expect(run.output == .paired(AccessSpeaker.paired))
        again.run(to: "/pair-setup")
        again.give(.unanswered(lost))
        #expect(again.failure == lost)
        var silent = Run()
        silent.run(to: "/pair-setup")
        silent.give(.unanswered(SpeakerFailure(.silent, "x")))
        #expect(silent.failure?.code == .silent)
    }

    private static let refusals: [(String, path: String, RTSPResponse, SpeakerFailure.Code, Duration?)] = [
        ("no description", "/info", RTSPResponse(.notFound), .refused, nil),
        ("garbage", "/info", RTSPResponse(contentType: "x", body: [1, 2, 3]), .notASpeaker, nil),
        (
            "AirPlay 1", "/info",
            RTSPResponse(contentType: "x", body: HandshakeRun.info(features: [.audio]).body), .unsupported,
            nil
        ),
        ("no PIN for strangers", "/pair-pin-start", RTSPResponse(.forbidden), .forbidden, nil),
        ("busy", "/pair-pin-start", RTSPResponse(.notEnoughBandwidth), .refused, .seconds(1)),
        ("status alone", "/pair-setup", RTSPResponse(.connectionAuthorizationRequired), .forbidden, nil),
        ("an empty body", "/pair-setup", RTSPResponse(), .refused, nil),
        ("no pair-setup", "/pair-setup", refusal(.unavailable), .unsupported, nil),
        ("back-off", "/pair-setup", refusal(.backOff(seconds: 64)), .refused, .seconds(64)),
        ("back-off without a time", "/pair-setup", refusal(.backOff(seconds: nil)), .refused, .seconds(0)),
        ("too many tries", "/pair-setup", refusal(.tooManyTries), .refused, .seconds(600)),
        ("full", "/pair-setup", refusal(.tooManyPeers), .refused, nil),
    ]

    private static func refusal(_ error: PairingError) -> RTSPResponse {
        var setup = PairSetupAccessory()
        guard case .refused(let reply, _) = setup.refuse([6, 1, 1], because: error) else {
            return RTSPResponse()
        }
        return RTSPResponse(contentType: "x", body: reply)
    }

    @Test("each refusal ends the pairing with its reason", arguments: refusals.indices)
    func refused(index: Int) {
        let (name, path, response, code, delay) = Self.refusals[index]
        var run = Run()
        run.run(to: path)
        run.give(.answered(response))
        #expect(run.failure?.code == code, "\(name): \(run.output)")
        #expect(run.failure?.retryDelay == delay, "\(name)")
        #expect(run.failure?.message.contains("Kitchen") == true, "\(name)")
        let output = run.output
        run.give(.connected)
        run.give(.answered(RTSPResponse()))
        #expect(run.output == output, "an ended procedure changes no more")
    }

    @Test("a speaker without a display is paired with its password", arguments: [404, 501, 400, 455])
    func noDisplay(status: Int) {
        var run = Run()
        run.run(to: "/pair-pin-start")
        run.give(.answered(RTSPResponse(RTSPStatus(rawValue: status))))
        run.run()
        #expect(run.output == .paired(AccessSpeaker.paired))
    }

    @Test("an answer truncated at any byte pairs with nobody")
    func truncated() {
        for messages in 1...3 {
            var run = Run()
            run.run(to: "/pair-setup")
            for _ in 1..<messages {
                guard case .send(let request) = run.output else { return }
                run.give(.answered(run.speaker.answer(request)))
            }
            guard case .send(let request) = run.output else {
                Issue.record("no request")
                return
            }
            let body = run.speaker.answer(request).body
            for count in stride(from: 0, to: body.count, by: 7) {
                var cut = run
                cut.give(.answered(RTSPResponse(contentType: "x", body: Array(body[..<count]))))
                cut.run()
                #expect(cut.failure != nil, "\(count) bytes of message \(messages)")
            }
        }
    }
}

@Suite("The end of a pairing at the speaker, without sockets")
struct UnpairingProcedureTests {
    private struct Run {
        var trace: [String] = []
        var failure: SpeakerFailure?
        var removed: [[UInt8]] = []

        init(_ speaker: AccessSpeaker, answer: RTSPResponse? = nil) {
            var speaker = speaker
            var procedure = UnpairingProcedure(
                SpeakerTarget(name: "Kitchen", addresses: PairingProcedureTests.addresses),
                AccessSpeaker.credentials)
            var outputs = procedure.begin()[...]
            while let output = outputs.popFirst() {
                switch output {
                case .connect:
                    trace.append("connect")
                    outputs += procedure.receive(.connected)
                case .send(let request) where request.path == "/pair-remove":
                    trace.append("remove")
                    if case .remove(let identifier)? = try? PairingsRequest(request.body) {
                        removed.append(identifier)
                    }
                    outputs += procedure.receive(
                        .answered(answer ?? RTSPResponse(contentType: "x", body: PairingsRequest.done)))
                case .send(let request):
                    trace.append(String(request.path.dropFirst()))
                    let answer = speaker.answer(request).map { PairingProcedure.Input.answered($0) }
                    outputs += procedure.receive(answer ?? .unanswered(SpeakerFailure(.lost, "x")))
                case .encrypt: trace.append("encrypt")
                case .removed: trace.append("removed")
                case .failed(let failure):
                    trace.append("failed")
                    self.failure = failure
                }
            }
        }
    }

    @Test("a speaker that knows the sender is asked to remove it, on an encrypted connection")
    func removed() {
        let run = Run(AccessSpeaker(transient: .bareStatus(.forbidden), verify: .knows))
        #expect(
            run.trace == ["connect", "pair-verify", "pair-verify", "encrypt", "remove", "removed"])
        #expect(run.removed == [AccessSpeaker.controller.identifier])
    }

    @Test("a speaker that does not know the sender has nothing to remove")
    func unknown() {
        let run = Run(AccessSpeaker(transient: .bareStatus(.forbidden), verify: .unknown))
        #expect(run.trace == ["connect", "pair-verify", "pair-verify", "removed"])
    }

    @Test("a speaker that refuses, is another one, or hangs up, still knows the sender")
    func failures() {
        let refusal = RTSPResponse(contentType: "x", body: PairingsRequest.refusal(because: .unavailable))
        let knows = AccessSpeaker(transient: .bareStatus(.forbidden), verify: .knows)
        #expect(Run(knows, answer: refusal).failure?.code == .refused)
        #expect(Run(knows, answer: RTSPResponse(.notFound)).failure?.code == .refused)
        let impostor = AccessSpeaker(
            transient: .bareStatus(.forbidden), verify: .impostor(refusesAtOnce: false))
        #expect(Run(impostor).failure?.code == .pinNeeded)
        let silent = AccessSpeaker(transient: .bareStatus(.forbidden), verify: .hangsUp)
        #expect(Run(silent).failure?.code == .lost)
    }
}
