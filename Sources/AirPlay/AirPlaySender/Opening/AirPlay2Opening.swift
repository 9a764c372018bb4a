import AirPlayMessages
import HomeKitPairing
import TuttiClockService
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiSystemIO

/// The opening of an AirPlay 2 session under way: what it has connected so far.
struct AirPlay2Opening: SpeakerOpening {
    typealias Handshake = AirPlay2Handshake

    enum Opened {
        case session(any SpeakerSession)
        case takesAirPlay1(SessionChoice)
    }

    var connections: OpeningConnections
    private let interrupted: BufferedSession?
    private var events: EventChannel?
    private var stream: BufferedStream?
    private var realtime: RealtimeStream?
    /// The clock of a speaker that leads.
    private var leader: LeaderFollowing?

    private var opener: SpeakerOpener { connections.opener }
    private var request: SessionRequest { connections.request }

    init(opener: SpeakerOpener, request: SessionRequest) {
        connections = OpeningConnections(opener: opener, request: request)
        interrupted = request.interrupted as? BufferedSession
    }

    mutating func open() async throws -> Opened {
        let configuration = AirPlay2Handshake.Configuration(
            target: request.target, identity: opener.identity, clock: opener.clock.identity,
            numbers: try opener.numbers(resuming: interrupted?.opened.numbers),
            isReturning: request.isReturning, yieldsToOthers: request.yieldsToOthers,
            isResuming: interrupted != nil, instead: request.instead, timing: opener.timing)
        // Another program may have paired meanwhile.
        opener.identity.pairings?.refresh()
        return try await run(AirPlay2Handshake(configuration))
    }

    mutating func perform(_ output: AirPlay2Handshake.Output) async throws -> PerformedTask<Opened> {
        switch output {
        case .connect(let address, let timeout): return .result(await connect(to: address, timeout))
        case .reconnect(let timeout): return .result(await reconnect(timeout))
        case .wait(let time): return .result(await wait(until: time))
        case .addPeer(let link, let role): return .result(addPeer(link, role))
        case .setRole(let role, let link): setRole(role, link)
        case .setBehaviour(let behaviour, let peer): setBehaviour(behaviour, of: peer)
        case .restartServing(let peer): restartServing(peer)
        case .removePeer(let peer, let role): removePeer(peer, role)
        case .send(let message, let timeout):
            return .result(await connections.send(message, timeout: timeout))
        case .encrypt(let secret):
            connections.control?.encrypt(with: SecureChannel(keys: secret.controlKeys(for: .controller)))
        case .authorize(let credentials): connections.control?.authorize(with: credentials)
        // If the file cannot be written, the speaker refuses the credentials again the next time.
        case .forget(let paired): try? opener.identity.pairings?.forget(paired)
        case .describe(let receiver, let choice): await request.onDescribed(receiver, choice)
        case .bindPorts(let link, let isTiming):
            return .result(connections.bindPorts(link, isTiming: isTiming))
        case .connectEvents(let address, let secret, let timeout):
            return .result(await connectEvents(to: address, secret, timeout: timeout))
        case .awaitFormat: return .result(await connections.awaitFormat())
        case .openStream(let stream, let timeout):
            return .result(await openStream(stream, timeout: timeout))
        case .opened(let opened):
            connections.endStep()
            return .opened(.session(try session(opened)))
        case .takesAirPlay1(_, let choice):
            closeAll()
            return .opened(.takesAirPlay1(choice))
        case .failed(let failure):
            closeAll(failure)
            throw failure
        }
        return .done
    }

    /// Ends the step that is being taken, and closes every connection.
    private mutating func closeAll(_ failure: SpeakerFailure? = nil) {
        connections.endStep(failure)
        realtime?.close()
        connections.timing?.close()
        events?.close()
        connections.control?.close()
    }

    private func session(_ opened: OpenedSession) throws -> any SpeakerSession {
        let control = try connections.sessionControl(url: opened.url)
        guard let events else { throw SpeakerFailure.closed }
        if let stream {
            return BufferedSession(
                opened, control: control, events: events, stream: stream, clock: opener.clock,
                timing: opener.timing, machine: opener.machine)
        }
        guard let realtime else { throw SpeakerFailure.closed }
        let clock: SessionClock =
            if let timing = connections.timing {
                .ntp(timing, since: opener.machine.now)
            } else if let leader {
                .theirs(leader)
            } else {
                .ptp(opener.clock, opened.peer)
            }
        return RealtimeSession(
            SessionTraits(
                realtime: opened.receiver, address: "\(control.channel.connection.peerAddress)",
                bufferBytes: opened.bufferBytes, depth: request.target.override.depth),
            conversation: .airPlay2(events: events, streamID: opened.streamID), control: control,
            stream: realtime, clock: clock, timing: opener.timing)
    }

    // MARK: The control connection

    private mutating func connect(to address: SocketAddress, _ timeout: Duration) async -> HandshakeInput {
        await connections.connect(
            to: address, timeout: timeout, headers: opener.headers, privateHeaders: opener.remoteHeaders)
    }

    private mutating func reconnect(_ timeout: Duration) async -> HandshakeInput {
        guard let old = connections.control else { return .cancelled }
        old.close()
        return await connect(to: old.connection.peerAddress, timeout)
    }

    private func wait(until time: HostTime) async -> HandshakeInput {
        do { try await opener.machine.sleep(until: time) } catch { return .cancelled }
        return .waited
    }

    // MARK: The clock

