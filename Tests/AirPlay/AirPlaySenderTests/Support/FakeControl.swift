import AirPlayMessages
import HomeKitPairing
import Synchronization
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// A control connection of a fake receiver, with its event and audio connections.
final class FakeControl: Sendable {
    private struct State {
        var machine = RTSPServerConnection(style: .complete, at: HostTime(nanoseconds: 0))
        var pairing: PairSetupAccessory
        var secret: SharedSecret?
        var held: [(RTSPRequestID, Step, RTSPResponse)] = []
        var events: FakeEvents?
        var data: FakeData?
        /// The RECORD request that waits for the event connection, as it does at a real speaker.
        var record: RTSPRequestID?
    }

    private enum Reply {
        case answer(RTSPResponse, cipher: SecureChannel?)
        case wait
        case close
    }

    private let connection: TCPConnection
    private let number: Int
    private let receiver: ReceiverState
    private let state: Mutex<State>

    init(_ connection: TCPConnection, number: Int, receiver: ReceiverState) {
        self.connection = connection
        self.number = number
        self.receiver = receiver
        let password = receiver.use { $0.password }
        state = Mutex(
            State(pairing: PairSetupAccessory(password: password ?? PairSetup.transientPassword)))
    }

    func start() {
        connection.start(
            onBytes: { [weak self] bytes in self?.receive(bytes) }, onClose: { _ in })
    }

    func drop() { connection.close() }
    func readAudio() { state.withLock { $0.data }?.read() }
    func press(_ command: EventCommand) { state.withLock { $0.events }?.send(command) }

    func release(_ step: Step) {
        let outputs = state.withLock { state in
            for (id, _, response) in state.held.filter({ $0.1 == step }) {
                state.machine.respond(to: id, with: response)
            }
            state.held.removeAll { $0.1 == step }
            return Self.outputs(&state)
        }
        carryOut(outputs)
    }

    // MARK: Requests, on the connection's queue

    private func receive(_ bytes: [UInt8]) {
        if receiver.use({ $0.answersWithGarbage }) {
            return connection.send(Array("SSH-2.0-OpenSSH_9.6\r\n\r\n".utf8))
        }
        let events = state.withLock { $0.machine.receive(bytes, at: HostTime(nanoseconds: 0)) }
        for event in events {
            switch event {
            case .request(let id, let request): serve(id, request)
            case .closed(let error): receiver.log.update { $0.complaints.append("\(error)") }
            }
        }
    }

    private func serve(_ id: RTSPRequestID, _ request: RTSPRequest) {
        let step = Step(request)
        let reply = take(step) ? .close : answer(step, request, id)
        let isLast = receiver.use { situation in
            defer { if situation.closesAfter == step { situation.closesAfter = nil } }
            return situation.closesAfter == step
        }
        let isHeld = receiver.use { $0.held.contains(step) }
        let outputs: [RTSPConnectionOutput] = state.withLock { state in
            switch reply {
            case .close: return [.close]
            case .wait: return []
            case .answer(let response, _) where isHeld:
                state.held.append((id, step, response))
                return []
            case .answer(let response, let cipher):
                state.machine.respond(to: id, with: response, thenEncryptWith: cipher)
                if isLast || step == .tearDownSession { _ = state.machine.close() }
                return Self.outputs(&state)
            }
        }
        // Logged only now: a test that sees the entry can release an answer that is held.
        receiver.log.update { log in
            log.entries.append(
                ReceiverLog.Entry(
                    connection: number, step: step, request: request, packetCount: log.packets.count,
                    at: SystemClock.now))
        }
        carryOut(outputs)
    }

    /// Returns whether to close the connection instead of answering; only once.
    private func take(_ step: Step) -> Bool {
        receiver.use { situation in
            guard situation.closesInsteadOf == step else { return false }
            situation.closesInsteadOf = nil
            return true
        }
    }

    private static func outputs(_ state: inout State) -> [RTSPConnectionOutput] {
        var outputs: [RTSPConnectionOutput] = []
        while let output = state.machine.nextOutput() { outputs.append(output) }
        return outputs
    }

    private func carryOut(_ outputs: [RTSPConnectionOutput]) {
        for output in outputs {
            switch output {
            case .send(let bytes): connection.send(bytes)
            case .close: connection.close()
            case .wake: break
            }
        }
    }

    // MARK: Answers

