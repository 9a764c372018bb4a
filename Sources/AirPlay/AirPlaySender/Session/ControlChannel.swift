import HomeKitPairing
import Synchronization
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

extension SecureChannel: RTSPCipher {}

/// The RTSP connection to one speaker: sends requests in order and awaits each answer.
///
/// ``RTSPClientConnection`` makes all decisions; this type moves its bytes and runs its timer.
final class ControlChannel: Sendable {
    typealias Answer = Result<RTSPResponse, SpeakerFailure>

    private struct State {
        var machine: RTSPClientConnection
        var waiting: [RTSPRequestID: CheckedContinuation<Answer, Never>] = [:]
        var end: SpeakerFailure?
        var watchers: [CheckedContinuation<SpeakerFailure, Never>] = []
        /// The host time of the speaker's last bytes.
        var lastAnswer: HostTime
        /// The password of the speaker, for every request.
        var digest: DigestCredentials?
    }

    private let state: Mutex<State>
    let connection: TCPConnection
    private let clock: any HostClock
    private let wakeUp: QueueWakeUp
    private let headers: [(String, String)]
    private let privateHeaders: [(String, String)]

    /// - Parameters:
    ///   - headers: Headers of every request.
    ///   - privateHeaders: Headers of every encrypted request, which only the speaker may read.
    init(
        connection: TCPConnection, headers: [(String, String)], privateHeaders: [(String, String)] = [],
        clock: any HostClock
    ) {
        self.connection = connection
        self.clock = clock
        wakeUp = QueueWakeUp(on: connection.queue)
        (self.headers, self.privateHeaders) = (headers, privateHeaders)
        state = Mutex(State(machine: RTSPClientConnection(), lastAnswer: clock.now))
        connection.start(
            onBytes: { [weak self] bytes in self?.receive(bytes) },
            onClose: { [weak self] error in
                self?.end(SpeakerFailure(.lost, Self.words(for: error), isOrderly: error == nil))
            })
    }

    private static func words(for error: SystemError?) -> String {
        guard let error else { return "the speaker closed the connection" }
        return "the connection broke: \(error)"
    }

    var lastAnswer: HostTime { state.withLock { $0.lastAnswer } }

