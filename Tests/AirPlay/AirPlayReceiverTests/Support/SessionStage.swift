import AirPlayMessages
import HomeKitPairing
import Synchronization
import TuttiClockService
import TuttiCryptography
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver

struct StageIdentity: SpeakerIdentifying {
    let deviceID = "02:00:00:00:00:07"
    let publicID = "11111111-2222-4333-8444-555555555555"
    let publicSystemID = "99999999-2222-4333-8444-555555555555"
    let publicKey = [UInt8](0..<32)
}

/// Clocks that are known immediately.
final class StageClock: SpeakerClock {
    let identity = ClockIdentity(rawValue: 0x0200_00FF_FE00_0007)
    let followed = Recorder<[IPAddress: Int]>([:])
    let hasSpare = Recorder(true)
    var hasSparePlaces: Bool { hasSpare.value }
    /// The allowed source addresses of each clock request.
    let asked = Recorder<[Set<IPAddress>]>([])

    func follow(_ address: IPAddress, localAddress: IPAddress?) {
        followed.update { $0[address, default: 0] += 1 }
    }
    func unfollow(_ address: IPAddress) { followed.update { $0[address, default: 0] -= 1 } }
    func mapping(of identity: ClockIdentity) -> ClockMapping? {
        ClockMapping(host: HostTime(nanoseconds: 0), network: NetworkTime(nanoseconds: 0))
    }
    /// Clocks that are known only from followed addresses.
    func mapping(of identity: ClockIdentity, toldBy addresses: Set<IPAddress>) -> ClockMapping? {
        asked.update { $0.append(addresses) }
        return addresses.isEmpty ? nil : mapping(of: identity)
    }
}

/// A session value and the effects of its requests, without sockets.
struct SessionRun {
    var session: ReceiverSession
    var volume = Volume(decibels: -20)
    var status: StreamStatus?
    /// The lateness of every anchor.
    var lateness: Duration?
    /// The end of the sound at every pause.
    var soundEnd: RTPTime?
    var now = HostTime(nanoseconds: 0)
    var commands: [StreamCommand] = []
    var events: [SpeakerEvent] = []
    var others: [ReceiverSession.Output] = []
    var eventPort: UInt16? = 40_001
    var ports: StreamPorts? = StreamPorts(data: 40_002, bufferBytes: 1 << 20)

    init(pairing: any PairingService = TransientPairing(), wantsPIN: Bool = false) {
        session = ReceiverSession(pairing: pairing, wantsPIN: wantsPIN)
    }

    /// A session that has been paired.
    static func paired() throws -> SessionRun {
        var run = SessionRun(pairing: PairsAtOnce(secret: try SharedSecret([UInt8](repeating: 7, count: 64))))
        _ = run.ask(RTSPRequest(.post, "/pair-setup"))
        return run
    }

    /// A paired session after its first SETUP.
    static func inSession(_ timing: TimingProtocol = .ptp) throws -> SessionRun {
        var run = try paired()
        _ = run.ask(.setup, SessionSetupRequest.stage(timing))
        return run
    }

    static func withStream(_ kind: StreamKind = .buffered) throws -> SessionRun {
        var run = try inSession()
        _ = run.ask(.setup, try StreamSetupRequest.stage(kind))
        return run
    }

    mutating func ask(_ method: RTSPMethod, _ message: some PropertyListMessage) -> [RTSPResponse] {
        ask(
            RTSPRequest(
                method, "rtsp://127.0.0.1/1", contentType: PeerList.contentType, body: message.body))
    }

    /// Returns the answer to one request; there must be one.
    mutating func ask(_ request: RTSPRequest) -> [RTSPResponse] {
        let identity = StageIdentity()
        var configuration = SpeakerConfiguration(name: "Stage")
        configuration.initialVolume = volume
        let info = SpeakerInfo(configuration: configuration, identity: identity)
        let volume = volume
        let (lateness, soundEnd) = (lateness, soundEnd)
        var pauses = 0
        let context = ReceiverSession.Context(
            now: now, volume: volume, status: status, playWhole: { _, _ in lateness },
            pause: {
                pauses += 1
                return soundEnd
            },
            info: { info.info(volume: volume, isInUse: false, sender: nil) })
        session.receive(request, in: context)
        for _ in 0..<pauses { commands.append(.pause) }
        var answers: [RTSPResponse] = []
        while let output = session.nextOutput() {
            switch output {
            case .answer(let response), .answerThenEncrypt(let response, _): answers.append(response)
            case .command(let command): commands.append(command)
            case .event(let event): events.append(event)
            case .volume(let new): self.volume = new
            case .openSession:
                others.append(output)
                session.sessionOpened(
                    eventPort: eventPort, TimingPeerInfo(id: "127.0.0.1", addresses: ["127.0.0.1"]))
            case .openStream:
                others.append(output)
                session.streamOpened(ports)
            case .peers, .endStream, .endSession, .turnedAway: others.append(output)
            }
        }
        return answers
    }

    mutating func status(of request: RTSPRequest) -> Int? { ask(request).first?.status.rawValue }
}

/// Pairing without cryptography.
struct PairsAtOnce: PairingService {
    let secret: SharedSecret

    mutating func receive(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer {
        PairingAnswer(body: [], secret: secret)
    }
}

extension SessionSetupRequest {
    static func stage(_ timing: TimingProtocol = .ptp, uuid: String = "A") -> SessionSetupRequest {
        var message = SessionSetupRequest(
            timingProtocol: timing,
            timingPeerInfo: timing == .ptp ? TimingPeerInfo(id: "x", addresses: ["127.0.0.1"]) : nil)
        message.sessionUUID = uuid
        message.name = "Phone"
        if timing == .ntp { message.timingPort = 6002 }
        if timing == .noClock { message.isRemoteControlOnly = true }
        return message
    }
}

extension StreamSetupRequest {
    static func stage(_ kind: StreamKind = .buffered, key: UInt8 = 9, id: UInt64 = 5) throws
        -> StreamSetupRequest
    {
        guard let key = AudioKey([UInt8](repeating: key, count: 32)) else { throw CancellationError() }
        return StreamSetupRequest(kind: kind, format: .alac44100x16, key: key, streamConnectionID: id)
    }
}
