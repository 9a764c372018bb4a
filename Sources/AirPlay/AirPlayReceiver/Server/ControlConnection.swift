import AirPlayMessages
import HomeKitPairing
import Synchronization
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// One sender's control connection with its socket, and its session's ports and stream.
///
/// ``RTSPServerConnection`` and ``SenderConversation`` decide; this type moves bytes and opens ports. Handles
/// requests one by one on the connection's queue. Calls no other locking object while holding the lock.
final class ControlConnection: Sendable {
    struct State {
        var machine: RTSPServerConnection
        var session: SenderConversation
        var events: EventPort?
        var remoteControl: RemoteControlPort?
        var sound: SoundSession?
        /// The stream of the session's earlier connection, until the stream's SETUP continues it.
        var kept: OrphanedStream?
        var timing: SessionTiming?
        var lastRequest: HostTime
        var answers: ConnectionAnswers
        var isFinished = false
    }

    /// The way a connection ends.
    enum Ending: Hashable, Sendable {
        /// The sender ended the session, or closed its end.
        case orderly(String)
        /// The link broke; received audio plays on.
        case lost(String)
    }

    let id: UInt64
    let peer: SocketAddress
    let connection: TCPConnection
    let server: ReceiverServer
    let machine: any Machine
    let state: Mutex<State>

    init(_ connection: TCPConnection, id: UInt64, server: ReceiverServer) {
        self.connection = connection
        self.id = id
        self.server = server
        peer = connection.peerAddress
        machine = server.machine
        let now = server.machine.now
        state = Mutex(
            State(
                machine: RTSPServerConnection(style: .complete, limits: Self.strangersLimits, at: now),
                session: SenderConversation(
                    pairing: server.parts.makePairing(connection.peerAddress),
                    wantsPIN: server.parts.configuration.requiresPIN),
                lastRequest: now, answers: ConnectionAnswers(server.parts.configuration.makeManners?())))
    }

    /// Limits for strangers: their largest message is a pairing proof of some 500 bytes.
    private static let strangersLimits = RTSPLimits(
        headByteCount: 4 << 10, headerCount: 32, bodyByteCount: 8 << 10)
    /// Limits for paired senders: SETUPs and commands.
    private static let pairedLimits = RTSPLimits(bodyByteCount: 64 << 10)
    /// Limits in a session: pictures too.
    static let sessionLimits = RTSPLimits.standard

    func start() {
        connection.start(
            onBytes: { [weak self] bytes in self?.receive(bytes) },
            onClose: { [weak self] error in
                self?.finish(
                    error.map { .lost("the connection was lost: \($0)") }
                        ?? .orderly("the sender closed the connection"))
            })
    }

    // MARK: From the server, any thread

    /// Ends this connection because another one has the speaker now.
    ///
    /// - Parameter keepsSound: Whether the other connection continues the same session and may keep the
    ///   stream.
    func detach(keepsSound: Bool) -> OrphanedStream? {
        let now = machine.now
        let (sound, kept, timing, events, isPlaying) = state.withLock { state in
            let isPlaying = state.session.isPlaying
            state.session.takenOver()
            return (
                state.sound.take(), state.kept.take(), state.timing.take(), state.events.take(), isPlaying
            )
        }
        var result = kept
        if let sound, let timing {
            kept?.end()
            result = OrphanedStream(sound: sound, timing: timing, isPlaying: isPlaying, lostAt: now)
        } else {
            timing?.end()
        }
        if !keepsSound {
            result?.end()
            result = nil
        }
        // Close the event channel before the control connection, as a session that ends on its own does.
        events?.close()
        finish(.orderly("another sender has taken the speaker"))
        return result
    }

    /// Sends a request on the session's event channel.
    ///
    /// - Returns: Whether the session has one.
    @discardableResult
    func tell(_ command: EventCommand) -> Bool {
        guard let events = state.withLock({ $0.events }) else { return false }
        events.send(command)
        return true
    }

    var sound: SoundSession? { state.withLock { $0.sound } }

    /// Ends the connection if its session has been silent for too long, or if its manners demand it.
    func checkEnd(at now: HostTime, _ limits: SessionLimits) {
        let (silence, mannersReason) = state.withLock { state in
            let last = max(state.lastRequest, state.sound?.lastBytes ?? state.lastRequest)
            let silence = state.session.session.map { session in
                SessionSilence(
                    isRemoteControlOnly: session.isRemoteControlOnly,
                    mayBeSilent: state.session.mayBeSilent, duration: now.since(last))
            }
            return (silence, state.answers.reasonToEnd(at: now))
        }
        let reason = silence?.reasonToEnd(stream: { sound?.status }, limits) ?? mannersReason
        if let reason { close(because: reason) }
    }

    func close(because reason: String) { finish(.orderly(reason)) }

    // MARK: On the connection's queue

    private func receive(_ bytes: [UInt8]) {
        connection.queue.assertCurrent()
        let now = machine.now
        let events = state.withLock { state in
            state.lastRequest = now
            return state.machine.receive(bytes, at: now)
        }
        deliver(events, at: now)
    }

    private func deliver(_ events: [RTSPServerConnection.Event], at now: HostTime) {
        for event in events {
            switch event {
            case .request(let id, let request): serve(id, request, at: now)
            case .closed(let error): finish(.orderly(error.reasonOfEnd))
            }
        }
        flush()
    }

