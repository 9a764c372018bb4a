import AirPlayMessages
import HomeKitPairing
import TuttiClockService
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiRTSP
import TuttiSystemIO

@testable import AirPlaySender

/// A handshake with an in-memory receiver that answers as a speaker does.
struct HandshakeRun {
    /// The points at which a handshake waits for an input, in order.
    enum Wait: String, CaseIterable, Sendable {
        case connect, addPeer, info, pairStart, pairProof, session, events, record, peers, format, stream,
            data
        /// Between `connect` and `addPeer`, for a speaker that was unreachable.
        case settle
        /// Between `pairProof` and `session`, for a realtime stream.
        case ports

        /// The points of a handshake of this kind of stream.
        static func all(of stream: SessionChoice.Stream) -> [Wait] {
            allCases.filter { $0 != .ports || stream == .realtime }
        }
    }

    static let own = IPAddress(10, 0, 0, 1)
    static let peer = IPAddress(10, 0, 0, 2)
    static let clock = ClockIdentity(rawValue: 0x0200_00FF_FE00_0042)
    static let now = HostTime(nanoseconds: 1_000_000_000)
    static let link = AirPlay2Handshake.Link(own: own, peer: peer)
    static let identity = SenderIdentity(name: "Stage", clock: clock)
    /// The receiver's identity in pairings that last.
    static let accessory = PairingIdentity(
        identifier: "accessory", key: try! Ed25519SigningKey([UInt8](repeating: 4, count: 32)))

    static var numbers: SessionNumbers {
        SessionNumbers(
            session: 77, timingPeerID: "PEER", sessionUUID: "SESSION",
            key: AudioKey([UInt8](repeating: 7, count: 32))!, streamConnection: 88,
            firstSequence: SequenceNumber(truncating: 5), firstTime: RTPTime(rawValue: 9))
    }

    static func configuration(password: String? = nil) -> AirPlay2Handshake.Configuration {
        AirPlay2Handshake.Configuration(
            target: SpeakerTarget(
                name: "Kitchen",
                addresses: [
                    SocketAddress(peer, port: 7000), SocketAddress(IPAddress(10, 0, 1, 2), port: 7001),
                ],
                password: password),
            identity: identity, clock: clock, numbers: numbers)
    }

    /// Returns the description of a receiver of buffered audio, with the given differences.
    static func info(
        model: String = "ShairportSync", status: AirPlayStatusFlags = [],
        features: AirPlayFeatures = [.audio, .bufferedAudio, .ptp, .transientPairing, .homeKitPairing]
    ) -> ReceiverInfo {
        ReceiverInfo(
            name: "Kitchen", model: model, deviceID: "02:00:00:00:00:01", features: features,
            statusFlags: status, sourceVersion: "366.0", publicKey: Array(0..<32),
            bufferedFormats: [AudioWireFormat.alac44100x16.mask, AudioWireFormat.aac44100.mask],
            realtimeFormats: [])
    }

    var handshake: AirPlay2Handshake
    var receiver: ReceiverInfo
    private var accessory: PairSetupAccessory
    private var verify: PairVerifyAccessory
    /// The controller that the receiver knows; `nil` for none.
    var controller: PairedPeer?
    /// The challenge of a receiver with a digest password, once the session is set up.
    var digestChallenge: String?
    private let accessoryPassword: String?
    private(set) var digests: [DigestCredentials] = []
    private(set) var forgotten: [PairedSpeaker] = []
    /// All outputs so far, as short words.
    private(set) var trace: [String] = []
    private(set) var requests: [RTSPRequest] = []
    private(set) var waiting: (wait: Wait, output: AirPlay2Handshake.Output)?
    private(set) var opened: OpenedSession?
    /// The choice of a handshake that ended because the speaker takes AirPlay 1 only.
    private(set) var airPlay1: SessionChoice?
    private(set) var failure: SpeakerFailure?
    var continuesAt: Int64?

    init(
        _ configuration: AirPlay2Handshake.Configuration = configuration(),
        receiver: ReceiverInfo = info(),
        accessoryPassword: String? = nil, controller: PairedPeer? = nil
    ) {
        self.receiver = receiver
        self.controller = controller
        self.accessoryPassword = accessoryPassword
        verify = PairVerifyAccessory(identity: Self.accessory) {
            $0 == controller?.identifier ? controller : nil
        }
        accessory = PairSetupAccessory(password: accessoryPassword ?? PairSetup.transientPassword)
        handshake = AirPlay2Handshake(configuration)
        handshake.begin()
        takeOutputs()
    }

    /// Gives the handshake one input, and takes the outputs that follow.
    mutating func give(_ input: AirPlay2Handshake.Input) {
        handshake.receive(input, at: Self.now)
        takeOutputs()
    }

    /// An error: the handshake ended before it waited at this point.
    struct NotReached: Error { var wait: Wait? }

    /// Answers as a speaker does until the handshake waits at `wait`, or until it ends.
    mutating func run(to wait: Wait? = nil) throws {
        while let current = waiting {
            if current.wait == wait { return }
            give(usualInput(for: current.output))
        }
        if wait != nil { throw NotReached(wait: wait) }
    }

