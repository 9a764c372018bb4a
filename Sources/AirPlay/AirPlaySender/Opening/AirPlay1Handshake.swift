import AirPlayMessages
import HomeKitPairing
import TuttiMediaTime
import TuttiRTP
import TuttiRTSP
import TuttiSystemIO

/// The sender's side of opening an AirPlay 1 session (RAOP) with one speaker, without its sockets: answers, connection
/// results and times go in; requests and connections to open come out, finally the session's parts or a failure.
///
/// The order is that of iTunes: `auth-setup` where the speaker wants it, OPTIONS, ANNOUNCE, SETUP, RECORD. Opens no
/// socket, reads no clock and draws no random number. After every call, take ``nextOutput()`` until it is `nil`. At
/// most one output waits for an input at a time; an input that the phase does not wait for changes nothing.
struct AirPlay1Handshake: SpeakerHandshake {
    /// The speaker, our identity, and the numbers of the session.
    struct Configuration: Sendable {
        var target: SpeakerTarget
        var numbers: SessionNumbers
        /// Our key for `auth-setup`: any valid public key, because its answer is not evaluated.
        var authSetupKey: [UInt8]
        var choice: SessionChoice
        /// The form of the packets.
        var sound: AirPlay1Sound
        /// The key of the packets; `nil` for sound in the clear.
        var key: AirPlay1Key?
        /// The kept credentials for an Apple TV before HomeKit; `nil` for none.
        var credentials: SpeakerAccess.Credentials?
        var timing = SenderTiming()
    }

    typealias Link = ControlLink
    typealias Input = HandshakeInput

    /// The tasks for the driver, in order; see ``AirPlay2Handshake/Output``.
    enum Output: Sendable {
        case connect(SocketAddress, timeout: Duration)
        case bindPorts(Link)
        case send(RTSPRequest, timeout: Duration)
        /// Send the password by HTTP Digest with all requests from here on.
        case authorize(DigestCredentials)
        case describe(ReceiverDescription, SessionChoice)
        case awaitFormat
        /// The session is open. The last output.
        case opened(OpenedAirPlay1Session)
        /// Close all connections. The last output.
        case failed(SpeakerFailure)
    }

    /// The phases, each with what exists only there.
    enum Phase: Sendable {
        case idle
        case connecting(rest: ArraySlice<SocketAddress>)
        case bindingPorts(Link)
        case verifying(Open, FruitPairVerifyController)
        case authorizing(Open)
        case asking(Open)
        case awaitingFormat(Open)
        case announcing(Open)
        case settingUp(Open)
        case recording(Open, RealtimeOpening, data: SocketAddress, session: String?)
        case over
    }

    /// A speaker that is connected; all requests name `url`.
    struct Open: Sendable {
        let link: Link
        let ports: BoundPorts
        let url: String
    }

    let configuration: Configuration
    let receiver: ReceiverDescription
    private(set) var phase = Phase.idle
    /// The answers to 401.
    private var digest: DigestAccess
    /// The request whose answer is awaited.
    private var pending: RTSPRequest?
    /// Whether the speaker has named its requests, and ANNOUNCE is not among them.
    private var lacksAnnounce = false
    private var outputs: [Output] = []

    init(_ configuration: Configuration) {
        self.configuration = configuration
        let target = configuration.target
        digest = DigestAccess(password: target.password)
        receiver = ReceiverDescription(airPlay: target.record, raop: target.raop)
    }

    /// Returns the next task; `nil` if there is none for now.
    mutating func nextOutput() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    /// Begins. Call it once.
    mutating func begin() {
        guard case .idle = phase else { return }
        connect(to: configuration.target.addresses[...], after: nil)
    }

    /// Takes one result or answer; no time matters.
    mutating func receive(_ input: Input, at now: HostTime) { receive(input) }

