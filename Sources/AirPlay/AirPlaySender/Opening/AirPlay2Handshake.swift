import AirPlayMessages
import HomeKitPairing
import TuttiClockService
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// The sender's side of opening an AirPlay 2 session with one speaker, buffered or realtime, without its sockets:
/// answers, connection results and times go in; requests, connections to open and clock actions come out, finally the
/// session's parts or a failure.
///
/// Opens no socket, reads no clock and draws no random number but those of pairing. The order is the one that every
/// known receiver accepts: info, pairing, session SETUP, event connection, RECORD, SETPEERS (with PTP), stream SETUP,
/// data connection.
/// After every call, take ``nextOutput()`` until it is `nil`. At most one output waits for an input at a time;
/// an input that the phase does not wait for changes nothing.
struct AirPlay2Handshake: SpeakerHandshake {
    /// The speaker, our identity, and what is known of earlier sessions.
    struct Configuration: Sendable {
        var target: SpeakerTarget
        var identity: SenderIdentity
        /// The identity of the clock that we serve.
        var clock: ClockIdentity
        var numbers: SessionNumbers
        /// Whether the speaker was unreachable a moment ago, so that it gets time to come up.
        var isReturning = false
        /// Whether to leave the speaker to another sender, because the speaker ended the last session.
        var yieldsToOthers = false
        /// Whether ``numbers`` are those of a session whose connection broke while the speaker plays on, and
        /// which the new connection resumes if the speaker can (``DeviceQuirks/continuesSessions``).
        var isResuming = false
        /// A clock in place of PTP; `nil` for the one that the speaker's announcements call for.
        var instead: SessionChoice.Alternative?
        var timing = SenderTiming()
    }

    typealias Link = ControlLink
    typealias Input = HandshakeInput

    /// The tasks for the driver, in order. Those marked *waits* are answered by the input named.
    enum Output: Sendable {
        /// Open the control connection. Waits for `connected` or `notConnected`.
        case connect(SocketAddress, timeout: Duration)
        /// Waits for `waited`.
        case wait(until: HostTime)
        /// Begin the exchange of clock messages with the speaker, in this role. Waits for `peerAdded` or `peerRefused`.
        case addPeer(Link, ClockRole)
        /// Change the role towards the speaker.
        case setRole(ClockRole, Link)
        case setBehaviour(ClockPeerBehaviour, of: IPAddress)
        case restartServing(IPAddress)
        case removePeer(IPAddress, ClockRole)
        /// Send this request. Waits for `answered` or `unanswered`.
        case send(RTSPRequest, timeout: Duration)
        /// Close the control connection and open another one to the same address. Waits for `connected` or
        /// `notConnected`.
        case reconnect(timeout: Duration)
        /// Erase the credentials of a speaker that has refused them.
        case forget(PairedSpeaker)
        /// Encrypt the control connection from the next byte on.
        case encrypt(SharedSecret)
        /// Send the password by HTTP Digest with all requests from here on.
        case authorize(DigestCredentials)
        /// Report the speaker's description, and the kind of session that follows from it.
        case describe(ReceiverDescription, SessionChoice)
        /// Bind the local UDP ports of a realtime stream. Waits for `portsBound` or `portsNotBound`.
        case bindPorts(Link, isTiming: Bool)
        /// Open the event connection. Waits for `eventsConnected` or `eventsNotConnected`.
        case connectEvents(SocketAddress, SharedSecret, timeout: Duration)
        /// Waits for `format`.
        case awaitFormat
        /// Open the data connection of a buffered stream, or make a realtime stream of the bound ports. Waits for
        /// `streamOpened`, `streamNotOpened` or `soundEvicted`.
        case openStream(StreamOpening, timeout: Duration)
        /// The speaker takes AirPlay 1 only: close the connection, and open such a session. The last output.
        case takesAirPlay1(ReceiverDescription, SessionChoice)
        /// The session is open. The last output.
        case opened(OpenedSession)
        /// Close all connections. The last output.
        case failed(SpeakerFailure)
    }

    /// A speaker that has described itself.
    struct Described: Sendable {
        let link: Link
        let receiver: ReceiverDescription
        let choice: SessionChoice
    }

    /// A paired speaker; all requests from here on name `url`.
    struct Paired: Sendable {
        let link: Link
        let receiver: ReceiverDescription
        let choice: SessionChoice
        /// The local ports of a realtime stream.
        var ports = BoundPorts()
        let secret: SharedSecret
        let url: String
    }

    /// The event connection of a session, as far as it is not open.
    struct EventConnection: Sendable {
        let address: SocketAddress
        /// The attempts that are left after this one. A speaker may listen a moment after its answer.
        var triesLeft = 3
    }

