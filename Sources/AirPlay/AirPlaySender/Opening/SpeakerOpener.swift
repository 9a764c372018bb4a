import AirPlayMessages
import Foundation
import HomeKitPairing
import TuttiClockService
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiRTSP
import TuttiSystemIO

/// Opens a session with one speaker, of the kind that ``SessionChoice`` names: moves the bytes of its handshake, and
/// waits for it.
struct SpeakerOpener: SessionOpener {
    let identity: SenderIdentity
    let clock: any SenderClock
    let store: PacketStore
    var timing = SenderTiming()

    /// Options with a small send buffer, because a seek cannot take back bytes in the kernel.
    fileprivate static let audioOptions = TCPOptions(
        sendBufferBytes: 64 * 1024, maximumRetransmissionTimeout: .seconds(1), userTimeout: .seconds(600))
    /// Options with a long timeout: a speaker out of reach for minutes still plays its buffer.
    static let controlOptions = TCPOptions(
        maximumRetransmissionTimeout: .seconds(1), userTimeout: .seconds(600))

    func open(_ request: SessionRequest) async throws -> any SpeakerSession {
        let target = request.target
        if let local = target.local {
            let choice = SessionChoice(.local, .host, "a device of this machine")
            await request.onDescribed(ReceiverDescription(), choice)
            guard await request.format() != nil else { throw SpeakerFailure(.closed, "closed") }
            do { return try await local.open(request.sound ?? store) } catch {
                throw SpeakerFailure(.refused, "\(target.name): \(error)")
            }
        }
        if target.override.stream == .airPlay1 || (target.override.stream == nil && target.speaksAirPlay1Only)
        {
            let known = ReceiverDescription(airPlay: target.record, raop: target.raop)
            return try await openAirPlay1(request, SessionChoice(known, override: target.override))
        }
        if let failure = HandshakeRefusals(target).fixedStream { throw failure }
        var opening = AirPlay2Opening(opener: self, request: request)
        switch try await opening.run() {
        case .session(let session): return session
        case .takesAirPlay1(let choice): return try await openAirPlay1(request, choice)
        }
    }

    private func openAirPlay1(
        _ request: SessionRequest, _ choice: SessionChoice
    ) async throws -> any SpeakerSession {
        var opening = AirPlay1Opening(opener: self, request: request)
        return try await opening.run(choice)
    }

    /// Returns the numbers of a session: new ones, or those of the session that is resumed.
    func numbers(resuming kept: SessionNumbers? = nil) throws -> SessionNumbers {
        guard let key = kept?.key ?? AudioKey(SymmetricKey().bytes) else {
            throw SpeakerFailure(.closed, "no key")
        }
        return SessionNumbers(
            session: UInt32.random(in: 1...UInt32.max), timingPeerID: UUID().uuidString,
            sessionUUID: kept?.sessionUUID ?? UUID().uuidString,
            key: key,
            streamConnection: kept?.streamConnection ?? UInt64(UInt32.random(in: 1...UInt32.max)),
            firstSequence: SequenceNumber(truncating: UInt32.random(in: 0..<(1 << 22))),
            firstTime: RTPTime(rawValue: UInt32.random(in: 0...UInt32.max)))
    }

    /// The headers of every request.
    var headers: [(String, String)] {
        [
            ("User-Agent", SenderIdentity.userAgent),
            ("X-Apple-Client-Name", identity.name),
        ]
    }

    /// Headers by which a speaker's buttons find us. AirPlay 2 has them encrypted, because anyone who reads them could
    /// send commands.
    var remoteHeaders: [(String, String)] {
        [
            ("DACP-ID", identity.dacpID), ("Active-Remote", String(identity.activeRemote)),
            ("Client-Instance", identity.dacpID),
        ]
    }
}

/// The opening of an AirPlay 2 session under way: what it has connected so far.
private struct AirPlay2Opening {
    enum Outcome {
        case session(any SpeakerSession)
        case takesAirPlay1(SessionChoice)
    }

    let opener: SpeakerOpener
    let request: SessionRequest
    private let interrupted: BufferedSession?
    private var steps = OpeningStepTimer()
    private var control: ControlChannel?
    private var events: EventChannel?
    private var stream: BufferedStream?
    private var sockets: RealtimeSockets?
    private var timing: NTPResponder?
    private var realtime: RealtimeStream?
    /// The clock of a speaker that leads.
    private var leader: LeaderFollowing?

    init(opener: SpeakerOpener, request: SessionRequest) {
        (self.opener, self.request) = (opener, request)
        interrupted = request.interrupted as? BufferedSession
    }

