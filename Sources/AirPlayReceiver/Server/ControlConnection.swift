internal import AirPlayMessages
internal import Dispatch
internal import HomeKitPairing
internal import MediaTime
internal import RTSP
internal import Synchronization
internal import SystemIO

/// One sender's control connection with its socket, and its session's ports and stream.
///
/// ``RTSPServerConnection`` and ``ReceiverSession`` decide; this type moves bytes and opens ports. Handles
/// requests one by one on the connection's queue. Calls no other locking object while holding the lock.
final class ControlConnection: Sendable {
    private struct State {
        var machine: RTSPServerConnection
        var session: ReceiverSession
        var events: EventPort?
        var remoteControl: RemoteControlPort?
        var sound: SoundSession?
        /// The stream of the session's earlier connection, until the stream's SETUP continues it.
        var kept: OrphanedStream?
        var timing: SessionTiming?
        var lastRequest: HostTime
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
    private let connection: TCPConnection
    private let server: ReceiverServer
    private let clock: any HostClock
    private let state: Mutex<State>

    init(_ connection: TCPConnection, id: UInt64, server: ReceiverServer) {
        self.connection = connection
        self.id = id
        self.server = server
        peer = connection.peerAddress
        clock = server.clock
        let now = server.clock.now
        state = Mutex(
            State(
                machine: RTSPServerConnection(style: .complete, limits: Self.strangersLimits, at: now),
                session: ReceiverSession(
                    pairing: server.parts.makePairing(connection.peerAddress),
                    wantsPIN: server.parts.configuration.requiresPIN),
                lastRequest: now))
    }

    /// Limits for strangers: their largest message is a pairing proof of some 500 bytes.
    private static let strangersLimits = RTSPLimits(
        headByteCount: 4 << 10, headerCount: 32, bodyByteCount: 8 << 10)
    /// Limits for paired senders: SETUPs and commands.
    private static let pairedLimits = RTSPLimits(bodyByteCount: 64 << 10)
    /// Limits in a session: pictures too.
    private static let sessionLimits = RTSPLimits.standard

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
        let now = clock.now
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
        // Close the event channel before the control connection, as a session that ends by itself does.
        events?.close()
        finish(.orderly("another sender has taken the speaker"))
        return result
    }

    func tell(_ command: EventCommand) { state.withLock { $0.events }?.send(command) }

    var sound: SoundSession? { state.withLock { $0.sound } }
    var sessionDescription: SenderSession? { state.withLock { $0.session.session } }

    /// Ends a session that is silent and has nothing to play.
    func checkSilence(at now: HostTime, _ limits: SessionLimits) {
        let (sound, last, session) = state.withLock { ($0.sound, $0.lastRequest, $0.session.session) }
        guard let session else { return }
        let silence = now.since(max(last, sound?.lastBytes ?? last))
        if session.isRemoteControlOnly {
            if silence >= limits.silentController { close(because: "the controller is silent") }
            return
        }
        guard silence >= limits.silentSession else { return }
        if let status = sound?.status {
            if status.isPlaying, status.bufferedSeconds > 0 { return }
            if status.heldBytes > 0, silence < limits.silentPausedSession { return }
        }
        close(because: "the sender is silent")
    }

    func close(because reason: String) { finish(.orderly(reason)) }

    // MARK: On the connection's queue