    private mutating func takeOutputs() {
        waiting = nil
        while let output = handshake.nextOutput() {
            trace.append(Self.words(output))
            switch output {
            case .connect, .reconnect: waiting = (.connect, output)
            case .wait: waiting = (.settle, output)
            case .addPeer: waiting = (.addPeer, output)
            case .send(let request, _):
                requests.append(request)
                waiting = (
                    Self.wait(
                        request,
                        pairings: requests.count { $0.path == "/pair-setup" || $0.path == "/pair-verify" }),
                    output
                )
            case .bindPorts: waiting = (.ports, output)
            case .takesAirPlay1(_, let choice): airPlay1 = choice
            case .connectEvents: waiting = (.events, output)
            case .awaitFormat: waiting = (.format, output)
            case .openStream: waiting = (.data, output)
            case .opened(let session): opened = session
            case .failed(let failure): self.failure = failure
            case .forget(let speaker): forgotten.append(speaker)
            case .authorize(let credentials): digests.append(credentials)
            case .setBehaviour, .setRole, .restartServing, .removePeer, .encrypt, .describe: break
            }
        }
    }

    private static func wait(_ request: RTSPRequest, pairings: Int) -> Wait {
        switch Step(request) {
        case .info: .info
        case .pairSetup, .pairVerify: pairings == 1 ? .pairStart : .pairProof
        case .setUpSession: .session
        case .record: .record
        case .setPeers: .peers
        default: .stream
        }
    }

    static func words(_ output: AirPlay2Handshake.Output) -> String {
        switch output {
        case .connect(let address, let timeout): "connect \(address) \(timeout)"
        case .wait(let time): "wait \(time.since(now))"
        case .reconnect: "reconnect"
        case .forget: "forget"
        case .authorize: "authorize"
        case .addPeer(let link, .timeTransmitter): "add \(link.peer)"
        case .addPeer(let link, .timeReceiver): "follow and add \(link.peer)"
        case .setRole(.timeTransmitter, let link): "lead \(link.peer)"
        case .setRole(.timeReceiver, let link): "follow \(link.peer)"
        case .setBehaviour: "behaviour"
        case .restartServing(let peer): "restart \(peer)"
        case .removePeer(let peer, .timeTransmitter): "remove \(peer)"
        case .removePeer(let peer, .timeReceiver): "remove \(peer) and unfollow"
        case .send(let request, _): "\(request.method.rawValue) \(request.target)"
        case .encrypt: "encrypt"
        case .describe: "describe"
        case .bindPorts(_, let isTiming): isTiming ? "bind, with timing" : "bind"
        case .takesAirPlay1: "AirPlay 1"
        case .connectEvents(let address, _, _): "events \(address)"
        case .awaitFormat: "format"
        case .openStream(let stream, _): "data \(stream.address)"
        case .opened: "opened"
        case .failed: "failed"
        }
    }

    // MARK: The receiver

    /// Returns the answer of a receiver without faults to `output`.
    mutating func usualInput(for output: AirPlay2Handshake.Output) -> AirPlay2Handshake.Input {
        switch output {
        case .connect: .connected(Self.link)
        case .reconnect: reconnected()
        case .wait: .waited
        case .addPeer: .peerAdded
        case .bindPorts(_, let isTiming):
            .portsBound(BoundPorts(control: 6001, timing: isTiming ? 6002 : nil))
        case .connectEvents: .eventsConnected
        case .awaitFormat: .format(.alac44100x16)
        case .openStream(let stream, _): .streamOpened(isContinued: stream.continuesAt != nil)
        case .send(let request, _): .answered(answer(request))
        default: .cancelled
        }
    }

    mutating func answer(_ request: RTSPRequest) -> RTSPResponse {
        switch Step(request) {
        case .info: RTSPResponse(contentType: ReceiverInfo.contentType, body: receiver.body)
        case .pairSetup: RTSPResponse(contentType: "application/octet-stream", body: pair(request.body))
        case .pairVerify: RTSPResponse(contentType: "application/octet-stream", body: verify(request.body))
        case .setUpSession where digestChallenge != nil && digests.isEmpty:
            RTSPResponse(.unauthorized, headers: ["WWW-Authenticate": digestChallenge ?? ""])
        case .setUpSession:
            RTSPResponse(contentType: PeerList.contentType, body: SessionSetupResponse(eventPort: 1111).body)
        case .setUpStream:
            RTSPResponse(
                contentType: PeerList.contentType,
                body: StreamSetupResponse(
                    kind: (try? StreamSetupRequest(body: request.body))?.kind ?? .buffered, dataPort: 2222,
                    controlPort: 3333, audioBufferSize: 8 << 20, streamID: 3, continuesAt: continuesAt
                ).body)
        default: RTSPResponse()
        }
    }

    private mutating func pair(_ body: [UInt8]) -> [UInt8] {
        switch accessory.receive(body) {
        case .send(let reply), .introduced(let reply, _), .refused(let reply, _), .paired(let reply, _): reply
        }
    }

    /// The new connection has pairing procedures of its own.
    private mutating func reconnected() -> AirPlay2Handshake.Input {
        accessory = PairSetupAccessory(password: accessoryPassword ?? PairSetup.transientPassword)
        let known = controller
        verify = PairVerifyAccessory(identity: Self.accessory) { $0 == known?.identifier ? known : nil }
        return .connected(Self.link)
    }

    private mutating func verify(_ body: [UInt8]) -> [UInt8] {
        switch verify.receive(body) {
        case .send(let reply), .refused(let reply, _), .verified(let reply, _, _): reply
        }
    }

    /// Returns the body with which a speaker refuses the pending pairing request.
    mutating func refusal(_ error: PairingError) -> [UInt8] {
        guard let body = requests.last?.body else { return [] }
        switch accessory.refuse(body, because: error) {
        case .send(let reply), .introduced(let reply, _), .refused(let reply, _), .paired(let reply, _):
            return reply
        }
    }
}
