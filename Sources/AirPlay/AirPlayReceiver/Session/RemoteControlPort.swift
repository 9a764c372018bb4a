import Synchronization
import TuttiSystemIO

/// The port of a remote-control stream. Senders require it; the speaker ignores the data, which is not needed
/// for audio.
final class RemoteControlPort: Sendable {
    private struct State {
        var listener: TCPListener?
        var connection: TCPConnection?
    }

    let port: UInt16
    private let state: Mutex<State>

    init(at address: IPAddress, peer: IPAddress, machine: any Machine) throws(SystemError) {
        let listener = try machine.listen(at: SocketAddress(address, port: 0))
        port = listener.address.port
        state = Mutex(State(listener: listener))
        listener.start { [weak self] connection in
            guard let self, connection.peerAddress.address == peer else { return connection.close() }
            let listener = self.state.withLock { state in
                state.connection = connection
                return state.listener.take()
            }
            listener?.close()
            connection.start(onBytes: { _ in }, onClose: { _ in })
        }
    }

    func close() {
        let (listener, connection) = state.withLock { ($0.listener.take(), $0.connection.take()) }
        listener?.close()
        connection?.close()
    }
}
