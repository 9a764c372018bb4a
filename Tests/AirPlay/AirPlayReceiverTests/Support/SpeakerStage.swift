import AirPlayMessages
import AirPlaySender
import Foundation
import HomeKitPairing
import Synchronization
import TuttiClockService
import TuttiCryptography
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver

/// A speaker on loopback with recording sinks.
final class SpeakerStage: Sendable {
    let clock = StageClock()
    let sinks = Recorder<[RecordingSink]>([])
    let descriptions = Recorder<[StreamDescription]>([])
    let timingSources = Recorder<[StageTimingSource]>([])
    let events = Recorder<[SpeakerEvent]>([])
    /// Remote commands with their senders' tokens.
    let displaced = Recorder<[(token: String, isDisplaced: Bool)]>([])
    let commands = Recorder<[(token: String, command: DACPCommand)]>([])
    let server: ReceiverServer
    let address: SocketAddress

    /// Timeouts so long that a busy machine triggers none; tests set the time.
    static let limits = {
        var limits = SessionLimits()
        limits.timeToBeginPairing = .seconds(10_000)
        limits.timeToPair = .seconds(20_000)
        limits.timeToOpenSession = .seconds(30_000)
        limits.silentSession = .seconds(40_000)
        limits.silentPausedSession = .seconds(50_000)
        return limits
    }()

    /// - Parameters:
    ///   - pin: The pairings of a speaker that shows a PIN; `nil` lets senders pair with the password.
    ///   - timingFailure: The error with which a sender's clock cannot be followed.
    init(
        sinkLimit: Int = 1 << 20, password: String? = nil, pin: PairingContext? = nil,
        timingFailure: SystemError? = nil,
        manners: (@Sendable () -> any ConnectionManners)? = nil
    ) throws {
        var configuration = SpeakerConfiguration(name: "Stage")
        configuration.addresses = [.loopbackV4]
        configuration.port = 0
        configuration.limits = Self.limits
        configuration.password = password
        configuration.requiresPIN = pin != nil
        configuration.makeManners = manners
        let (sinks, events, descriptions, timingSources) = (sinks, events, descriptions, timingSources)
        let (displaced, commands) = (displaced, commands)
        server = ReceiverServer(
            ReceiverServer.Parts(
                configuration: configuration, identity: StageIdentity(), clock: clock,
                makeSink: { description in
                    descriptions.update { $0.append(description) }
                    let sink = RecordingSink(limit: sinkLimit)
                    sinks.update { $0.append(sink) }
                    return sink
                },
                makePairing: { pin?.makePairing($0) ?? TransientPairing(password: password) },
                makeTimingSource: { peer, _ in
                    if let timingFailure { throw timingFailure }
                    let source = StageTimingSource(peer: peer)
                    timingSources.update { $0.append(source) }
                    return source
                },
                setPreventsPlayback: { remote, isDisplaced in
                    displaced.update { $0.append((remote.token, isDisplaced)) }
                },
                sendCommand: { remote, command in
                    commands.update { $0.append((remote.token, command)) }
                }),
            machine: SystemMachine(), emit: { event in events.update { $0.append(event) } })
        address = SocketAddress(.loopbackV4, port: try server.start())
    }

    deinit { server.close() }

    /// Returns the sink of stream number `number`, from 1.
    func sink(_ number: Int = 1) async throws -> RecordingSink {
        try await sinks.wait(for: "sink \(number)") { $0.count >= number ? $0[number - 1] : nil }
    }

    func waitForEvent(_ what: String, times: Int = 1, _ matches: @escaping @Sendable (SpeakerEvent) -> Bool)
        async throws
    {
        _ = try await events.wait(for: what) { $0.count(where: matches) >= times ? true : nil }
    }
}

/// One control connection to a speaker, driven by hand.
final class HandSender: Sendable {
    private struct State {
        var machine = RTSPClientConnection()
        var answers: [RTSPResponse] = []
        var isClosed = false
    }

    /// The connection was closed instead of answered.
    struct Closed: Error {}

    let connection: TCPConnection
    private let state = Recorder(State())
    private let secretBox = Mutex<SharedSecret?>(nil)

    init(_ address: SocketAddress) async throws {
        connection = try await TCPConnection.connect(
            to: address, from: nil, options: TCPOptions(), timeout: .seconds(5))
        let state = state
        connection.start(
            onBytes: { bytes in
                state.update { state in
                    for event in state.machine.receive(bytes, at: SystemClock.now) {
                        if case .response(_, let response) = event { state.answers.append(response) }
                    }
                }
            },
            onClose: { _ in state.update { $0.isClosed = true } })
    }