    mutating func run() async throws -> Outcome {
        let target = request.target
        let configuration = AirPlay2Handshake.Configuration(
            target: target, identity: opener.identity, clock: opener.clock.identity,
            numbers: try opener.numbers(resuming: interrupted?.opened.numbers),
            isReturning: request.isReturning, yieldsToOthers: request.yieldsToOthers,
            isResuming: interrupted != nil, instead: request.instead, timing: opener.timing)
        // Another program may have paired meanwhile.
        opener.identity.pairings?.refresh()
        var handshake = AirPlay2Handshake(configuration)
        handshake.begin()
        steps.begin(handshake.step, at: SystemClock.now)
        while let output = handshake.nextOutput() {
            switch output {
            case .opened(let opened):
                steps.end(at: SystemClock.now).map(request.onStep)
                return .session(try session(opened))
            case .takesAirPlay1(_, let choice):
                steps.end(at: SystemClock.now).map(request.onStep)
                closeAll()
                return .takesAirPlay1(choice)
            case .failed(let failure):
                steps.end(failure, at: SystemClock.now).map(request.onStep)
                closeAll()
                throw failure
            default:
                guard let input = await perform(output) else { break }
                handshake.receive(input, at: SystemClock.now)
                steps.enter(handshake.step, at: SystemClock.now).map(request.onStep)
            }
        }
        preconditionFailure("a handshake waits for one result at a time, and ends with one")
    }

    private func closeAll() {
        realtime?.close()
        timing?.close()
        events?.close()
        control?.close()
    }

    private func session(_ opened: OpenedSession) throws -> any SpeakerSession {
        guard let control, let events else { throw SpeakerFailure(.closed, "closed") }
        let sessionControl = SessionControl(
            control, url: opened.url, localAddress: request.target.localAddress, timing: opener.timing)
        if let stream {
            return BufferedSession(
                opened, control: sessionControl, events: events, stream: stream, clock: opener.clock,
                timing: opener.timing)
        }
        guard let realtime else { throw SpeakerFailure(.closed, "closed") }
        let clock: SessionClock =
            if let timing {
                .ntp(timing, since: SystemClock.now)
            } else if let leader {
                .theirs(leader)
            } else {
                .ptp(opener.clock, opened.peer)
            }
        return RealtimeSession(
            SessionTraits(
                realtime: opened.receiver, address: "\(control.connection.peerAddress)",
                bufferBytes: opened.bufferBytes, depth: request.target.override.depth),
            conversation: .airPlay2(events: events, streamID: opened.streamID), control: sessionControl,
            stream: realtime, clock: clock, timing: opener.timing)
    }

    /// Carries out one task; returns its result, if the handshake waits for one.
    private mutating func perform(_ output: AirPlay2Handshake.Output) async -> AirPlay2Handshake.Input? {
        switch output {
        case .connect(let address, let timeout):
            return await connect(to: address, timeout: timeout)
        case .reconnect(let timeout):
            guard let old = control else { return .cancelled }
            old.close()
            return await connect(to: old.connection.peerAddress, timeout: timeout)
        case .wait(let time):
            do { try await Task.sleep(for: time.since(SystemClock.now)) } catch { return .cancelled }
            return .waited
        case .addPeer(let link, let role): return addPeer(link, role)
        case .setRole(.timeTransmitter, let link): opener.clock.endYield(to: link.peer)
        case .setRole(.timeReceiver, let link):
            // A session whose speaker cannot be followed never becomes ready, and fails with an error of the clock.
            try? opener.clock.yield(to: link.peer, localAddress: link.own)
        case .setBehaviour(let behaviour, let peer): opener.clock.setBehaviour(behaviour, of: peer)
        case .restartServing(let peer):
            // The restart makes the better measurement take effect at once.
            if let delay = PathDelay.measured(control?.connection.roundTrip) {
                opener.clock.setPathDelay(delay, of: peer)
            }
            opener.clock.restartServing(peer)
        case .removePeer(let peer, let role):
            opener.clock.removePeer(peer)
            if role == .timeReceiver { opener.clock.endYield(to: peer) }
        case .send(let message, let timeout): return await send(message, timeout: timeout)
        case .encrypt(let secret):
            control?.encrypt(with: SecureChannel(keys: secret.controlKeys(for: .controller)))
        case .authorize(let credentials): control?.authorize(with: credentials)
        // If the file cannot be written, the speaker refuses the credentials again the next time.
        case .forget(let paired): try? opener.identity.pairings?.forget(paired)
        case .describe(let receiver, let choice): await request.onDescribed(receiver, choice)
        case .bindPorts(let link, let isTiming): return bindPorts(link, isTiming: isTiming)
        case .connectEvents(let address, let secret, let timeout):
            return await connectEvents(to: address, secret, timeout: timeout)
        case .awaitFormat:
            steps.end(at: SystemClock.now).map(request.onStep)
            return .format(await request.format())
        case .openStream(let stream, let timeout):
            if let opening = stream.realtime { return openRealtime(stream, opening) }
            return await openStream(stream, timeout: timeout)
        case .opened, .takesAirPlay1, .failed: break
        }
        return nil
    }

