import AirPlayMessages
import ClockService
import Cryptography
import Foundation
import HomeKitPairing
import MediaTime
import RTP
import RTSP
import SystemIO

/// The opening of a session with a speaker, in the order that every known receiver accepts:
/// info, pairing, session SETUP, event connection, RECORD, SETPEERS, stream SETUP, data connection.
struct SpeakerHandshake {
    let target: SpeakerTarget
    let identity: SenderIdentity
    let clock: any SenderClock
    let store: PacketStore
    /// Whether the speaker was unreachable a moment ago, so that it gets time to come up.
    let isReturning: Bool
    /// Whether to leave the speaker to another sender, because the speaker ended the last session.
    let yieldsToOthers: Bool
    /// A session whose connection broke while the speaker plays on. The new connection resumes that session
    /// if the speaker can (``DeviceQuirks/continuesSessions``).
    var interrupted: SpeakerSession?
    let onDescribed: @Sendable (ReceiverDescription) async -> Void
    /// Returns the wire format to send; `nil` when the group is gone.
    let format: @Sendable () async -> AudioWireFormat?
    let onCommand: @Sendable (EventCommand) -> Void
    var timing = SenderTiming()

    /// The smallest usable buffer, bytes: room for a few packets of any format.
    private static let leastBuffer: Int64 = 32 * 1024
    private static let connectTimeout = Duration.seconds(4)
    /// The timeout for a speaker that plays on meanwhile; the next attempt follows soon.
    private static let reconnectTimeout = Duration.milliseconds(1500)
    private static let settlingTime = Duration.milliseconds(2500)

    /// Options with a small send buffer, because a seek cannot take back bytes in the kernel.
    private static let audioOptions = TCPOptions(
        sendBufferBytes: 64 * 1024, maximumRetransmissionTimeout: .seconds(1), userTimeout: .seconds(600))
    /// Options with a long timeout: a speaker out of reach for minutes still plays its buffer.
    private static let controlOptions = TCPOptions(
        maximumRetransmissionTimeout: .seconds(1), userTimeout: .seconds(600))

    func run() async throws -> SpeakerSession {
        guard !target.speaksAirPlay1Only else {
            throw SpeakerFailure(
                .unsupported,
                "\(target.name) takes AirPlay 1 only, as its mDNS record says; Tutti plays on AirPlay 2 speakers"
            )
        }
        let connection = try await connect()
        // shairport-sync ends with a failed assertion when a session comes before its mDNS entries are in
        // place, one to two seconds after it begins to listen (*observed*).
        if isReturning, interrupted == nil { try await Task.sleep(for: Self.settlingTime) }
        let control = ControlChannel(
            connection: connection, headers: headers, privateHeaders: privateHeaders)
        let peer = connection.peerAddress.address
        // Serve the clock from here on. A receiver that still has the clock of an earlier session starts on
        // that clock, and loses sound when the new one begins, unless it hears the new clock before the
        // SETUP. The path delay is half of the best round trip so far, that of the TCP handshake, before any
        // data of ours could wait in a queue.
        try clock.addPeer(
            peer, pathDelay: connection.roundTrip.map { $0.minimum / 2 } ?? .zero,
            localAddress: connection.localAddress.address)
        do {
            return try await open(control, peer: peer)
        } catch {
            control.close()
            clock.removePeer(peer)
            throw error
        }
    }

    private func connect() async throws -> TCPConnection {
        var last: SystemError?
        for address in target.addresses {
            do throws(SystemError) {
                return try await TCPConnection.connect(
                    to: address, from: target.localAddress, options: Self.controlOptions,
                    timeout: interrupted == nil ? Self.connectTimeout : Self.reconnectTimeout)
            } catch {
                last = error
            }
        }
        let place = target.addresses.first.map { "\($0)" } ?? "an unknown address"
        let cause = last.map { ": \($0)" } ?? ""
        if interrupted != nil, last?.isConnectionRefused == true {
            throw SpeakerFailure(.refused, "\(target.name) has ended")
        }
        throw SpeakerFailure(.unreachable, "\(target.name) does not answer at \(place)\(cause)")
    }