    /// Takes one result or answer.
    mutating func receive(_ input: Input) {
        switch (phase, input) {
        case (.over, _): break
        case (_, .cancelled): fail(.closed)
        case (_, .answered(let response)) where response.status == .unauthorized: authenticate(response)
        case (.connecting, .connected(let link)): enter(.bindingPorts(link), .bindPorts(link))
        case (.connecting(let rest), .notConnected(let error)): connect(to: rest, after: error)
        case (.bindingPorts(let link), .portsBound(let ports)): verify(link, ports)
        case (.bindingPorts, .portsNotBound(let cause)): fail(refusals.noSoundConnection(cause))
        case (.verifying(let speaker, let controller), .answered(let response)):
            verify(speaker, controller, response)
        // Any answer will do: some speakers do not know the request.
        case (.authorizing(let speaker), .answered): ask(speaker)
        case (.asking(let speaker), .answered(let response)): awaitFormat(speaker, after: response)
        case (.awaitingFormat(let speaker), .format(let format)): announce(speaker, format)
        case (.announcing(let speaker), .answered(let response)): setUp(speaker, after: response)
        case (.settingUp(let speaker), .answered(let response)): record(speaker, after: response)
        case (.recording(let speaker, let stream, let data, let session), .answered(let response)):
            open(speaker, stream, data, session, after: response)
        case (.verifying, .unanswered(let failure)), (.authorizing, .unanswered(let failure)),
            (.asking, .unanswered(let failure)), (.settingUp, .unanswered(let failure)),
            (.recording, .unanswered(let failure)):
            fail(failure)
        case (.announcing, .unanswered(let failure)):
            fail(lacksAnnounce && failure.code != .closed ? refusals.lacksAnnounce : failure)
        default: break
        }
    }

    // MARK: Steps

    private var refusals: HandshakeRefusals { HandshakeRefusals(configuration.target) }

    private mutating func enter(_ phase: Phase, _ output: Output) {
        self.phase = phase
        outputs.append(output)
    }

    private mutating func fail(_ failure: SpeakerFailure) { enter(.over, .failed(failure)) }

    /// Answers 401, and sends the request again.
    private mutating func authenticate(_ response: RTSPResponse) {
        guard let pending else { return }
        switch digest.receive(response) {
        case .needed: fail(refusals.passwordNeeded)
        case .wrong: fail(refusals.passwordWrong)
        case .authorize(let credentials):
            outputs.append(.authorize(credentials))
            send(pending, in: phase)
        }
    }

    private mutating func send(_ request: RTSPRequest, in phase: Phase) {
        pending = request
        enter(phase, .send(request, timeout: configuration.timing.setupTimeout))
    }

    private mutating func connect(to addresses: ArraySlice<SocketAddress>, after error: SystemError?) {
        guard let address = addresses.first else {
            return fail(refusals.unreachable(error, isResuming: false))
        }
        enter(
            .connecting(rest: addresses.dropFirst()),
            .connect(address, timeout: AirPlay2Handshake.connectTimeout))
    }

    /// An Apple TV before HomeKit that shows a PIN takes nothing before the proof that we have paired.
    private mutating func verify(_ link: Link, _ ports: BoundPorts) {
        let url = "rtsp://\(link.own.textWithoutZone)/\(configuration.numbers.session)"
        let speaker = Open(link: link, ports: ports, url: url)
        guard let credentials = configuration.credentials else {
            let needsPIN = receiver.pairsAsBeforeHomeKit && receiver.pairingNeed == .pin
            return needsPIN ? fail(refusals.pinNeeded) : authorize(speaker)
        }
        var controller = FruitPairVerifyController(identity: credentials.identity)
        let body = controller.start()
        sendVerify(body, in: .verifying(speaker, controller))
    }

    private mutating func verify(
        _ speaker: Open, _ controller: FruitPairVerifyController, _ response: RTSPResponse
    ) {
        // Anybody on the network can refuse, so the credentials stay.
        guard response.status.isSuccess else { return fail(refusals.unknownThere) }
        var controller = controller
        do throws(PairingError) {
            switch try controller.receive(response.body) {
            case .send(let body): sendVerify(body, in: .verifying(speaker, controller))
            case .verified: authorize(speaker)
            }
        } catch {
            fail(refusals.pairing(error))
        }
    }

    private mutating func sendVerify(_ body: [UInt8], in phase: Phase) {
        let type = "application/octet-stream"
        send(RTSPRequest(.post, "/pair-verify", contentType: type, body: body), in: phase)
    }

    /// Some speakers refuse ANNOUNCE with 403 unless they were asked to prove that they are genuine (*reported*,
    /// AirPort Express 2, Sonos). What they answer is not evaluated.
    private mutating func authorize(_ speaker: Open) {
        guard receiver.raop?.encryptionTypes?.contains(4) == true else { return ask(speaker) }
        let body = [UInt8(1)] + configuration.authSetupKey
        send(
            RTSPRequest(.post, "/auth-setup", contentType: "application/octet-stream", body: body),
            in: .authorizing(speaker))
    }