    private func addPeer(_ link: ControlLink, _ role: ClockRole) -> HandshakeInput {
        do {
            if role == .timeReceiver { try opener.clock.yield(to: link.peer, localAddress: link.own) }
        } catch {
            return .peerRefused(SpeakerFailure(noClock: error))
        }
        do {
            // Without our measurement of the path: a speaker with its own would take the first Sync for one that came quicker.
            try opener.clock.addPeer(link.peer, localAddress: link.own)
        } catch {
            if role == .timeReceiver { opener.clock.endYield(to: link.peer) }
            return .peerRefused(SpeakerFailure(noClock: error))
        }
        return .peerAdded
    }

    private func setBehaviour(_ behaviour: ClockPeerBehaviour, of peer: IPAddress) {
        opener.clock.setBehaviour(behaviour, of: peer)
        opener.clock.setPathDelay(PathDelay.early(connections.control?.connection.roundTrip), of: peer)
    }

    private func setRole(_ role: ClockRole, _ link: ControlLink) {
        switch role {
        case .timeTransmitter: opener.clock.endYield(to: link.peer)
        // A session whose speaker cannot be followed never becomes ready, and fails with an error of the clock.
        case .timeReceiver: try? opener.clock.yield(to: link.peer, localAddress: link.own)
        }
    }

    private func restartServing(_ peer: IPAddress) {
        // The restart makes the better measurement take effect at once.
        if let delay = PathDelay.measured(connections.control?.connection.roundTrip) {
            opener.clock.setPathDelay(delay, of: peer)
        }
        opener.clock.restartServing(peer)
    }

    private func removePeer(_ peer: IPAddress, _ role: ClockRole) {
        opener.clock.removePeer(peer)
        if role == .timeReceiver { opener.clock.endYield(to: peer) }
    }

    // MARK: Events and streams

    /// Makes a realtime stream; nothing is sent before its first start.
    private mutating func openRealtime(
        _ opening: StreamOpening, _ stream: RealtimeOpening
    ) -> HandshakeInput {
        guard let sockets = connections.sockets else { return .cancelled }
        do {
            // A buffered stream before it may have had the same key, and never counts so far.
            let sealer = try RealtimePacketSealer(
                key: SymmetricKey(opening.numbers.key.bytes), firstNonce: interrupted == nil ? 0 : 1 << 63)
            let clock = opener.clock
            let leader =
                stream.clock == .theirs
                ? LeaderFollowing(clock, peer: opening.address.address, time: opener.machine) : nil
            self.leader = leader
            realtime = RealtimeStream(
                RealtimeSender(
                    stream.traits, coding: .sealed(sealer), numbers: opening.numbers,
                    stamp: { host in
                        guard let leader else { return clock.stamp(at: host) }
                        return leader.stamp(at: host)
                    }),
                sockets: sockets, data: opening.address, control: stream.control,
                store: request.sound ?? opener.store, machine: opener.machine)
            return .streamOpened(isContinued: false)
        } catch {
            return .streamNotOpened("\(error)")
        }
    }

    private mutating func connectEvents(
        to address: SocketAddress, _ secret: SharedSecret, timeout: Duration
    ) async -> HandshakeInput {
        do throws(SystemError) {
            let connection = try await connections.connection(
                to: address, SpeakerOpener.controlOptions, timeout)
            events = EventChannel(
                connection: connection, cipher: SecureChannel(keys: secret.eventKeys(for: .controller)),
                clock: opener.machine,
                onCommand: request.onCommand)
            return .eventsConnected
        } catch {
            return .eventsNotConnected(error)
        }
    }

    private mutating func openStream(
        _ opening: StreamOpening, timeout: Duration
    ) async -> HandshakeInput {
        if let realtime = opening.realtime { return openRealtime(opening, realtime) }
        do {
            let data = try await connections.connection(
                to: opening.address, SpeakerOpener.audioOptions, timeout)
            let made: BufferedStream
            if let interrupted, let sequence = opening.continuesAt {
                guard let continued = interrupted.stream.continued(over: data, at: sequence) else {
                    data.close()
                    return .soundEvicted
                }
                made = continued
            } else if let interrupted {
                made = try interrupted.stream.renewed(over: data, BufferedStream.Parameters(opening))
            } else {
                made = try BufferedStream(
                    connection: data, store: request.sound ?? opener.store,
                    parameters: BufferedStream.Parameters(opening), clock: opener.machine)
            }
            // Without the data connection the session is useless: end it, so that the group reopens it and rejoins.
            data.start(
                onBytes: { _ in },
                onClose: { [weak control = connections.control] error in
                    control?.fail(
                        SpeakerFailure(.lost, "the sound connection ended", isOrderly: error == nil))
                })
            stream = made
            return .streamOpened(isContinued: opening.continuesAt != nil)
        } catch {
            return .streamNotOpened("\(error)")
        }
    }
}

extension BufferedStream.Parameters {
    /// - Throws: An error if the key is invalid.
    fileprivate init(_ opening: StreamOpening) throws {
        let quirks = opening.quirks
        self.init(
            key: try SymmetricKey(opening.numbers.key.bytes), headerStyle: quirks.bufferedHeaderStyle,
            formatCode: { quirks.formatCode(of: $0) }, firstSequence: opening.numbers.firstSequence,
            firstTime: opening.numbers.firstTime, bufferBytes: opening.bufferBytes,
            slowReaderBytesPerSecond: quirks.slowReaderBytesPerSecond, skipLead: quirks.skipLead,
            waitsForRelease: quirks.isSilentWithoutText)
    }
}