    private var headers: [(String, String)] {
        [
            ("User-Agent", SenderIdentity.userAgent),
            ("X-Apple-Client-Name", identity.name),
        ]
    }

    /// Headers by which a speaker's buttons find us; encrypted, because anyone who reads them could send commands.
    private var privateHeaders: [(String, String)] {
        [
            ("DACP-ID", identity.dacpID),
            ("Active-Remote", String(identity.activeRemote)),
            ("Client-Instance", identity.dacpID),
        ]
    }

    // MARK: Steps

    private func open(_ control: ControlChannel, peer: IPAddress) async throws
        -> SpeakerSession
    {
        let receiver = try await describe(control)
        let asking: ClockPeerBehaviour = receiver.family == .tutti ? .tutti : .unknown
        clock.setBehaviour(receiver.quirks.asksForDelay ? asking : .shairportSync, of: peer)
        let keys = try await pair(control, receiver: receiver)
        let own = control.connection.localAddress.address
        let url = "rtsp://\(own.textWithoutZone)/\(UInt32.random(in: 1...UInt32.max))"

        let sessionUUID = interrupted?.parts.sessionUUID ?? UUID().uuidString
        let session = try await setUpSession(control, url: url, own: own, uuid: sessionUUID)
        let events = try await openEvents(
            SocketAddress(peer, port: session.eventPort), from: own, keys: keys)
        do {
            try await record(control, url: url)
            try await setPeers(control, url: url, addresses: [peer.textWithoutZone, own.textWithoutZone])
            guard let format = await format() else { throw SpeakerFailure(.closed, "closed") }
            return try await openStream(
                control, events: events, url: url, peer: peer, receiver: receiver, format: format,
                sessionUUID: sessionUUID)
        } catch {
            events.close()
            throw error
        }
    }

    private func describe(_ control: ControlChannel) async throws -> ReceiverDescription {
        let request = RTSPRequest(.get, "/info")
        let response: RTSPResponse
        do {
            response = try await control.request(request, timeout: timing.setupTimeout)
        } catch {
            let failure = SpeakerFailure(error)
            // A speaker that is starting, or behind a weak link, may be silent or hang up: the group retries.
            throw SpeakerFailure(
                failure.code == .refused ? .notASpeaker : failure.code,
                "\(target.name) does not answer as an AirPlay speaker")
        }
        guard response.status.isSuccess else { throw refusal("to describe itself", response) }
        guard let info = try? ReceiverInfo(body: response.body) else {
            throw SpeakerFailure(.notASpeaker, "\(target.name) does not answer as an AirPlay 2 speaker")
        }
        let receiver = ReceiverDescription(airPlay: target.record, info: info)
        guard receiver.supportsBufferedAudio, receiver.quirks.playsBufferedAudio else {
            throw SpeakerFailure(
                .unsupported,
                "\(target.name) (\(receiver.model ?? "unknown model")) takes no buffered AirPlay 2 sound; only speakers that do can be used"
            )
        }
        // A speaker with an interrupted session of ours checks ownership itself.
        if yieldsToOthers, interrupted == nil, receiver.isInUse {
            throw SpeakerFailure(.busy, "another sender has taken \(target.name)")
        }
        await onDescribed(receiver)
        return receiver
    }