    private func answer(_ step: Step, _ request: RTSPRequest, _ id: RTSPRequestID) -> Reply {
        switch step {
        case .info:
            return plain(RTSPResponse(contentType: ReceiverInfo.contentType, body: receiver.info.body))
        case .pairSetup: return pair(request.body)
        case .setUpSession: return setUpSession()
        case .setUpStream: return setUpStream(request)
        case .record:
            return state.withLock { state in
                if state.events?.isConnected == true { return plain(RTSPResponse()) }
                state.record = id
                return .wait
            }
        case .anchor where receiver.use({ Self.countDown(&$0.anchorRefusals) }):
            return plain(RTSPResponse(.badRequest))
        case .anchor
        where (try? RateAnchor(body: request.body))?.needsBeginning == true
            && receiver.use({ Self.countDown(&$0.lateStarts) }):
            var response = RTSPResponse(.preconditionFailed)
            response.headers[LateStart.headerName] = LateStart.headerValue(.milliseconds(30))
            return plain(response)
        case .flush where receiver.use({ Self.countDown(&$0.flushRefusals) }):
            return plain(RTSPResponse(.internalServerError))
        case .deferredFlush where receiver.use({ Self.countDown(&$0.cutRefusals) }):
            return plain(RTSPResponse(.internalServerError))
        case .volume where receiver.use({ Self.countDown(&$0.volumeRefusals) }):
            return plain(RTSPResponse(.methodNotValidInThisState))
        case .pause:
            var response = RTSPResponse()
            if let end = receiver.use({ $0.soundEnd }) {
                response.headers[SoundEnd.headerName] = SoundEnd.headerValue(end)
            }
            return plain(response)
        case .feedback: return feedback()
        default: return plain(RTSPResponse())
        }
    }

    private func feedback() -> Reply {
        let rate = receiver.use { situation -> Double? in
            guard let left = situation.unreadFeedbacks else { return nil }
            situation.unreadFeedbacks = max(0, left - 1)
            return left > 0 ? 0 : 44_100
        }
        guard let rate else { return plain(RTSPResponse()) }
        let body = FeedbackResponse(streams: [.init(kind: .buffered, sampleRate: rate)]).body
        return plain(RTSPResponse(contentType: FeedbackResponse.contentType, body: body))
    }

    private func plain(_ response: RTSPResponse) -> Reply { .answer(response, cipher: nil) }

    private static func countDown(_ count: inout Int) -> Bool {
        guard count > 0 else { return false }
        count -= 1
        return true
    }

    private func pair(_ body: [UInt8]) -> Reply {
        if let seconds = receiver.use({ $0.pairsInSeconds }) {
            var response = RTSPResponse(.notEnoughBandwidth)
            response.headers["Retry-After"] = String(seconds)
            return plain(response)
        }
        let error = receiver.use { situation -> PairingError? in
            guard situation.pairingRefusals > 0 else { return nil }
            situation.pairingRefusals -= 1
            return situation.pairingError
        }
        return state.withLock { state in
            let step = error.map { state.pairing.refuse(body, because: $0) } ?? state.pairing.receive(body)
            switch step {
            case .send(let reply), .introduced(let reply, _), .refused(let reply, _):
                return plain(RTSPResponse(contentType: "application/octet-stream", body: reply))
            case .paired(let reply, let secret):
                state.secret = secret
                return .answer(
                    RTSPResponse(contentType: "application/octet-stream", body: reply),
                    cipher: SecureChannel(keys: secret.controlKeys(for: .accessory)))
            }
        }
    }

    private func setUpSession() -> Reply {
        let situation = receiver.use { $0 }
        guard situation.setupStatus.isSuccess else { return plain(RTSPResponse(situation.setupStatus)) }
        guard let secret = state.withLock({ $0.secret }),
            let events = try? FakeEvents(
                at: connection.localAddress.address, secret: secret, receiver: receiver,
                onConnected: { [weak self] in self?.eventsConnected() })
        else { return plain(RTSPResponse(.forbidden)) }
        state.withLock { $0.events = events }
        guard situation.hasEventPort else {
            return plain(RTSPResponse(contentType: PeerList.contentType, body: PropertyList.encodedEmpty))
        }
        let body = SessionSetupResponse(eventPort: events.port).body
        return plain(RTSPResponse(contentType: SessionSetupResponse.contentType, body: body))
    }

    private func eventsConnected() {
        let outputs: [RTSPConnectionOutput] = state.withLock { state in
            guard let id = state.record else { return [] }
            state.record = nil
            state.machine.respond(to: id, with: RTSPResponse())
            return Self.outputs(&state)
        }
        carryOut(outputs)
    }

    private func setUpStream(_ request: RTSPRequest) -> Reply {
        let situation = receiver.use { $0 }
        guard let message = try? StreamSetupRequest(body: request.body), let key = message.key,
            let data = try? FakeData(
                at: connection.localAddress.address, key: key.bytes, isReading: situation.readsAudio,
                receiver: receiver)
        else { return plain(RTSPResponse(.badRequest)) }
        state.withLock { $0.data = data }
        guard situation.hasDataPort else {
            return plain(RTSPResponse(contentType: PeerList.contentType, body: PropertyList.encodedEmpty))
        }
        let answer = StreamSetupResponse(
            dataPort: data.port, audioBufferSize: situation.bufferBytes.map(Int64.init))
        return plain(RTSPResponse(contentType: StreamSetupResponse.contentType, body: answer.body))
    }
}

extension PropertyList {
    /// The body of an answer without fields.
    fileprivate static var encodedEmpty: [UInt8] { PropertyList.dictionary([:]).encoded }
}
