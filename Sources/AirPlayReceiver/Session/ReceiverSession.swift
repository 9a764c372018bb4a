public import AirPlayMessages
public import HomeKitPairing
public import MediaTime
public import RTSP

/// One sender's control connection, without its socket: requests in, answers and things to do out.
///
/// The value opens no socket, reads no clock and plays no sound. After every call take ``nextOutput()`` until it
/// is `nil`. Each request leads to exactly one answer; a SETUP waits with it for ``sessionOpened(eventPort:_:)``
/// or ``streamOpened(_:)``, which the driver calls before it gives the next request.
///
/// A stranger gets `/info`, `OPTIONS` and pairing; everything else is 403, or 470 where a PIN is wanted.
public struct ReceiverSession: Sendable {
    /// What the driver is asked to do, in order.
    public enum Output: Sendable {
        case answer(RTSPResponse)
        /// Everything behind the answer is encrypted, both ways.
        case answerThenEncrypt(RTSPResponse, SharedSecret)
        /// Take the speaker over unless it is for remote control, and open the event listener.
        case openSession(SenderSession)
        /// Open the ports of a stream; an earlier one of its kind ends.
        case openStream(StreamRequest)
        case command(StreamCommand)
        case volume(Volume)
        /// Every address of the timing group.
        case peers([String])
        case endStream
        /// The session is over; the connection closes behind the answer.
        case endSession
        case event(SpeakerEvent)
        /// A sender was refused for a reason that its user should hear of.
        case turnedAway(Refusal)
    }

    /// Why a sender was refused.
    public enum Refusal: Hashable, Sendable {
        /// It speaks AirPlay 1 only. The text is its `User-Agent`.
        case airPlay1(agent: String?)
        /// It gave a wrong password or PIN.
        case wrongSecret
    }

    /// What the answers need to know of the speaker.
    public struct Context {
        public var now: HostTime
        public var volume: Volume
        /// Of the stream of this session, when it has one.
        public var status: StreamStatus?
        /// Plays along an anchor on a clock if its first frame can be heard: ``StreamSink/playWhole(along:on:)``.
        public var playWhole: (Anchor, ClockIdentity) -> Duration?
        public var info: () -> ReceiverInfo

        public init(
            now: HostTime, volume: Volume, status: StreamStatus? = nil,
            playWhole: @escaping (Anchor, ClockIdentity) -> Duration? = { _, _ in nil },
            info: @escaping () -> ReceiverInfo
        ) {
            self.now = now
            self.volume = volume
            self.status = status
            self.playWhole = playWhole
            self.info = info
        }
    }

    /// How far the connection has come; each step is built on the one before.
    enum Phase: Sendable {
        case stranger
        case paired
        case inSession(SenderSession)
        /// Taken over, or torn down.
        case over
    }

    /// A SETUP that waits for its ports.
    enum Opening: Sendable {
        case session(SenderSession)
        case stream(StreamRequest)
    }

    var phase = Phase.stranger
    var pairing: any PairingService
    var secret: SharedSecret?
    var opening: Opening?
    /// The event port that has been told, for a SETUP that comes again.
    var openedSession: SessionSetupResponse?
    var audio: StreamRequest?
    var hasRemoteControl = false
    var isPlaying = false
    private let wantsPIN: Bool
    private var outputs: [Output] = []

    /// - Parameter wantsPIN: Whether strangers are told 470 instead of 403.
    public init(pairing: any PairingService, wantsPIN: Bool = false) {
        self.pairing = pairing
        self.wantsPIN = wantsPIN
    }

    /// From pairing; the event channel's keys come from it.
    public var sharedSecret: SharedSecret? { secret }
    public var isPaired: Bool { secret != nil }
    /// The session, once its SETUP is answered.
    public var session: SenderSession? { if case .inSession(let session) = phase { session } else { nil } }

    /// The next thing to do, once; `nil` when there is nothing more for now.
    public mutating func nextOutput() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    /// Answers one request.
    public mutating func receive(_ request: RTSPRequest, in context: Context) {
        if case .over = phase { return answer(.methodNotValidInThisState) }
        if !Self.isForStrangers(request) {
            if let challenge = pairing.challenge(request, at: context.now) {
                if challenge.isWrongSecret { emit(.turnedAway(.wrongSecret)) }
                return answer(challenge.response)
            }
            guard isPaired else { return refuseStranger(request) }
        }
        switch request.method {
        case .options: answerOptions()
        case .get: get(request, context)
        case .post: post(request, context)
        case .setup: setUp(request)
        case .record: record()
        case .setPeers, .setPeersX: setPeers(request)
        case .setRateAnchorTime: setRate(request, context)
        case .pause: pause()
        case .flush: flush(request)
        case .flushBuffered: flushBuffered(request)
        case .getParameter: getParameter(request, context)
        case .setParameter: setParameter(request)
        case .teardown: tearDown(request)
        default: answer(.notImplemented)
        }
    }

    /// Senders of AirPlay 1 begin with ANNOUNCE, in the clear.
    private mutating func refuseStranger(_ request: RTSPRequest) {
        if request.method == .announce {
            emit(.turnedAway(.airPlay1(agent: request.headers["User-Agent"])))
        }
        answer(wantsPIN ? .connectionAuthorizationRequired : .forbidden)
    }

    /// Another sender has the speaker now; nothing of this one is carried out any more.
    public mutating func takenOver() {
        phase = .over
        audio = nil
        isPlaying = false
    }

    private static func isForStrangers(_ request: RTSPRequest) -> Bool {
        switch (request.method, request.path) {
        case (.options, _), (.get, "/info"), (.post, "/pair-setup"), (.post, "/pair-verify"),
            (.post, "/pair-pin-start"), (.post, "/auth-setup"), (.post, "/fp-setup"):
            true
        default: false
        }
    }

    // MARK: For the parts of this type

    mutating func emit(_ output: Output) { outputs.append(output) }

    mutating func answer(_ status: RTSPStatus = .ok) { answer(RTSPResponse(status)) }

    mutating func answer(_ response: RTSPResponse) { emit(.answer(Self.signed(response))) }

    mutating func answer(_ message: some PropertyListMessage) {
        answer(RTSPResponse(contentType: PeerList.contentType, body: message.body))
    }

    static func signed(_ response: RTSPResponse) -> RTSPResponse {
        var response = response
        response.headers["Server"] = serverName
        return response
    }

    /// What receivers of this source version call themselves.
    private static let serverName = "AirTunes/366.0"

    private mutating func answerOptions() {
        var response = RTSPResponse()
        response.headers["Public"] = Self.publicMethods
        answer(response)
    }

    /// iOS 17 and later want the whole list, well separated (*observed*).
    static let publicMethods = [
        "ANNOUNCE", "SETUP", "RECORD", "PAUSE", "FLUSH", "FLUSHBUFFERED", "TEARDOWN", "OPTIONS", "POST",
        "GET",
        "PUT", "SETPEERS", "SETPEERSX", "SETMAGICCOOKIE", "SETRATEANCHORTIME", "GET_PARAMETER",
        "SET_PARAMETER",
    ].joined(separator: ", ")
}