    private mutating func ask(_ speaker: Open) { send(RTSPRequest(.options, "*"), in: .asking(speaker)) }

    private mutating func awaitFormat(_ speaker: Open, after response: RTSPResponse) {
        if let failure = refusals.airPlay1(response, "to be asked") { return fail(failure) }
        if let known = response.headers["Public"] {
            let names = known.split { ", ".contains($0) }
            lacksAnnounce = !names.contains { $0.uppercased() == RTSPMethod.announce.rawValue }
        }
        outputs.append(.describe(receiver, configuration.choice))
        enter(.awaitingFormat(speaker), .awaitFormat)
    }

    private mutating func announce(_ speaker: Open, _ format: AudioWireFormat?) {
        guard format != nil else { return fail(.closed) }
        let body = StreamAnnouncement(configuration.sound.coding, key: configuration.key?.announced).body(
            session: configuration.numbers.session, from: speaker.link.own.textWithoutZone,
            to: speaker.link.peer.textWithoutZone)
        send(
            RTSPRequest(
                .announce, speaker.url, contentType: StreamAnnouncement.contentType,
                body: body), in: .announcing(speaker))
    }

    private mutating func setUp(_ speaker: Open, after response: RTSPResponse) {
        if let failure = refusals.airPlay1(response, "the stream") {
            return fail(lacksAnnounce && failure.code == .refused ? refusals.lacksAnnounce : failure)
        }
        var request = RTSPRequest(.setup, speaker.url)
        let transport = RealtimeTransport(
            controlPort: speaker.ports.control ?? 0, timingPort: speaker.ports.timing ?? 0)
        request.headers[RealtimeTransport.headerName] = transport.headerValue
        send(request, in: .settingUp(speaker))
    }

    private mutating func record(_ speaker: Open, after response: RTSPResponse) {
        if let failure = refusals.airPlay1(response, "a session") { return fail(failure) }
        let transport = response.headers[RealtimeTransport.headerName].flatMap {
            RealtimeTransport(headerValue: $0)
        }
        guard let transport, let dataPort = transport.dataPort else { return fail(refusals.noDataPort) }
        let session = response.headers["Session"]
        var request = RTSPRequest(.record, speaker.url)
        request.headers["Session"] = session
        request.headers["Range"] = "npt=0-"
        let numbers = configuration.numbers
        request.headers[RTPInfo.headerName] = RTPInfo.headerValue(
            sequenceNumber: UInt16(truncatingIfNeeded: numbers.firstSequence.rawValue), numbers.firstTime)
        var traits = RealtimeTraits(
            configuration.sound.format, .ntp, receiver.quirks, depth: configuration.target.override.depth)
        traits.source = numbers.session
        let stream = RealtimeOpening(
            traits: traits, clock: .ntp, own: speaker.link.own,
            control: SocketAddress(speaker.link.peer, port: transport.controlPort))
        let data = SocketAddress(speaker.link.peer, port: dataPort)
        send(request, in: .recording(speaker, stream, data: data, session: session))
    }

    private mutating func open(
        _ speaker: Open, _ stream: RealtimeOpening, _ data: SocketAddress, _ session: String?,
        after response: RTSPResponse
    ) {
        if let failure = refusals.airPlay1(response, "to record") { return fail(failure) }
        let latency = response.headers["Audio-Latency"].flatMap { Int64($0) } ?? 0
        enter(
            .over,
            .opened(
                OpenedAirPlay1Session(
                    url: speaker.url, session: session, receiver: receiver, stream: stream, data: data,
                    latency: min(max(0, latency), Self.longestLatency), numbers: configuration.numbers)))
    }

    /// The longest latency of its own, in frames, that a speaker may name.
    private static let longestLatency: Int64 = 4 * 44_100
}

/// The result of a successful AirPlay 1 handshake.
struct OpenedAirPlay1Session: Sendable {
    /// The target of all requests.
    var url: String
    /// The value of `Session` in all requests.
    var session: String?
    var receiver: ReceiverDescription
    var stream: RealtimeOpening
    /// The receiver's port of sound.
    var data: SocketAddress
    /// The frames by which the receiver plays late at least.
    var latency: Int64
    var numbers: SessionNumbers
}
