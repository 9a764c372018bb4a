import AirPlayMessages
import HomeKitPairing
import TuttiMediaTime
import TuttiRTSP

/// The conversation with an AirPlay 1 (RAOP) sender, without its socket: takes requests, and gives responses
/// and tasks for the driver, as ``ReceiverSession`` does for AirPlay 2.
///
/// The sender does not pair and sends its sound unencrypted. The order of its requests is ANNOUNCE, SETUP,
/// RECORD, and then any number of FLUSH and RECORD until TEARDOWN. After every call, take ``nextOutput()``
/// until it is `nil`. Each request gets exactly one answer; SETUP gets its own after ``sessionOpened(timingPort:)``
/// and ``streamOpened(_:)``, which the driver calls before it delivers the next request.
package struct RAOPSession: Sendable {
    /// The tasks for the driver, the same as those of an AirPlay 2 session.
    package typealias Output = ReceiverSession.Output

    /// Frames from the instant in a sync packet to the sound of its frame. Senders learn this from
    /// `Audio-Latency`, and every AirPlay 1 receiver behaves so (*observed*: shairport-sync).
    package static let latencyFrames = 11_025

    /// A session and its only stream.
    private struct Opened: Sendable {
        var session: SenderSession
        var stream: StreamRequest
    }

    private enum Phase: Sendable {
        /// No stream is announced.
        case idle
        case announced(StreamAnnouncement)
        /// SETUP waits for the driver to open the session.
        case openingSession(Opened)
        /// SETUP waits for the driver to open the stream's ports; the timing port is known.
        case openingStream(Opened, timingPort: UInt16)
        /// Set up, but not recording.
        case ready(Opened)
        case playing(Opened)
        /// Flushed; continues when packets arrive.
        case paused(Opened)
        /// The speaker was taken over, or the session torn down.
        case over
    }

    private var phase = Phase.idle
    /// Admits the sender, or demands a password.
    private(set) var pairing: any PairingService
    private var outputs: [Output] = []

    /// - Parameter pairing: Decides by ``PairingService/admitAirPlay1(_:at:)`` whether the sender may play.
    package init(pairing: any PairingService) { self.pairing = pairing }

    /// The session, once its SETUP has been answered.
    package var session: SenderSession? { opened?.session }

    /// Whether audio plays, as far as the requests say.
    package var isPlaying: Bool { if case .playing = phase { true } else { false } }

    /// Whether the sender may be silent for long: it has paused.
    package var isPaused: Bool { if case .paused = phase { true } else { false } }

    /// Whether the connection has shown no stream yet, and may still turn out to be another kind of sender's.
    var isUndecided: Bool { if case .idle = phase { true } else { false } }

    private var opened: Opened? {
        switch phase {
        case .ready(let opened), .playing(let opened), .paused(let opened): opened
        case .idle, .announced, .openingSession, .openingStream, .over: nil
        }
    }

    /// Returns the next task; `nil` if there is none for now.
    package mutating func nextOutput() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    /// Handles one request.
    package mutating func receive(_ request: RTSPRequest, in context: ReceiverSession.Context) {
        switch phase {
        case .over, .openingSession, .openingStream: return answer(.methodNotValidInThisState)
        case .idle, .announced, .ready, .playing, .paused: break
        }
        if let refusal = pairing.admitAirPlay1(request, at: context.now) {
            return refuse(request, refusal)
        }
        switch (request.method, request.path) {
        case (.options, _): answerOptions()
        case (.announce, _): announce(request)
        case (.setup, _): setUp(request)
        case (.record, _): record(request)
        case (.flush, _): flush(request)
        case (.pause, _): pause()
        case (.getParameter, _): answer(RTSPResponse(toGetParameter: request, volume: context.volume))
        case (.setParameter, _): setParameter(request)
        case (.teardown, _): tearDown()
        case (.get, "/info"): answer(context.info())
        // A keep-alive.
        case (.post, "/feedback"): answer()
        case (.get, _), (.post, _): answer(.notFound)
        default: answer(.notImplemented)
        }
    }

    /// Ends the session because another sender has the speaker; refuses all later requests.
    package mutating func takenOver() { phase = .over }

    // MARK: Requests

    private mutating func refuse(_ request: RTSPRequest, _ refusal: PairingAnswer) {
        if refusal.isWrongSecret { emit(.turnedAway(.wrongSecret)) }
        if refusal.response.status != .unauthorized {
            // The list of methods is not secret; only the announcement is refused.
            guard request.method != .options else { return answerOptions() }
            emit(.turnedAway(.airPlay1(agent: request.headers["User-Agent"], .needsPairing)))
        }
        answer(refusal.response)
    }

    /// Answers OPTIONS. Does not respond to a challenge (`Apple-Challenge`): the response would need the
    /// private key of Apple's first receivers, which we do not have. Senders that require the signature also
    /// encrypt, and see in the TXT record (`et=0`) that this speaker does not.
    private mutating func answerOptions() {
        answer(.methods)
    }

    private mutating func announce(_ request: RTSPRequest) {
        guard let stream = try? StreamAnnouncement(body: request.body) else { return answer(.badRequest) }
        let agent = request.headers["User-Agent"]
        if stream.isEncrypted {
            emit(.turnedAway(.airPlay1(agent: agent, .encrypted)))
            return answer(.notAcceptable)
        }
        guard stream.format != nil else {
            emit(.turnedAway(.airPlay1(agent: agent, .format)))
            return answer(.unsupportedMediaType)
        }
        endStream()
        phase = .announced(stream)
        answer()
    }

    private mutating func setUp(_ request: RTSPRequest) {
        guard case .announced(let announced) = phase, let format = announced.format else {
            return answer(.methodNotValidInThisState)
        }
        guard
            let transport = request.headers[RealtimeTransport.headerName].flatMap({
                RealtimeTransport(headerValue: $0)
            })
        else { return answer(.unsupportedTransport) }
        let opened = Opened(
            session: SenderSession(
                announced, timingPort: transport.timingPort, headers: request.headers),
            stream: StreamRequest(plain: format, controlPort: transport.controlPort))
        phase = .openingSession(opened)
        emit(.openSession(opened.session))
    }

    /// Continues SETUP after the driver has opened the session.
    ///
    /// - Parameter timingPort: The local port for timing requests to the sender; `nil` if it could not be
    ///   opened.
    package mutating func sessionOpened(timingPort: UInt16?) {
        guard case .openingSession(let opened) = phase else { return }
        guard let timingPort else {
            phase = .idle
            return answer(.internalServerError)
        }
        phase = .openingStream(opened, timingPort: timingPort)
        emit(.openStream(opened.stream))
    }

    /// Answers SETUP after the driver has tried to open the ports; `nil` if it failed.
    package mutating func streamOpened(_ ports: StreamPorts?) {
        guard case .openingStream(let opened, let timingPort) = phase else { return }
        guard let ports, let control = ports.control else {
            phase = .idle
            return answer(.internalServerError)
        }
        phase = .ready(opened)
        emit(.event(.source(.realtime, opened.stream.format)))
        var response = RTSPResponse()
        let transport = RealtimeTransport(dataPort: ports.data, controlPort: control, timingPort: timingPort)
        response.headers[RealtimeTransport.headerName] = transport.headerValue
        response.headers["Session"] = "1"
        response.headers["Audio-Jack-Status"] = "connected; type=analog"
        answer(response)
    }

    /// Refuses SETUP because the speaker is not available.
    package mutating func sessionRefused() {
        guard case .openingSession = phase else { return }
        phase = .idle
        answer(.notEnoughBandwidth)
    }

    private mutating func record(_ request: RTSPRequest) {
        guard let opened else { return answer(.methodNotValidInThisState) }
        if let beginning = request.beginning { emit(.command(beginning)) }
        if !isPlaying { emit(.event(.playing(true))) }
        phase = .playing(opened)
        var response = RTSPResponse()
        response.headers["Audio-Latency"] = String(Self.latencyFrames)
        answer(response)
    }

    /// Drops audio before the RTP time. Senders use FLUSH to pause, to seek and to begin.
    private mutating func flush(_ request: RTSPRequest) {
        guard opened != nil else { return answer(.methodNotValidInThisState) }
        hold(request.rtpTime.map { .flushBefore($0) } ?? .pause, beginning: request.beginning)
    }

    private mutating func pause() {
        guard opened != nil else { return answer(.methodNotValidInThisState) }
        hold(.pause)
    }

    private mutating func hold(_ command: StreamCommand, beginning: StreamCommand? = nil) {
        emit(.command(command))
        if let beginning { emit(.command(beginning)) }
        if isPlaying { emit(.event(.playing(false))) }
        if let opened { phase = .paused(opened) }
        answer()
    }

    /// Notes that packets of a paused stream arrive again: senders resume without a request.
    ///
    /// - Returns: Whether the stream was paused.
    package mutating func realtimeResumed() -> Bool {
        guard case .paused(let opened) = phase else { return false }
        phase = .playing(opened)
        return true
    }

    private mutating func setParameter(_ request: RTSPRequest) {
        guard opened != nil else { return answer(.methodNotValidInThisState) }
        switch ParameterChange(request) {
        case .volume(let volume): emit(.volume(volume))
        case .event(let event): emit(.event(event))
        case .refused(let status): return answer(status)
        }
        answer()
    }

    private mutating func tearDown() {
        if isPlaying { emit(.event(.playing(false))) }
        phase = .over
        var response = RTSPResponse()
        response.headers["Connection"] = "close"
        answer(response)
        emit(.endSession)
    }

    private mutating func endStream() {
        guard opened != nil else { return }
        if isPlaying { emit(.event(.playing(false))) }
        emit(.endStream)
    }

    // MARK: Answers

    private mutating func emit(_ output: Output) { outputs.append(output) }

    private mutating func answer(_ status: RTSPStatus = .ok) { answer(RTSPResponse(status)) }

    private mutating func answer(_ response: RTSPResponse) {
        emit(.answer(response.signed))
    }

    private mutating func answer(_ message: some PropertyListMessage) {
        answer(RTSPResponse(contentType: PeerList.contentType, body: message.body))
    }
}

