import AirPlayMessages
import HomeKitPairing
import TuttiMediaTime
import TuttiRTSP

/// The protocol of one sender's control connection, without its socket: takes requests, and gives responses
/// and tasks for the driver.
///
/// Opens no socket, reads no clock and plays no audio. After every call, take ``nextOutput()`` until it is
/// `nil`. Each request gets exactly one answer. A SETUP that opens a session or a stream is answered by
/// ``sessionOpened(eventPort:_:)`` or ``streamOpened(_:)``, which the driver calls before it delivers the
/// next request.
///
/// An unpaired sender may use `/info`, `OPTIONS` and pairing. `/auth-setup` and `/fp-setup` get 404; everything else
/// gets 403, or 470 where a PIN is required.
package struct ReceiverSession: Sendable {
    /// The tasks for the driver, in order.
    package enum Output: Sendable {
        /// Send this response.
        case answer(RTSPResponse)
        /// Send this response, then encrypt both directions.
        case answerThenEncrypt(RTSPResponse, SharedSecret)
        /// Take the speaker over, except for a remote-control session, and open the event listener.
        case openSession(SenderSession)
        /// Open the ports of a stream, and end an earlier stream of its kind.
        case openStream(StreamRequest)
        /// Carry out this command on the stream.
        case command(StreamCommand)
        /// Set the volume.
        case volume(Volume)
        /// Follow the clocks of the timing group; holds all its addresses.
        case peers([String])
        /// End the stream.
        case endStream
        /// End the session, and close the connection after the response.
        case endSession
        /// Report this event.
        case event(SpeakerEvent)
        /// Warn the user of a refused sender.
        case turnedAway(Refusal)
    }

    /// The reason that a sender was refused.
    package enum Refusal: Hashable, Sendable {
        /// An AirPlay 1 sender cannot play, for this reason. The text is its `User-Agent`.
        case airPlay1(agent: String?, AirPlay1Reason)
        /// The sender gave a wrong password or PIN.
        case wrongSecret
    }

    /// The speaker's state that responses depend on.
    package struct Context {
        /// Host time at which the request arrived.
        package var now: HostTime
        /// The current volume.
        package var volume: Volume
        /// Status of this session's stream, if it has one.
        package var status: StreamStatus?
        /// Plays along an anchor on a clock if the first frame can be heard:
        /// ``StreamSink/playWhole(along:on:)``.
        package var playWhole: (Anchor, ClockIdentity) -> Duration?
        /// Pauses a buffered stream: ``StreamSink/pauseTellingEnd()``.
        package var pause: () -> RTPTime?
        /// Returns the speaker's `/info`.
        package var info: () -> ReceiverInfo

        /// Creates a context from its parts.
        package init(
            now: HostTime, volume: Volume, status: StreamStatus? = nil,
            playWhole: @escaping (Anchor, ClockIdentity) -> Duration? = { _, _ in nil },
            pause: @escaping () -> RTPTime? = { nil },
            info: @escaping () -> ReceiverInfo
        ) {
            self.now = now
            self.volume = volume
            self.status = status
            self.playWhole = playWhole
            self.pause = pause
            self.info = info
        }
    }

    enum Phase: Sendable {
        case noSession
        /// With the response to the session's SETUP, for a repeated SETUP.
        case inSession(SenderSession, RTSPResponse)
        /// The speaker was taken over, or the session torn down.
        case over
    }

    /// A SETUP that waits for its ports.
    enum Opening: Sendable {
        case session(SenderSession)
        case stream(StreamRequest)
    }

    var phase = Phase.noSession
    var gate: PairingGate
    var opening: Opening?
    var audio: StreamRequest?
    var isPlaying = false
    var outputs: [Output] = []

    /// - Parameter wantsPIN: Whether unpaired senders get 470 instead of 403.
    package init(pairing: any PairingService, wantsPIN: Bool = false) {
        gate = PairingGate(pairing: pairing, wantsPIN: wantsPIN)
    }

    /// The secret of the pairing; the event channel derives its keys from it. `nil` before pairing.
    package var sharedSecret: SharedSecret? { gate.secret }
    /// Whether the sender has paired on this connection.
    package var isPaired: Bool { gate.secret != nil }
    /// The session, once its SETUP has been answered.
    package var session: SenderSession? {
        if case .inSession(let session, _) = phase { session } else { nil }
    }

    /// Returns the next task; `nil` if there is none for now.
    package mutating func nextOutput() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    /// Handles one request.
    package mutating func receive(_ request: RTSPRequest, in context: Context) {
        if case .over = phase { return answer(.methodNotValidInThisState) }
        if let refusal = gate.refusal(of: request, at: context.now) { return outputs += refusal }
        switch request.method {
        case .options: answer(.methods)
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

    /// Ends the session because another sender has the speaker; refuses all later requests.
    package mutating func takenOver() {
        phase = .over
        audio = nil
        isPlaying = false
    }

    // MARK: For the extensions of this type

    mutating func emit(_ output: Output) { outputs.append(output) }

    mutating func answer(_ status: RTSPStatus = .ok) { answer(RTSPResponse(status)) }

    mutating func answer(_ response: RTSPResponse) { emit(.answer(response.signed)) }
}