    private func serve(_ id: RTSPRequestID, _ request: RTSPRequest, at now: HostTime) {
        // An announcement is what AirPlay 1 has instead of pairing: it precedes taking the speaker.
        let isPairing =
            request.method == .announce || request.method == .post && request.path.hasPrefix("/pair-")
        let isStranger = state.withLock { !$0.session.isPaired }
        let verifies = request.path == "/pair-verify"
        if isPairing, isStranger,
            !server.mayPair(self.id, from: peer.address, verifies: verifies, at: now)
        {
            return respond(id, Self.busy, nil)
        }
        if let answer = state.withLock({ $0.answers.answer(instead: id, request, at: now) }) {
            return send(answer)
        }
        let sound = self.sound
        let context = ReceiverSession.Context(
            now: now, volume: server.volume, status: sound?.status,
            playWhole: { sound?.playWhole(along: $0, on: $1) }, pause: { sound?.pauseTellingEnd() },
            info: { [self] in server.info(for: peer) })
        state.withLock { $0.session.receive(request, in: context) }
        while let output = state.withLock({ $0.session.nextOutput() }) { perform(output, id, request) }
        // A sender may answer for its clock only after it has read the answer to its SETUP.
        if request.method == .setup { state.withLock { $0.timing }?.start() }
    }

    /// The response while too many senders pair: Tutti's sender waits as told and retries.
    private static let busy = {
        var response = RTSPResponse(.notEnoughBandwidth)
        response.headers[RetryDelay.headerName] = RetryDelay.headerValue(PairingBudget.retryDelay)
        return response
    }()

    private func perform(_ output: ReceiverSession.Output, _ id: RTSPRequestID, _ request: RTSPRequest) {
        switch output {
        case .answer(let response):
            let now = machine.now
            if let answer = state.withLock({ $0.answers.depart(id, response, to: request, at: now) }) {
                send(answer)
            }
        case .answerThenEncrypt(let response, let secret):
            respond(id, response, ChannelCipher(secret.controlKeys(for: .accessory)))
            state.withLock { $0.machine.setLimits(Self.pairedLimits) }
            server.note(.paired, self.id)
        case .openSession(let session): openSession(session)
        case .openStream(let stream): openStream(stream)
        case .command(let command): state.withLock { $0.sound }?.perform(command)
        case .volume(let volume): server.setVolume(volume, from: self.id)
        case .peers(let addresses): follow(addresses)
        case .endStream: endStream()
        case .endSession:
            state.withLock { $0.sound.take() }?.endWhenHeard()
            finish(.orderly("the sender ended the session"))
        case .turnedAway(let refusal): server.warnOnce(TurnedAway(address: peer.address, refusal))
        case .event(let event): if server.isHeard(self.id, event) { server.emitPaced(event) }
        }
    }

    private func send(_ answer: ConnectionAnswers.Departure) {
        respond(answer.id, answer.response, nil, cSeq: answer.cSeq)
    }

    /// Sends the withheld answers: the sender has connected to the event port.
    func eventsConnected() { state.withLock { $0.answers.eventsConnected() }.forEach(send) }

    /// - Parameter cSeq: The number to send instead of the request's.
    private func respond(
        _ id: RTSPRequestID, _ response: RTSPResponse, _ cipher: ChannelCipher?, cSeq: String? = nil
    ) {
        let events = state.withLock {
            $0.machine.respond(to: id, with: response, cSeq: cSeq, thenEncryptWith: cipher)
        }
        for case .closed(let error) in events { finish(.orderly(error.reasonOfEnd)) }
        flush()
    }

    /// Carries out the machine's outputs. Sends under the lock, so that two threads cannot reorder bytes; the
    /// connection's `send` only queues them.
    private func flush() {
        let (isClosing, waits) = state.withLock { state in
            var (isClosing, hasSent) = (false, false)
            while let output = state.machine.nextOutput() {
                switch output {
                case .send(let bytes):
                    connection.send(bytes)
                    hasSent = true
                case .close: isClosing = true
                case .wake: break
                }
            }
            return (isClosing, hasSent && state.session.session == nil)
        }
        if isClosing {
            connection.close()
        } else if waits {
            // Stop reading until pending responses drain, so that they cannot pile up in memory.
            connection.pauseReading()
            connection.notifyWhenWritable { [weak connection] in connection?.resumeReading() }
        }
    }

    // MARK: The end

    private func finish(_ ending: Ending) {
        let now = machine.now
        let rest = state.withLock { state -> State? in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            let rest = state
            _ = state.machine.close()
            (state.events, state.remoteControl, state.sound, state.kept, state.timing) =
                (nil, nil, nil, nil, nil)
            state.session.takenOver()
            return rest
        }
        guard let rest else { return }
        let session = rest.session.session
        var lingering: OrphanedStream?
        if case .lost = ending, session != nil {
            if let sound = rest.sound, let timing = rest.timing, sound.request.kind == .buffered {
                lingering = OrphanedStream(
                    sound: sound, timing: timing, isPlaying: rest.session.isPlaying, lostAt: now)
            } else {
                lingering = rest.kept
            }
        }
        if lingering == nil {
            rest.sound?.end()
            rest.kept?.end()
            rest.timing?.end()
        }
        rest.events?.close()
        rest.remoteControl?.close()
        flush()
        connection.close()
        server.ended(self, ending, lingering: lingering)
    }
}