    private func receive(_ bytes: [UInt8]) {
        dispatchPrecondition(condition: .onQueue(connection.queue))
        let now = clock.now
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
            case .closed(let error): finish(.orderly(Self.words(for: error)))
            }
        }
        flush()
    }

    private func serve(_ id: RTSPRequestID, _ request: RTSPRequest, at now: HostTime) {
        let isPairing = request.method == .post && request.path.hasPrefix("/pair-")
        let isStranger = state.withLock { !$0.session.isPaired }
        let verifies = request.path == "/pair-verify"
        if isPairing, isStranger,
            !server.mayPair(self.id, from: peer.address, verifies: verifies, at: now)
        {
            return respond(id, Self.busy, nil)
        }
        let sound = self.sound
        let context = ReceiverSession.Context(
            now: now, volume: server.volume, status: sound?.status,
            playWhole: { sound?.playWhole(along: $0, on: $1) }, info: { [self] in server.info(for: peer) })
        state.withLock { $0.session.receive(request, in: context) }
        while let output = state.withLock({ $0.session.nextOutput() }) { perform(output, for: id) }
    }

    /// The response while too many senders pair: Tutti's sender waits as told and retries.
    private static let busy = {
        var response = RTSPResponse(.notEnoughBandwidth)
        response.headers[RetryDelay.headerName] = RetryDelay.headerValue(PairingBudget.retryDelay)
        return response
    }()

    private func perform(_ output: ReceiverSession.Output, for id: RTSPRequestID) {
        switch output {
        case .answer(let response): respond(id, response, nil)
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
        case .endSession: finish(.orderly("the sender ended the session"))
        case .turnedAway(let refusal): server.noteTurnedAway(peer.address, refusal)
        case .event(let event): if server.isHeard(self.id, event) { server.emitPaced(event) }
        }
    }

    /// Returns the reason that a connection ended, in words for the user.
    private static func words(for error: RTSPError) -> String {
        switch error {
        case .closedByPeer: "the sender closed the connection"
        case .closedByUs: "the connection was closed"
        case .idleTimeout, .requestTimedOut: "the sender is silent"
        case .decryptionFailed: "the sender's messages cannot be decrypted"
        case .tooManyUnansweredRequests, .queueFull: "the sender sends requests faster than it reads answers"
        case .headTooLong, .tooManyHeaders, .bodyTooLong: "the sender sent a message that is too long"
        case .malformedContentLength, .malformedStartLine, .malformedHeader, .plaintextBeforeEncryption:
            "the sender violates the protocol"
        }
    }

    private func respond(_ id: RTSPRequestID, _ response: RTSPResponse, _ cipher: ChannelCipher?) {
        let events = state.withLock { $0.machine.respond(to: id, with: response, thenEncryptWith: cipher) }
        for case .closed(let error) in events { finish(.orderly(Self.words(for: error))) }
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

    // MARK: Sessions

    private func openSession(_ session: SenderSession) {
        guard server.admits(session) else { return state.withLock { $0.session.sessionRefused() } }
        let local = connection.localAddress.address
        let timing: SessionTiming
        if case .ntp(let port) = session.timing {
            timing = server.makeTiming(local, SocketAddress(peer.address, port: port))
        } else {
            timing = server.makeTiming(local, nil)
        }
        // Few clocks can be followed at once: a remote-control session has no audio to need one.
        if session.timing == .ptp, !session.isRemoteControlOnly { timing.follow(peer.address) }
        let kept = session.isRemoteControlOnly ? nil : server.claim(by: self, session)
        let secret = state.withLock { $0.session.sharedSecret }
        let events = secret.flatMap { secret in
            try? EventPort(
                at: local, peer: peer.address, ports: server.streamPorts, secret: secret, clock: clock
            ) { [server] in
                .updateInfo(server.info(for: nil))
            }
        }
        let old = state.withLock { state in
            // Already finished: discard what was opened.
            guard !state.isFinished else { return (events, timing as SessionTiming?, kept) }
            let old = (state.events, state.timing, state.kept)
            (state.events, state.timing, state.kept) = (events, timing, kept)
            if let kept { state.session.continues(isPlaying: kept.isPlaying) }
            state.session.sessionOpened(eventPort: events?.port, server.timingPeer(at: local))
            if !session.isRemoteControlOnly { state.machine.setLimits(Self.sessionLimits) }
            return old
        }
        old.0?.close()
        old.1?.end()
        old.2?.end()
        server.note(session.isRemoteControlOnly ? .remoteControl : .inSession, id)
    }

    private func openStream(_ stream: StreamRequest) {
        if stream.kind == .remoteControl { return openRemoteControl() }
        let (kept, timing, session, old) = state.withLock { state in
            (state.kept.take(), state.timing, state.session.session, state.sound.take())
        }
        old?.end()
        let local = connection.localAddress.address
        var (sound, ports): (SoundSession?, StreamPorts?)
        if let kept, kept.sound.continues(stream) {
            sound = kept.sound
            ports = try? kept.sound.open(
                at: local, oneOf: server.streamPorts, for: peer.address, isContinuing: true)
            // The sink keeps using its original timing, which now forwards to the new one.
            if let timing { kept.sound.timing.handOn(to: timing) }
            kept.timing.end()
        } else {
            kept?.end()
            sound = timing.flatMap { makeSound(stream, session, $0) }
            ports = try? sound?.open(
                at: local, oneOf: server.streamPorts, for: peer.address, isContinuing: false)
        }
        if ports == nil {
            sound?.end()
            sound = nil
        }
        let isTooLate = state.withLock { state in
            guard !state.isFinished else { return true }
            state.sound = sound
            state.session.streamOpened(ports)
            return false
        }
        if isTooLate { sound?.end() } else { server.soundChanged(to: sound, of: id) }
    }

    private func makeSound(
        _ stream: StreamRequest, _ session: SenderSession?, _ timing: SessionTiming
    ) -> SoundSession? {
        guard let key = stream.key else { return nil }
        let sender = SenderDescription(name: session?.name, model: session?.model, address: peer.address)
        let sink = server.parts.makeSink(
            StreamDescription(kind: stream.kind, format: stream.format, clock: timing, sender: sender))
        sink.setVolume(server.volume)
        return try? SoundSession(
            stream, key: key, sender: sender, timing: timing, sink: sink,
            at: connection.localAddress.address, clock: clock,
            onResume: { [weak self] in self?.realtimeResumed() })
    }

    /// Reports that a paused realtime stream plays again: senders resume without a request.
    private func realtimeResumed() {
        let hasChanged = state.withLock { $0.session.realtimeResumed() }
        if hasChanged, server.isHeard(id, .playing(true)) { server.emitPaced(.playing(true)) }
    }

    private func openRemoteControl() {
        let port = try? RemoteControlPort(at: connection.localAddress.address, peer: peer.address)
        let old = state.withLock { state in
            defer { state.remoteControl = port }
            state.session.streamOpened(port.map { StreamPorts(data: $0.port) })
            return state.remoteControl
        }
        old?.close()
    }

    private func endStream() {
        let sound = state.withLock { $0.sound.take() }
        sound?.end()
        server.soundChanged(to: nil, of: id)
    }

    /// Follows the named clocks: the clock of a group may be another member than the sender.
    private func follow(_ addresses: [String]) {
        let (timing, session) = state.withLock { ($0.timing, $0.session.session) }
        guard let timing, let session, session.timing == .ptp, !session.isRemoteControlOnly else { return }
        let own = Set(NetworkInterfaces.addresses().map(\.address))
        for text in addresses {
            guard let address = IPAddress(text), !address.isLoopback, !own.contains(address),
                address.family == connection.localAddress.address.family
            else { continue }
            timing.follow(address, isNamed: true)
        }
    }

    // MARK: The end

    private func finish(_ ending: Ending) {
        let now = clock.now
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