    private func pair(
        _ control: ControlChannel, receiver: ReceiverDescription
    ) async throws -> SharedSecret {
        if receiver.pairingNeed == .pin {
            throw SpeakerFailure(.pinNeeded, "\(target.name) wants a PIN, which cannot be given yet")
        }
        if receiver.pairingNeed == .password, target.password == nil {
            throw SpeakerFailure(.passwordNeeded, "\(target.name) wants a password: give it with --password")
        }
        var pairing = PairSetupController(password: target.password ?? PairSetup.transientPassword)
        var body = pairing.start()
        while true {
            var request = RTSPRequest(.post, "/pair-setup")
            request.headers["Content-Type"] = "application/octet-stream"
            request.headers["X-Apple-HKP"] = "4"
            request.body = body
            let response = try await control.request(request, timeout: timing.setupTimeout)
            // Receivers differ in whether a refusal in the body has an error status, too.
            if !response.status.isSuccess, response.body.isEmpty { throw pairingRefusal(response) }
            do throws(PairingError) {
                switch try pairing.receive(response.body) {
                case .send(let next): body = next
                case .paired(let secret):
                    control.encrypt(with: SecureChannel(keys: secret.controlKeys(for: .controller)))
                    return secret
                }
            } catch {
                switch error {
                case .authenticationFailed, .backOff, .tooManyTries: throw pairingFailure(error)
                default:
                    throw response.status.isSuccess ? pairingFailure(error) : pairingRefusal(response)
                }
            }
            if !response.status.isSuccess { throw pairingRefusal(response) }
        }
    }

    private func setUpSession(
        _ control: ControlChannel, url: String, own: IPAddress, uuid: String
    ) async throws -> SessionSetupResponse {
        let peerInfo = TimingPeerInfo(
            id: UUID().uuidString, addresses: [own.textWithoutZone], clockIdentity: clock.identity,
            deviceType: 0,
            supportsClockPortMatchingOverride: false)
        var message = SessionSetupRequest(timingProtocol: .ptp, timingPeerInfo: peerInfo)
        message.timingPeerList = [peerInfo]
        (message.deviceID, message.macAddress) = (identity.deviceID, identity.deviceID)
        message.sessionUUID = uuid
        message.isContinuing = interrupted.map { _ in true }
        message.groupUUID = identity.groupID
        message.groupContainsGroupLeader = false
        message.isMultiSelectAirPlay = true
        (message.name, message.model) = (identity.name, "Tutti1,1")
        (message.osName, message.osVersion, message.osBuildVersion) = ("Linux", "1.0", "1")
        message.sourceVersion = "670.6.2"
        let response = try await setUp(control, url: url, body: message.body)
        guard let answer = try? SessionSetupResponse(body: response.body) else {
            throw SpeakerFailure(.refused, "\(target.name) opened no session: its answer names no event port")
        }
        return answer
    }

    private func openEvents(
        _ address: SocketAddress, from own: IPAddress, keys: SharedSecret
    ) async throws -> EventChannel {
        do throws(SystemError) {
            let connection = try await TCPConnection.connect(
                to: address, from: target.localAddress, options: Self.controlOptions,
                timeout: Self.connectTimeout)
            return EventChannel(
                connection: connection, cipher: SecureChannel(keys: keys.eventKeys(for: .controller)),
                onCommand: onCommand)
        } catch {
            throw SpeakerFailure(.refused, "\(target.name) does not take the event connection: \(error)")
        }
    }

    private func record(_ control: ControlChannel, url: String) async throws {
        let response = try await control.request(
            RTSPRequest(.record, url), timeout: timing.setupTimeout)
        guard response.status.isSuccess else { throw refusal("to record", response) }
    }

    private func setPeers(
        _ control: ControlChannel, url: String, addresses: [String]
    ) async throws {
        var request = RTSPRequest(.setPeers, url)
        request.headers["Content-Type"] = PeerList.contentType
        request.body = PeerList(addresses: addresses).body
        let response = try await control.request(request, timeout: timing.setupTimeout)
        guard response.status.isSuccess else { throw refusal("its clock peers", response) }
    }

