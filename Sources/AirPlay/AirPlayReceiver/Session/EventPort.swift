import AirPlayMessages
import HomeKitPairing
import Synchronization
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// The cipher of a control or event connection.
struct ChannelCipher: RTSPCipher {
    private var channel: SecureChannel

    init(_ keys: ChannelKeys) { channel = SecureChannel(keys: keys) }

    mutating func seal(_ bytes: [UInt8]) -> [UInt8] { channel.seal(bytes) }
    mutating func open(_ bytes: [UInt8]) throws -> [UInt8] { try channel.open(bytes) }
}

/// The event channel: the connection on which this speaker sends requests to a sender.
///
/// Accepts one connection, from the sender's address. Its end does not end the session.
final class EventPort: Sendable {
    private struct State {
        var machine = RTSPClientConnection(limits: RTSPLimits(bodyByteCount: 16 << 10))
        var listener: TCPListener?
        var connection: TCPConnection?
        var isEnded = false
    }

    let port: UInt16
    private let state: Mutex<State>
    private let machine: any Machine

    /// Senders answer at once; commands queued behind an unanswered one expire after this time.
    private static let answerTimeout = Duration.seconds(60)

    /// - Parameter greeting: Returns the first command to send.
    init(
        at address: IPAddress, peer: IPAddress, ports: ClosedRange<UInt16>?, secret: SharedSecret,
        machine: any Machine,
        greeting: @escaping @Sendable () -> EventCommand
    ) throws(SystemError) {
        let listener = try machine.listen(at: address, oneOf: ports)
        port = listener.address.port
        self.machine = machine
        var state = State()
        state.listener = listener
        self.state = Mutex(state)
        let cipher = ChannelCipher(secret.eventKeys(for: .accessory))
        listener.start { [weak self] connection in
            guard let self, connection.peerAddress.address == peer else { return connection.close() }
            self.accept(connection, cipher, greeting)
        }
    }

    func send(_ command: EventCommand) {
        let now = machine.now
        state.withLock { state in
            guard state.connection != nil else { return }
            _ = state.machine.handleTimeout(at: now)
            let request = RTSPRequest(
                .post, "/command", contentType: EventCommand.contentType, body: command.body)
            // Fails while the queue is full, because the sender does not answer.
            _ = try? state.machine.send(request, timeout: Self.answerTimeout, rule: .reported, at: now)
            Self.flush(&state)
        }
    }

    func close() {
        let (listener, connection) = state.withLock { state in
            state.isEnded = true
            return (state.listener.take(), state.connection.take())
        }
        listener?.close()
        connection?.close()
    }

    private func accept(
        _ connection: TCPConnection, _ cipher: ChannelCipher, _ greeting: @Sendable () -> EventCommand
    ) {
        let now = machine.now
        let listener = state.withLock { state -> TCPListener? in
            guard !state.isEnded, state.connection == nil else { return nil }
            state.connection = connection
            _ = state.machine.startEncryption(cipher, at: now)
            return state.listener.take()
        }
        guard let listener else { return connection.close() }
        listener.close()
        connection.start(
            onBytes: { [weak self] bytes in self?.receive(bytes) },
            onClose: { [weak self] _ in self?.close() })
        send(greeting())
    }

    private func receive(_ bytes: [UInt8]) {
        let now = machine.now
        let isOver = state.withLock { state in
            let events = state.machine.receive(bytes, at: now)
            Self.flush(&state)
            return events.contains { if case .closed = $0 { true } else { false } }
        }
        if isOver { close() }
    }

    private static func flush(_ state: inout State) {
        while let output = state.machine.nextOutput() {
            if case .send(let bytes) = output { state.connection?.send(bytes) }
        }
    }
}
