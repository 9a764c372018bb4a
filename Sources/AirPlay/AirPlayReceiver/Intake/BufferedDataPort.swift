import AirPlayMessages
import Synchronization
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiSystemIO

/// The listener and the connection on which a buffered stream arrives.
///
/// Reads at line speed while the sink has room and stops reading while the sink is full, which gives the
/// sender back-pressure. Never blocks.
final class BufferedDataPort: Sendable {
    private struct State: ~Copyable {
        var intake: BufferedIntake
        var listener: TCPListener?
        /// The other end of the control connection; no other address may send audio.
        var peer: IPAddress?
        var connection: TCPConnection?
        var lastBytes: HostTime
        var isEnded = false
    }

    private let state: Mutex<State>
    private let sink: any StreamSink
    private let machine: any Machine
    /// Bytes that a full sink must free before the port resumes, so that it does not wake for every played
    /// packet.
    private let roomToWaitFor: Int

    private static let mostRoomToWaitFor = 16 << 10

    init(
        key: SymmetricKey, fallback: AudioWireFormat?, sink: any StreamSink, machine: any Machine
    ) throws(CryptographyError) {
        let intake = try BufferedIntake(key: key, fallback: fallback)
        state = Mutex(State(intake: intake, lastBytes: machine.now))
        self.sink = sink
        roomToWaitFor = min(Self.mostRoomToWaitFor, sink.room / 4)
        self.machine = machine
    }

    /// Opens a port for one connection. Closes an earlier connection first, so that ``nextSequenceNumber`` is
    /// the first number that the new connection has to send.
    ///
    /// - Returns: The port number.
    func listen(
        at address: IPAddress, oneOf ports: ClosedRange<UInt16>?, for peer: IPAddress
    ) throws(SystemError) -> UInt16 {
        let listener = try machine.listen(at: address, oneOf: ports, options: Self.options)
        let old = state.withLock { state in
            let old = (state.listener.take(), state.connection.take())
            (state.listener, state.peer) = (listener, peer)
            return old
        }
        old.0?.close()
        old.1?.close()
        listener.start { [weak self] connection in self?.accept(connection) }
        return listener.address.port
    }

    var lastBytes: HostTime { state.withLock { $0.lastBytes } }
    var nextSequenceNumber: UInt32? { state.withLock { $0.intake.nextSequenceNumber } }
    var counts: BufferedIntake.Counts { state.withLock { $0.intake.counts } }

    func extended(_ flush: FlushBuffered) -> FlushBuffered { state.withLock { $0.intake.extended(flush) } }

    func close() {
        let (listener, connection) = state.withLock { state in
            state.isEnded = true
            return (state.listener.take(), state.connection.take())
        }
        listener?.close()
        connection?.close()
    }

    /// A long keep-alive: a sender may be unreachable for minutes and return.
    private static let options = TCPOptions(
        keepAlive: .init(idle: .seconds(60), interval: .seconds(15), probeCount: 40))

    private func accept(_ connection: TCPConnection) {
        let (listener, old): (TCPListener?, TCPConnection?) = state.withLock { state in
            guard !state.isEnded, connection.peerAddress.address == state.peer else {
                return (nil, connection)
            }
            let old = state.connection
            state.connection = connection
            state.intake.beginConnection()
            state.lastBytes = machine.now
            return (state.listener.take(), old)
        }
        listener?.close()
        old?.close()
        guard old !== connection else { return }
        connection.start(
            onBytes: { [weak self, weak connection] bytes in
                guard let self, let connection else { return }
                self.receive(bytes, on: connection)
            },
            // Received audio plays on; the control connection decides when the session ends.
            onClose: { [weak self, weak connection] _ in
                guard let self, let connection else { return }
                self.forget(connection)
            })
    }

    private func forget(_ connection: TCPConnection) {
        let dead = state.withLock { state -> TCPConnection? in
            guard state.connection === connection else { return nil }
            return state.connection.take()
        }
        withExtendedLifetime(dead) {}
    }

    // MARK: On the connection's queue

    private func receive(_ bytes: [UInt8], on connection: TCPConnection) {
        let isCurrent = state.withLock { state in
            guard state.connection === connection else { return false }
            state.intake.append(bytes)
            state.lastBytes = machine.now
            return true
        }
        if isCurrent { drain(connection) }
    }

    /// Hands the sink every packet that fits. Never calls the sink while holding the lock.
    ///
    /// - Returns: Whether the connection may read more bytes.
    @discardableResult
    private func drain(_ connection: TCPConnection) -> Bool {
        connection.queue.assertCurrent()
        while true {
            let room = sink.room
            let step = state.withLock { state -> BufferedIntake.Step? in
                guard state.connection === connection, !state.isEnded else { return nil }
                return state.intake.next(room: room)
            }
            switch step {
            case nil: return false
            case .needsBytes: return true
            case .packet(let packet): sink.append(packet)
            case .needsRoom(let byteCount):
                wait(for: byteCount, connection)
                return false
            case .broken:
                connection.close()
                return false
            }
        }
    }

    private func wait(for byteCount: Int, _ connection: TCPConnection) {
        connection.pauseReading()
        sink.notify(whenRoomFor: max(byteCount, roomToWaitFor)) { [weak self, weak connection] in
            connection?.queue.async { [weak self, weak connection] in
                guard let self, let connection, self.drain(connection) else { return }
                connection.resumeReading()
            }
        }
    }
}
