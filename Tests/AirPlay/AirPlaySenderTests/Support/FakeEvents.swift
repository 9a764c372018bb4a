import AirPlayMessages
import HomeKitPairing
import Synchronization
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

@testable import AirPlaySender

/// The event connection of a fake receiver. Sends one request at once, as shairport-sync does.
final class FakeEvents: Sendable {
    private struct State {
        var machine = RTSPClientConnection()
        var connection: TCPConnection?
    }

    private let listener: TCPListener
    private let state = Mutex(State())
    private let receiver: ReceiverState

    var port: UInt16 { listener.address.port }
    var isConnected: Bool { state.withLock { $0.connection != nil } }

    init(
        at address: IPAddress, secret: SharedSecret, receiver: ReceiverState,
        onConnected: @escaping @Sendable () -> Void
    ) throws {
        self.receiver = receiver
        listener = try TCPListener(at: SocketAddress(address, port: 0))
        let cipher = SecureChannel(keys: secret.eventKeys(for: .accessory))
        listener.start { [weak self] connection in
            guard let self else { return connection.close() }
            self.state.withLock { state in
                state.connection = connection
                _ = state.machine.startEncryption(cipher, at: HostTime(nanoseconds: 0))
            }
            self.receiver.log.update { $0.eventConnections += 1 }
            connection.start(onBytes: { [weak self] in self?.receive($0) }, onClose: { _ in })
            self.send(.updateInfo(self.receiver.info))
            onConnected()
        }
    }

    func send(_ command: EventCommand) {
        let request = RTSPRequest(
            .post, "/command", contentType: EventCommand.contentType, body: command.body)
        state.withLock { state in
            // The only error is a full queue of requests.
            _ = try? state.machine.send(
                request, timeout: .seconds(60), rule: .reported, at: HostTime(nanoseconds: 0))
            Self.flush(&state)
        }
    }

    private func receive(_ bytes: [UInt8]) {
        let events = state.withLock { state in
            let events = state.machine.receive(bytes, at: HostTime(nanoseconds: 0))
            Self.flush(&state)
            return events
        }
        for event in events {
            if case .response(_, let response) = event {
                receiver.log.update { $0.eventAnswers.append(response) }
            }
        }
    }

    private static func flush(_ state: inout State) {
        while let output = state.machine.nextOutput() {
            if case .send(let bytes) = output { state.connection?.send(bytes) }
        }
    }
}