    /// Waits until the connection ends; returns the cause.
    func ended() async -> SpeakerFailure {
        await withCheckedContinuation { continuation in
            let end = state.withLock { state in
                if state.end == nil { state.watchers.append(continuation) }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Parameter isVital: Whether a request without an answer ends the connection.
    /// - Throws: ``SpeakerFailure``: `.silent` on a timeout, or the cause of the connection's end.
    func request(
        _ request: RTSPRequest, timeout: Duration, isVital: Bool = true
    ) async throws -> RTSPResponse {
        let answer = await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
            let now = clock.now
            let failure: SpeakerFailure? = state.withLock { state in
                if let end = state.end { return end }
                let request = complete(request, state)
                do throws(RTSPError) {
                    let id = try state.machine.send(
                        request, timeout: timeout, rule: isVital ? .fatal : .reported, at: now)
                    state.waiting[id] = continuation
                    return nil
                } catch {
                    return SpeakerFailure(.silent, "too many unanswered requests")
                }
            }
            if let failure {
                continuation.resume(returning: .failure(failure))
            } else {
                flush()
            }
        }
        return try answer.get()
    }

    /// Adds the headers that every request has.
    private func complete(_ request: RTSPRequest, _ state: borrowing State) -> RTSPRequest {
        var request = request
        for (name, value) in headers { request.headers[name] = value }
        if state.machine.isEncrypted {
            for (name, value) in privateHeaders { request.headers[name] = value }
        }
        if let digest = state.digest {
            request.headers[DigestCredentials.answerHeader] = digest.header(
                method: request.method.rawValue, uri: request.target)
        }
        return request
    }

    /// Encrypts from the next byte on, in both directions.
    func encrypt(with cipher: any RTSPCipher) {
        let now = clock.now
        deliver(state.withLock { $0.machine.startEncryption(cipher, at: now) })
    }

    /// Sends the password by HTTP Digest with every later request.
    func authorize(with credentials: DigestCredentials) { state.withLock { $0.digest = credentials } }

    func close() { fail(.closed) }

    /// Sends a last request without waiting for its answer, also after ``detach(_:)``, and closes the connection. A speaker
    /// that is out of reach gets it when it is back, as long as the kernel repeats what it has taken.
    func close(after request: RTSPRequest, because cause: SpeakerFailure) {
        state.withLock { state in
            state.machine.close(after: complete(request, state))
            // Before the speaker's answer, which ends the connection.
            state.end = state.end ?? cause
        }
        flush()
        connection.close(discardingFor: Self.farewellLimit)
        fail(cause)
    }

    /// The kernel gives a silent speaker up by then; see ``SpeakerOpener``.
    private static let farewellLimit = Duration.seconds(600)

    /// Ends and closes the connection for a cause of ours.
    func fail(_ failure: SpeakerFailure) { end(failure) }

    /// Ends the channel but leaves the connection open, because closing it would end the speaker's session.
    func detach(_ failure: SpeakerFailure) { end(failure, isClosing: false) }

    private func receive(_ bytes: [UInt8]) {
        let now = clock.now
        deliver(
            state.withLock { state in
                state.lastAnswer = now
                return state.machine.receive(bytes, at: now)
            })
    }

    private func deliver(_ events: [RTSPClientConnection.Event]) {
        for event in events {
            switch event {
            case .response(let id, let response):
                take(id)?.resume(returning: .success(response))
            case .unanswered(let id), .unsent(let id):
                take(id)?.resume(returning: .failure(SpeakerFailure(.silent, "no answer in time")))
            case .late, .wrongCSeq, .unsolicited:
                break
            case .closed(let error):
                end(Self.failure(for: error))
            }
        }
        flush()
    }

    /// Maps RTSP errors to failures; input that is no RTSP counts as a refusal, not as a lost connection.
    private static func failure(for error: RTSPError) -> SpeakerFailure {
        switch error {
        case .headTooLong, .tooManyHeaders, .bodyTooLong, .malformedContentLength, .malformedStartLine,
            .malformedHeader:
            return SpeakerFailure(.refused, "the speaker violates the protocol")
        case .requestTimedOut: return SpeakerFailure(.silent, "the speaker did not answer in time")
        case .decryptionFailed, .plaintextBeforeEncryption:
            return SpeakerFailure(
                .lost, "the speaker's messages cannot be decrypted; Tutti reconnects")
        case .closedByPeer: return SpeakerFailure(.lost, "the speaker closed the connection")
        case .idleTimeout, .tooManyUnansweredRequests, .queueFull, .closedByUs:
            return SpeakerFailure(.lost, "the connection ended")
        }
    }

    private func take(_ id: RTSPRequestID) -> CheckedContinuation<Answer, Never>? {
        state.withLock { $0.waiting.removeValue(forKey: id) }
    }

    /// Performs the machine's outputs under the lock, so that two threads cannot swap their order; the
    /// connection's `send` only queues bytes.
    private func flush() {
        let isClosing = state.withLock { state in
            var isClosing = false
            while let output = state.machine.nextOutput() {
                switch output {
                case .send(let bytes): connection.send(bytes)
                case .wake(let time):
                    wakeUp.set(after: time.since(clock.now)) { [weak self] in self?.wake() }
                case .close: isClosing = true
                }
            }
            return isClosing
        }
        if isClosing { connection.close() }
    }

    private func wake() {
        let now = clock.now
        deliver(state.withLock { $0.machine.handleTimeout(at: now) })
    }

    private func end(_ cause: SpeakerFailure, isClosing: Bool = true) {
        let (failure, waiting, watchers) = state.withLock { state in
            let first = state.end ?? cause
            state.end = first
            let waiting = Array(state.waiting.values)
            let watchers = state.watchers
            (state.waiting, state.watchers) = ([:], [])
            return (first, waiting, watchers)
        }
        for continuation in waiting { continuation.resume(returning: .failure(failure)) }
        for continuation in watchers { continuation.resume(returning: failure) }
        if isClosing { connection.close() }
    }
}