    /// The phases, each with what exists only there.
    enum Phase: Sendable {
        case idle
        /// `rest` are the addresses to try next.
        case connecting(rest: ArraySlice<SocketAddress>)
        case settling(Link)
        case addingPeer(Link)
        case describing(Link)
        case gettingIn(Described, SpeakerAccess)
        /// A failed attempt to get in has made the first connection useless.
        case reconnecting(Described, SpeakerAccess)
        case bindingPorts(Paired)
        case settingUpSession(Paired)
        case openingEvents(Paired, EventConnection)
        /// A pause before the next attempt at the event connection.
        case pausingForEvents(Paired, EventConnection)
        case recording(Paired)
        case settingPeers(Paired)
        case awaitingFormat(Paired)
        case settingUpStream(Paired)
        case openingStream(StreamOpening, Paired)
        case over
    }

    let configuration: Configuration
    private(set) var phase = Phase.idle
    /// The answers to 401.
    private var digest: DigestAccess
    /// The speaker with which clock messages are exchanged.
    private var servedPeer: IPAddress?
    /// Our role towards it.
    private var role: ClockRole
    /// The reason why our clock cannot serve or follow the speaker.
    private(set) var clockRefusal: SpeakerFailure?
    private var outputs: [Output] = []

    /// Creates a handshake that has not begun.
    init(_ configuration: Configuration) {
        self.configuration = configuration
        digest = DigestAccess(password: configuration.target.password)
        let target = configuration.target
        let announced = ReceiverDescription(airPlay: target.record, raop: target.raop)
        let choice = SessionChoice(announced, override: target.override, instead: configuration.instead)
        role = choice.clock.role
    }

    /// Returns the next task; `nil` if there is none for now.
    mutating func nextOutput() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    /// Begins. Call it once.
    mutating func begin() {
        guard case .idle = phase else { return }
        connect(to: configuration.target.addresses[...], after: nil)
    }

    /// Takes one result or answer.
    ///
    /// - Parameter now: The host time at which it came.
    mutating func receive(_ input: Input, at now: HostTime) {
        switch (phase, input) {
        case (.over, _): break
        case (_, .cancelled): fail(.closed)
        case (.connecting, .connected(let link)): settle(link, at: now)
        case (.connecting(let rest), .notConnected(let error)): connect(to: rest, after: error)
        case (.settling(let link), .waited): addPeer(link)
        case (.addingPeer(let link), .peerAdded): describe(link, after: nil)
        case (.addingPeer(let link), .peerRefused(let failure)): describe(link, after: failure)
        case (.describing(let link), .answered(let response)): described(link, by: response)
        case (.describing, .unanswered(let failure)): fail(refusals.undescribed(failure))
        case (.gettingIn(let speaker, var access), .answered(let response)):
            perform(access.receive(response), access, speaker)
        case (.reconnecting(let speaker, var access), .connected):
            perform(access.connected(), access, speaker)
        case (.reconnecting, .notConnected(let error)): failUnreachable(error)
        case (.bindingPorts(let speaker), .portsBound(let ports)): setUpSession(speaker, ports)
        case (.bindingPorts, .portsNotBound(let cause)): fail(refusals.noSoundConnection(cause))
        case (.settingUpSession(let speaker), .answered(let response)):
            openEvents(speaker, after: response)
        case (.openingEvents(let speaker, _), .eventsConnected): record(speaker)
        case (.openingEvents(let speaker, let events), .eventsNotConnected(let error)):
            openEventsAgain(speaker, events, after: error, at: now)
        case (.pausingForEvents(let speaker, let events), .waited): openEvents(speaker, events)
        case (.recording(let speaker), .answered(let response)): setPeers(speaker, after: response)
        case (.settingPeers(let speaker), .answered(let response)): awaitFormat(speaker, after: response)
        case (.awaitingFormat(let speaker), .format(let format)): setUpStream(speaker, format)
        case (.settingUpStream(let speaker), .answered(let response)): openStream(speaker, after: response)
        case (.openingStream(let stream, let speaker), .streamOpened(let isContinued)):
            open(speaker, stream, isContinued: isContinued)
        case (.openingStream, .streamNotOpened(let cause)): fail(refusals.noSoundConnection(cause))
        case (.openingStream, .soundEvicted): fail(refusals.soundEvicted)
        case (.gettingIn, .unanswered(let failure)), (.settingUpSession, .unanswered(let failure)),
            (.recording, .unanswered(let failure)), (.settingPeers, .unanswered(let failure)),
            (.settingUpStream, .unanswered(let failure)):
            fail(failure)
        default: break
        }
    }

    // MARK: For the steps

    var refusals: HandshakeRefusals { HandshakeRefusals(configuration.target) }

    /// Enters a phase, and gives the task whose result it waits for.
    mutating func enter(_ phase: Phase, _ output: Output) {
        self.phase = phase
        emit(output)
    }

    mutating func emit(_ output: Output) { outputs.append(output) }

    mutating func fail(_ failure: SpeakerFailure) {
        phase = .over
        removePeer()
        emit(.failed(failure))
    }

    private mutating func failUnreachable(_ error: SystemError?) {
        fail(refusals.unreachable(error, isResuming: configuration.isResuming))
    }

    private mutating func removePeer() {
        if let servedPeer { emit(.removePeer(servedPeer, role)) }
        servedPeer = nil
    }

