import AirPlayMessages
import ClockService
import Cryptography
import Foundation
import HomeKitPairing
import MediaTime
import RTP
import RTSP
import SystemIO

/// Opens a buffered session with one speaker: moves the bytes of a ``BufferedHandshake``, and waits for it.
struct BufferedOpener: SessionOpener {
    let identity: SenderIdentity
    let clock: any SenderClock
    let store: PacketStore
    var timing = SenderTiming()

    /// Options with a small send buffer, because a seek cannot take back bytes in the kernel.
    fileprivate static let audioOptions = TCPOptions(
        sendBufferBytes: 64 * 1024, maximumRetransmissionTimeout: .seconds(1), userTimeout: .seconds(600))
    /// Options with a long timeout: a speaker out of reach for minutes still plays its buffer.
    fileprivate static let controlOptions = TCPOptions(
        maximumRetransmissionTimeout: .seconds(1), userTimeout: .seconds(600))

    func open(_ request: SessionRequest) async throws -> any SpeakerSession {
        var opening = BufferedOpening(opener: self, request: request)
        return try await opening.run()
    }
}

/// One opening under way: what it has connected so far.
private struct BufferedOpening {
    let opener: BufferedOpener
    let request: SessionRequest
    private let interrupted: BufferedSession?
    private var control: ControlChannel?
    private var events: EventChannel?
    private var stream: BufferedStream?

    init(opener: BufferedOpener, request: SessionRequest) {
        (self.opener, self.request) = (opener, request)
        interrupted = request.interrupted as? BufferedSession
    }

    mutating func run() async throws -> BufferedSession {
        let target = request.target
        let configuration = BufferedHandshake.Configuration(
            target: target, identity: opener.identity, clock: opener.clock.identity, numbers: try numbers(),
            isReturning: request.isReturning, yieldsToOthers: request.yieldsToOthers,
            isResuming: interrupted != nil, timing: opener.timing)
        var handshake = BufferedHandshake(
            configuration,
            pairing: PairSetupController(password: target.password ?? PairSetup.transientPassword))
        handshake.begin()
        while let output = handshake.nextOutput() {
            switch output {
            case .opened(let opened): return try session(opened)
            case .failed(let failure):
                events?.close()
                control?.close()
                throw failure
            default:
                if let input = await perform(output) { handshake.receive(input, at: SystemClock.now) }
            }
        }
        preconditionFailure("a handshake waits for one result at a time, and ends with one")
    }

    private func numbers() throws -> SessionNumbers {
        let kept = interrupted?.opened.numbers
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

    private func session(_ opened: OpenedSession) throws -> BufferedSession {
        guard let control, let events, let stream else { throw SpeakerFailure(.closed, "closed") }
        return BufferedSession(
            opened, control: control, events: events, stream: stream,
            localAddress: request.target.localAddress, clock: opener.clock, timing: opener.timing)
    }

    /// Carries out one task; returns its result, if the handshake waits for one.
    private mutating func perform(_ output: BufferedHandshake.Output) async -> BufferedHandshake.Input? {
        switch output {
        case .connect(let address, let timeout):
            return await connect(to: address, timeout: timeout)
        case .wait(let time):
            do { try await Task.sleep(for: time.since(SystemClock.now)) } catch { return .cancelled }
            return .waited
        case .addPeer(let link):
            do {
                try opener.clock.addPeer(link.peer, pathDelay: link.pathDelay, localAddress: link.own)
            } catch {
                return .peerRefused(SpeakerFailure(error))
            }
            return .peerAdded
        case .setBehaviour(let behaviour, let peer): opener.clock.setBehaviour(behaviour, of: peer)
        case .restartServing(let peer): opener.clock.restartServing(peer)
        case .removePeer(let peer): opener.clock.removePeer(peer)
        case .send(let message, let timeout):
            guard let control else { return .cancelled }
            do { return .answered(try await control.request(message, timeout: timeout)) } catch {
                return .unanswered(SpeakerFailure(error))
            }
        case .encrypt(let secret):
            control?.encrypt(with: SecureChannel(keys: secret.controlKeys(for: .controller)))
        case .describe(let receiver): await request.onDescribed(receiver)
        case .connectEvents(let address, let secret, let timeout):
            return await connectEvents(to: address, secret, timeout: timeout)
        case .awaitFormat: return .format(await request.format())
        case .openStream(let stream, let timeout):
            return await openStream(stream, timeout: timeout)
        case .opened, .failed: break
        }
        return nil
    }

    private mutating func connect(
        to address: SocketAddress, timeout: Duration
    ) async -> BufferedHandshake.Input {
        do throws(SystemError) {
            let connection = try await connection(to: address, BufferedOpener.controlOptions, timeout)
            control = ControlChannel(
                connection: connection, headers: headers, privateHeaders: privateHeaders)
            return .connected(
                BufferedHandshake.Link(
                    own: connection.localAddress.address, peer: connection.peerAddress.address,
                    pathDelay: connection.roundTrip.map { $0.minimum / 2 } ?? .zero))
        } catch {
            return .notConnected(error)
        }
    }

    private func connection(
        to address: SocketAddress, _ options: TCPOptions, _ timeout: Duration
    ) async throws(SystemError) -> TCPConnection {
        try await TCPConnection.connect(
            to: address, from: request.target.localAddress, options: options, timeout: timeout)
    }

    private var headers: [(String, String)] {
        [
            ("User-Agent", SenderIdentity.userAgent),
            ("X-Apple-Client-Name", opener.identity.name),
        ]
    }

    /// Headers by which a speaker's buttons find us; encrypted, because anyone who reads them could send commands.
    private var privateHeaders: [(String, String)] {
        [
            ("DACP-ID", opener.identity.dacpID),
            ("Active-Remote", String(opener.identity.activeRemote)),
            ("Client-Instance", opener.identity.dacpID),
        ]
    }

    private mutating func connectEvents(
        to address: SocketAddress, _ secret: SharedSecret, timeout: Duration
    ) async -> BufferedHandshake.Input {
        do throws(SystemError) {
            let connection = try await connection(to: address, BufferedOpener.controlOptions, timeout)
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
    ) async -> BufferedHandshake.Input {
        do {
            let data = try await connection(to: opening.address, BufferedOpener.audioOptions, timeout)
            let made: BufferedStream
            if let interrupted, let sequence = opening.continuesAt {
                guard let continued = interrupted.stream.continued(over: data, at: sequence) else {
                    data.close()
                    return .soundEvicted
                }
                made = continued
            } else {
                made = try BufferedStream(
                    connection: data, store: opener.store, parameters: BufferedStream.Parameters(opening))
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
    /// - Throws: An error if the key is none.
    fileprivate init(_ opening: StreamOpening) throws {
        let quirks = opening.quirks
        self.init(
            key: try SymmetricKey(opening.numbers.key.bytes), headerStyle: quirks.bufferedHeaderStyle,
            formatCode: { quirks.formatCode(of: $0) }, firstSequence: opening.numbers.firstSequence,
            firstTime: opening.numbers.firstTime, bufferBytes: opening.bufferBytes,
            slowReaderBytesPerSecond: quirks.slowReaderBytesPerSecond)
    }
}
