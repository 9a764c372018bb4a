import Synchronization
import TuttiSystemIO

/// One connection of a ``ScriptedServer``: reads requests and runs the steps of their responses.
final class ScriptedLine: Sendable {
    private struct State {
        var head: [UInt8] = []
        var steps: [ScriptedServer.Step] = []
    }

    private let connection: TCPConnection
    private let state = Mutex(State())

    init(_ connection: TCPConnection) { self.connection = connection }

    func start(onRequest: @escaping @Sendable (String) -> [ScriptedServer.Step]) {
        connection.start(
            onBytes: { [self] bytes in
                let head = state.withLock { state -> String? in
                    state.head += bytes
                    guard state.head.suffix(4) == [13, 10, 13, 10] else { return nil }
                    defer { state.head = [] }
                    return String(decoding: state.head, as: UTF8.self)
                }
                guard let head else { return }
                let steps = onRequest(head)
                state.withLock { $0.steps += steps }
                pump()
            }, onClose: { _ in })
    }

    func close() { connection.close() }

    /// Runs on the connection's queue, or where a gate opens.
    private func pump() {
        while let step = state.withLock({ $0.steps.first }) {
            switch step {
            case .close:
                connection.close()
                return
            case .wait(let gate):
                if !gate.pass({ [self] in connection.notifyWhenWritable { [self] in pump() } }) { return }
                advance(to: nil)
            case .send(let bytes):
                let count = bytes.withUnsafeBytes(connection.write)
                if count < bytes.count {
                    advance(to: .send(Array(bytes[count...])))
                    return connection.notifyWhenWritable { [self] in pump() }
                }
                advance(to: nil)
            case .sendEndlessly(let bytes):
                if bytes.withUnsafeBytes(connection.write) < bytes.count {
                    return connection.notifyWhenWritable { [self] in pump() }
                }
            }
        }
    }

    private func advance(to step: ScriptedServer.Step?) {
        state.withLock { state in
            if state.steps.isEmpty { return }
            if let step { state.steps[0] = step } else { state.steps.removeFirst() }
        }
    }
}