    private mutating func connect(
        to address: SocketAddress, timeout: Duration
    ) async -> AirPlay2Handshake.Input {
        do throws(SystemError) {
            let connection = try await connection(to: address, SpeakerOpener.controlOptions, timeout)
            control = ControlChannel(
                connection: connection, headers: opener.headers, privateHeaders: opener.remoteHeaders)
            return .connected(
                AirPlay2Handshake.Link(
                    own: connection.localAddress.address, peer: connection.peerAddress.address,
                    pathDelay: PathDelay.early(connection.roundTrip)))
        } catch {
            return .notConnected(error)
        }
    }

    private func addPeer(_ link: AirPlay2Handshake.Link, _ role: ClockRole) -> AirPlay2Handshake.Input {
        do {
            if role == .timeReceiver { try opener.clock.yield(to: link.peer, localAddress: link.own) }
        } catch {
            return .peerRefused(SpeakerFailure(noClock: error))
        }
        do {
            try opener.clock.addPeer(link.peer, pathDelay: link.pathDelay, localAddress: link.own)
        } catch {
            if role == .timeReceiver { opener.clock.endYield(to: link.peer) }
            return .peerRefused(SpeakerFailure(noClock: error))
        }
        return .peerAdded
    }

    private func send(_ message: RTSPRequest, timeout: Duration) async -> AirPlay2Handshake.Input {
        guard let control else { return .cancelled }
        do { return .answered(try await control.request(message, timeout: timeout)) } catch {
            return .unanswered(SpeakerFailure(error))
        }
    }

    private func connection(
        to address: SocketAddress, _ options: TCPOptions, _ timeout: Duration
    ) async throws(SystemError) -> TCPConnection {
        try await TCPConnection.connect(
            to: address, from: request.target.localAddress, options: options, timeout: timeout)
    }

    private mutating func bindPorts(_ link: AirPlay2Handshake.Link, isTiming: Bool) -> AirPlay2Handshake.Input
    {
        do throws(SystemError) {
            let sockets = try RealtimeSockets(at: link.own)
            self.sockets = sockets
            if isTiming {
                timing = try NTPResponder(
                    at: link.own, peer: link.peer, networkTime: opener.clock.networkTime(at:))
            }
            return .portsBound(BoundPorts(control: sockets.control.address.port, timing: timing?.port))
        } catch {
            return .portsNotBound("\(error)")
        }
    }

    /// Makes a realtime stream; nothing is sent before its first start.
    private mutating func openRealtime(
        _ opening: StreamOpening, _ stream: RealtimeOpening
    ) -> AirPlay2Handshake.Input {
        guard let sockets else { return .cancelled }
        do {
            let sealer = try RealtimePacketSealer(key: SymmetricKey(opening.numbers.key.bytes))
            let clock = opener.clock
            let leader =
                stream.clock == .theirs ? LeaderFollowing(clock, peer: opening.address.address) : nil
            self.leader = leader
            realtime = RealtimeStream(
                RealtimeSender(
                    stream.traits, coding: .sealed(sealer), numbers: opening.numbers,
                    stamp: { host in
                        guard let leader else { return clock.stamp(at: host) }
                        return leader.stamp(at: host)
                    }),
                sockets: sockets, data: opening.address, control: stream.control,
                store: request.sound ?? opener.store)
            return .streamOpened(isContinued: false)
        } catch {
            return .streamNotOpened("\(error)")
        }
    }

    private mutating func connectEvents(
        to address: SocketAddress, _ secret: SharedSecret, timeout: Duration
    ) async -> AirPlay2Handshake.Input {
        do throws(SystemError) {
            let connection = try await connection(to: address, SpeakerOpener.controlOptions, timeout)
            events = EventChannel(
                connection: connection, cipher: SecureChannel(keys: secret.eventKeys(for: .controller)),
                onCommand: request.onCommand)
            return .eventsConnected
        } catch {
            return .eventsNotConnected(error)
        }
    }

    private mutating func openStream(
        _ opening: StreamOpening, timeout: Duration
    ) async -> AirPlay2Handshake.Input {
        do {
            let data = try await connection(to: opening.address, SpeakerOpener.audioOptions, timeout)
            let made: BufferedStream
            if let interrupted, let sequence = opening.continuesAt {
                guard let continued = interrupted.stream.continued(over: data, at: sequence) else {
                    data.close()
                    return .soundEvicted
                }
                made = continued
            } else {
                made = try BufferedStream(
                    connection: data, store: request.sound ?? opener.store,
                    parameters: BufferedStream.Parameters(opening))
            }
            // Without the data connection the session is useless: end it, so that the group reopens it and rejoins.
            data.start(
                onBytes: { _ in },
                onClose: { [weak control = self.control] error in
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