/// The reason why an AirPlay 1 sender cannot play.
package enum AirPlay1Reason: Hashable, Sendable {
    /// The speaker wants senders to pair.
    case needsPairing
    /// The stream is encrypted, with a key that only Apple's receivers have.
    case encrypted
    /// The speaker does not play the format.
    case format
}

extension SenderSession {
    /// The session of an AirPlay 1 sender, from its announcement and the headers of its SETUP. Has no UUID:
    /// no other connection continues it.
    init(_ announced: StreamAnnouncement, timingPort: UInt16, headers: RTSPHeaders) {
        func text(_ name: String) -> String? {
            headers[name].map { ReceivedText.cut($0, toBytes: Self.textByteLimit) }
        }
        timing = .ntp(port: timingPort)
        (isRemoteControlOnly, isContinuing, groupContainsGroupLeader) = (false, false, false)
        (uuid, groupUUID, model) = (nil, nil, nil)
        // iTunes and OwnTone state their name in the header, iOS in the description; others get their program's name.
        name = text("X-Apple-Client-Name") ?? announced.name ?? text("User-Agent")
        dacpID = text("DACP-ID")
        activeRemote = text("Active-Remote")
    }
}

extension StreamRequest {
    /// The unencrypted stream of an AirPlay 1 sender.
    init(plain format: AudioWireFormat, controlPort: UInt16) {
        kind = .realtime
        self.format = format
        (key, connectionID) = (nil, nil)
        self.controlPort = controlPort
    }
}