    private func openStream(
        _ control: ControlChannel, events: EventChannel, url: String, peer: IPAddress,
        receiver: ReceiverDescription, format: AudioWireFormat, sessionUUID: String
    ) async throws -> SpeakerSession {
        guard let audioKey = interrupted?.parts.key ?? AudioKey(SymmetricKey().bytes) else {
            throw SpeakerFailure(.closed, "no key")
        }
        let connectionID =
            interrupted?.parts.streamConnectionID ?? UInt64(UInt32.random(in: 1...UInt32.max))
        let message = StreamSetupRequest(format: format, key: audioKey, streamConnectionID: connectionID)
        let response = try await setUp(control, url: url, body: message.body)
        guard let answer = try? StreamSetupResponse(body: response.body) else {
            throw SpeakerFailure(.refused, "\(target.name) opened no stream: its answer names no data port")
        }
        // Serve densely again: the stream SETUP makes some receivers forget the clock messages so far.
        clock.restartServing(peer)
        let quirks = receiver.quirks
        // Treat a speaker without a valid size as a speaker with a small buffer.
        let named = answer.audioBufferSize.flatMap { $0 >= Self.leastBuffer ? $0 : nil }
        let bufferBytes = Int(clamping: min(named ?? 4 << 20, 1 << 30))
        do {
            let data = try await TCPConnection.connect(
                to: SocketAddress(peer, port: answer.dataPort), from: target.localAddress,
                options: Self.audioOptions, timeout: Self.connectTimeout)
            let parameters = BufferedStream.Parameters(
                key: try SymmetricKey(audioKey.bytes), headerStyle: quirks.bufferedHeaderStyle,
                formatCode: { quirks.formatCode(of: $0) },
                // The lower half, so that the sequence does not wrap within a session, which some receivers
                // would not accept.
                firstSequence: SequenceNumber(truncating: UInt32.random(in: 0..<(1 << 22))),
                firstTime: RTPTime(rawValue: UInt32.random(in: 0...UInt32.max)),
                bufferBytes: bufferBytes, slowReaderBytesPerSecond: quirks.slowReaderBytesPerSecond)
            let continued = try await continuedStream(over: data, at: answer.continuesAt)
            let stream =
                try continued ?? BufferedStream(connection: data, store: store, parameters: parameters)
            // Without the data connection the session is useless: end it, so that the group reopens it and rejoins.
            data.start(
                onBytes: { _ in },
                onClose: { [weak control] error in
                    control?.fail(
                        SpeakerFailure(.lost, "the sound connection ended", isOrderly: error == nil))
                })
            return SpeakerSession(
                parts: SpeakerSession.Parts(
                    control: control, events: events, stream: stream, url: url, address: peer,
                    receiver: receiver, streamID: answer.streamID, bufferBytes: bufferBytes,
                    sessionUUID: sessionUUID, key: audioKey, streamConnectionID: connectionID,
                    isContinuing: continued != nil),
                clock: clock, timing: timing)
        } catch let failure as SpeakerFailure {
            throw failure
        } catch {
            throw SpeakerFailure(.refused, "\(target.name) does not take the sound connection: \(error)")
        }
    }

    /// Returns the stream that the speaker still plays; `nil` when the speaker has begun a new one.
    private func continuedStream(over data: TCPConnection, at number: Int64?) async throws -> BufferedStream?
    {
        guard let interrupted, let number else { return nil }
        let sequence = SequenceNumber(truncating: UInt32(truncatingIfNeeded: number))
        if let stream = await interrupted.stream.continued(over: data, at: sequence) { return stream }
        data.close()
        throw SpeakerFailure(.lost, "\(target.name) lacks sound that is not kept any more")
    }

    private func setUp(
        _ control: ControlChannel, url: String, body: [UInt8]
    ) async throws -> RTSPResponse {
        var request = RTSPRequest(.setup, url)
        request.headers["Content-Type"] = PeerList.contentType
        request.body = body
        let response = try await control.request(request, timeout: timing.setupTimeout)
        switch response.status {
        case .ok: return response
        case .unauthorized:
            throw SpeakerFailure(.passwordNeeded, "\(target.name) wants a password: give it with --password")
        case .notEnoughBandwidth: throw SpeakerFailure(.busy, "\(target.name) is busy with another sender")
        default: throw refusal("a session", response)
        }
    }
}