    var secret: SharedSecret? { secretBox.withLock { $0 } }
    var isClosed: Bool { state.value.isClosed }

    func ask(_ request: RTSPRequest) async throws -> RTSPResponse {
        let count = state.value.answers.count
        let connection = connection
        state.update { state in
            _ = try? state.machine.send(
                request, timeout: .seconds(60), rule: .reported, at: SystemClock.now)
            while let output = state.machine.nextOutput() {
                if case .send(let bytes) = output { connection.send(bytes) }
            }
        }
        let answer = try await state.wait(for: "an answer to \(request.method)") {
            state -> RTSPResponse?? in
            if state.answers.count > count { return state.answers[count] }
            return state.isClosed ? .some(nil) : nil
        }
        guard let answer else { throw Closed() }
        return answer
    }

    func ask(_ method: RTSPMethod, _ message: some PropertyListMessage) async throws -> RTSPResponse {
        try await ask(
            RTSPRequest(method, "rtsp://127.0.0.1/1", contentType: PeerList.contentType, body: message.body))
    }

    func pair(password: String = PairSetup.transientPassword) async throws {
        var pairing = PairSetupController(password: password)
        var body = pairing.start()
        while true {
            let answer = try await ask(
                RTSPRequest(.post, "/pair-setup", contentType: "application/octet-stream", body: body))
            switch try pairing.receive(answer.body) {
            case .send(let next): body = next
            case .paired(let secret):
                let cipher = ChannelCipher(secret.controlKeys(for: .controller))
                state.update { _ = $0.machine.startEncryption(cipher, at: SystemClock.now) }
                secretBox.withLock { $0 = secret }
                return
            }
        }
    }

    /// Sets up session and stream; returns the stream's answer.
    func open(_ session: SessionSetupRequest = .stage(), _ stream: StreamSetupRequest) async throws
        -> StreamSetupResponse
    {
        let first = try await ask(.setup, session)
        _ = try SessionSetupResponse(body: first.body)
        let second = try await ask(.setup, stream)
        return try StreamSetupResponse(body: second.body)
    }

    func waitForClose() async throws {
        _ = try await state.wait(for: "the end of the connection") { $0.isClosed ? true : nil }
    }
}

/// A sender's NTP clock that is known immediately.
final class StageTimingSource: TimingSource {
    let peer: SocketAddress
    let localPort: UInt16 = 6099
    let (starts, closes) = (Recorder(0), Recorder(0))
    /// Everything is due in an hour, so that a busy machine does not matter.
    static let start = NetworkTime(nanoseconds: -3_600_000_000_000)
    private let made = SystemClock.now

    init(peer: SocketAddress) { self.peer = peer }

    func mapping() -> ClockMapping? {
        ClockMapping(host: made, network: Self.start)
    }
    func start() { starts.update { $0 += 1 } }
    func close() { closes.update { $0 += 1 } }
}

/// A sender's clock that every speaker follows, unless a test lets the speakers lead.
final class StageSenderClock: SenderClock {
    /// The clock of every speaker that leads; `nil` while it is not measured.
    let leader = Mutex<LeaderClock?>(nil)
    /// The balance of the calls for speakers that lead.
    let yielded = Recorder<[IPAddress: Int]>([:])

    let identity = ClockIdentity(rawValue: 0x0200_00FF_FE00_0042)

    func networkTime(at host: HostTime) -> NetworkTime { NetworkTime(nanoseconds: host.nanoseconds) }
    func addPeer(_ address: IPAddress, localAddress: IPAddress) {}
    func setBehaviour(_ behaviour: ClockPeerBehaviour, of address: IPAddress) {}
    func setPathDelay(_ delay: Duration, of address: IPAddress) {}
    func restartServing(_ address: IPAddress) {}
    func removePeer(_ address: IPAddress) {}
    func status(of address: IPAddress) -> PeerClockStatus? {
        PeerClockStatus(state: .ready, readyTime: HostTime(nanoseconds: 0), delayRequestCount: 1)
    }
    func yield(to address: IPAddress, localAddress: IPAddress) {
        yielded.update { $0[address, default: 0] += 1 }
    }
    func endYield(to address: IPAddress) { yielded.update { $0[address, default: 0] -= 1 } }
    func leader(at address: IPAddress) -> LeaderClock? { leader.withLock { $0 } }
}