    private mutating func connect(to addresses: ArraySlice<SocketAddress>, after error: SystemError?) {
        guard let address = addresses.first else { return failUnreachable(error) }
        let timeout = configuration.isResuming ? Self.reconnectTimeout : Self.connectTimeout
        enter(.connecting(rest: addresses.dropFirst()), .connect(address, timeout: timeout))
    }

    /// shairport-sync ends with a failed assertion when a session comes before its mDNS entries are in place,
    /// one to two seconds after it begins to listen (*observed*).
    private mutating func settle(_ link: Link, at now: HostTime) {
        guard configuration.isReturning, !configuration.isResuming else { return addPeer(link) }
        enter(.settling(link), .wait(until: now.advanced(by: Self.settlingTime)))
    }

    /// Serves the clock from here on, unless the announcements say that the speaker plays by its own: such a speaker must not
    /// hear of ours. A receiver that still has the clock of an earlier session starts on that
    /// clock, and loses sound when the new one begins, unless it hears the new clock before the SETUP.
    private mutating func addPeer(_ link: Link) { enter(.addingPeer(link), .addPeer(link, role)) }

    /// - Parameter refusal: The reason why our clock does not serve or follow the speaker; `nil` if it does.
    private mutating func describe(_ link: Link, after refusal: SpeakerFailure?) {
        if refusal == nil { servedPeer = link.peer } else { clockRefusal = refusal }
        enter(.describing(link), request(RTSPRequest(.get, "/info")))
    }

    private mutating func described(_ link: Link, by response: RTSPResponse) {
        guard response.status.isSuccess else { return fail(refusals.refusal("to describe itself", response)) }
        guard let info = try? ReceiverInfo(body: response.body) else { return fail(refusals.notASpeaker) }
        let receiver = ReceiverDescription(airPlay: configuration.target.record, info: info)
        let withoutOurs = clockRefusal.map { SessionChoice.Alternative(clock: .ntp, reason: $0.message) }
        let choice = SessionChoice(
            receiver, override: configuration.target.override,
            instead: withoutOurs ?? configuration.instead)
        if choice.stream == .airPlay1 {
            phase = .over
            removePeer()
            return emit(.takesAirPlay1(receiver, choice))
        }
        // A speaker with an interrupted session of ours checks ownership itself.
        if configuration.yieldsToOthers, !configuration.isResuming, receiver.isInUse {
            return fail(refusals.taken)
        }
        if choice.clock.isPTP, let clockRefusal { return fail(clockRefusal) }
        emit(.describe(receiver, choice))
        if choice.clock == .ntp {
            removePeer()
        } else {
            let decided = choice.clock.role
            if decided != role { emit(.setRole(decided, link)) }
            role = decided
            let asking: ClockPeerBehaviour = receiver.family == .tutti ? .tutti : .unknown
            emit(.setBehaviour(receiver.quirks.asksForDelay ? asking : .shairportSync, of: link.peer))
        }
        let credentials = configuration.identity.pairings?.credentials(for: receiver.deviceID)
        var access = SpeakerAccess(configuration.target, receiver, credentials: credentials)
        perform(access.begin(), access, Described(link: link, receiver: receiver, choice: choice))
    }

    private mutating func perform(
        _ steps: [SpeakerAccess.Step], _ access: SpeakerAccess, _ speaker: Described
    ) {
        for step in steps {
            switch step {
            case .send(let message): enter(.gettingIn(speaker, access), request(message))
            case .reconnect:
                enter(.reconnecting(speaker, access), .reconnect(timeout: Self.connectTimeout))
            case .forget(let paired): emit(.forget(paired))
            case .admitted(let secret):
                emit(.encrypt(secret))
                setUpSession(speaker, secret)
            case .failed(let failure): fail(failure)
            }
        }
    }

    /// Answers 401 to the session SETUP, and sends the request again.
    ///
    /// - Returns: `false` if the answer is another one.
    mutating func authorize(_ speaker: Paired, after response: RTSPResponse) -> Bool {
        guard response.status == .unauthorized else { return false }
        switch digest.receive(response) {
        case .needed: fail(refusals.passwordNeeded)
        case .wrong: fail(refusals.passwordWrong)
        case .authorize(let credentials):
            emit(.authorize(credentials))
            requestSession(speaker)
        }
        return true
    }

    /// Returns a request with the time-out of the handshake; pairing is slow on small speakers.
    func request(_ request: RTSPRequest) -> Output {
        .send(request, timeout: configuration.timing.setupTimeout)
    }

    static let connectTimeout = Duration.seconds(4)
    /// The timeout for a speaker that plays on meanwhile; the next attempt follows soon.
    static let reconnectTimeout = Duration.milliseconds(1500)
    static let settlingTime = Duration.milliseconds(2500)
}

extension SessionChoice.Clock {
    /// Our role in the exchange of clock messages.
    fileprivate var role: ClockRole { self == .theirs ? .timeReceiver : .timeTransmitter }
}
