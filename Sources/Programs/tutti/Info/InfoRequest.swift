import AirPlayMessages
import AirPlaySender
import Synchronization
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// A request for a device's `/info`, on its own connection.
///
/// The connection's queue drives the RTSP value; the first event that ends the exchange is its result.
final class InfoRequest: Sendable {
    private struct State {
        var connection = RTSPClientConnection()
        var answer: CheckedContinuation<Result<RTSPResponse, RTSPError>, Never>?
    }

    private let tcp: TCPConnection
    private let wakeUp: QueueWakeUp
    private let state = Mutex(State())

    private init(tcp: TCPConnection) {
        self.tcp = tcp
        wakeUp = QueueWakeUp(on: tcp.queue)
    }

    /// - Parameters:
    ///   - connectLimit: The longest wait for the connection.
    ///   - limit: The longest wait for the response after that.
    /// - Throws: ``InfoError`` if the connection or the exchange fails.
    static func send(
        to address: SocketAddress, connectLimit: Duration = .seconds(5), limit: Duration
    ) async throws(InfoError) -> ReceiverInfo {
        let tcp: TCPConnection
        do {
            tcp = try await TCPConnection.connect(to: address, timeout: connectLimit)
        } catch {
            throw .unreachable(error)
        }
        defer { tcp.close() }
        switch await InfoRequest(tcp: tcp).exchange(limit: limit) {
        case .success(let response): return try read(response)
        case .failure(.requestTimedOut): throw .noAnswer(seconds: Int(limit.components.seconds))
        case .failure(let error): throw .notRTSP(error)
        }
    }

    private static func read(_ response: RTSPResponse) throws(InfoError) -> ReceiverInfo {
        guard response.status.isSuccess else { throw .refused(response.status) }
        guard !response.body.isEmpty else { throw .empty }
        do {
            return try ReceiverInfo(body: response.body)
        } catch {
            throw .malformed(error)
        }
    }

    private func exchange(limit: Duration) async -> Result<RTSPResponse, RTSPError> {
        await withCheckedContinuation { continuation in
            state.withLock { $0.answer = continuation }
            tcp.start(
                onBytes: { bytes in self.drive { $0.receive(bytes, at: SystemClock.now) } },
                onClose: { _ in self.drive { $0.receiveEnd() } })
            drive { connection in
                do throws(RTSPError) {
                    try connection.send(Self.request, timeout: limit, at: SystemClock.now)
                    return []
                } catch {
                    return [.closed(error)]
                }
            }
        }
    }

    private static let request = RTSPRequest(.get, "/info", headers: ["User-Agent": SenderIdentity.userAgent])

    /// Changes the RTSP value under the lock, then performs its outputs.
    private func drive(_ change: (inout RTSPClientConnection) -> [RTSPClientConnection.Event]) {
        let (events, outputs) = state.withLock { state in
            let events = change(&state.connection)
            var outputs: [RTSPConnectionOutput] = []
            while let output = state.connection.nextOutput() { outputs.append(output) }
            return (events, outputs)
        }
        for output in outputs { perform(output) }
        for event in events { take(event) }
    }

    private func perform(_ output: RTSPConnectionOutput) {
        switch output {
        case .send(let bytes): tcp.send(bytes)
        case .close: tcp.close()
        case .wake(let time):
            wakeUp.set(at: time) { [weak self] in self?.drive { $0.handleTimeout(at: SystemClock.now) } }
        }
    }

    private func take(_ event: RTSPClientConnection.Event) {
        switch event {
        case .response(_, let response): finish(.success(response))
        case .closed(let error): finish(.failure(error))
        case .unanswered, .unsent, .late, .wrongCSeq, .unsolicited: break
        }
    }

    private func finish(_ result: Result<RTSPResponse, RTSPError>) {
        let answer = state.withLock { state in
            defer { state.answer = nil }
            return state.answer
        }
        answer?.resume(returning: result)
    }
}
