import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// A relay between the sender and one speaker that forwards all traffic until it is cut.
///
/// To the sender it is a speaker at ``Ends/nearAddress``, to the speaker a sender at ``Ends/farAddress``.
final class DemoRelay: Sendable {
    struct Ends: Sendable {
        /// The relay's address on the sender's side.
        var nearAddress: IPAddress
        /// The relay's address on the speaker's side.
        var farAddress: IPAddress
        var sender: IPAddress
        var speaker: IPAddress
        /// TCP ports, the same on both sides.
        var ports: [UInt16]
        /// UDP ports of the clock, the same on both sides.
        var clockPorts: [UInt16]
    }

    private let ends: Ends
    private let isCut = Mutex(false)
    private let wires = Mutex<[Wire]>([])
    private let listeners: [TCPListener]
    private let clocks: [(near: UDPSocket, far: UDPSocket)]
    private let queue = SerialQueue(label: "tutti.relay")

    init(_ ends: Ends) throws {
        self.ends = ends
        listeners = try ends.ports.map {
            try TCPListener(at: SocketAddress(ends.nearAddress, port: $0))
        }
        clocks = try ends.clockPorts.map {
            (
                try UDPSocket(at: SocketAddress(ends.nearAddress, port: $0)),
                try UDPSocket(at: SocketAddress(ends.farAddress, port: $0))
            )
        }
        for (listener, port) in zip(listeners, ends.ports) {
            listener.start { [weak self] connection in self?.accept(connection, port: port) }
        }
        for clock in clocks {
            forward(from: clock.near, through: clock.far, to: ends.speaker)
            forward(from: clock.far, through: clock.near, to: ends.sender)
        }
    }

    /// Stops forwarding; connections stay open, as on a Wi-Fi link out of range.
    func cut() {
        isCut.withLock { $0 = true }
        for wire in wires.withLock({ $0 }) { wire.setCut(true) }
    }

    func heal() {
        isCut.withLock { $0 = false }
        for wire in wires.withLock({ $0 }) { wire.setCut(false) }
    }

    private func accept(_ near: TCPConnection, port: UInt16) {
        let ends = ends
        // The sender's bytes wait in the kernel until the far connection is open. If it cannot be opened, the sender's is
        // closed, as by the speaker itself.
        Task { [weak self] in
            guard
                let far = try? await TCPConnection.connect(
                    to: SocketAddress(ends.speaker, port: port), from: ends.farAddress)
            else { return near.close() }
            self?.join(near, far)
        }
    }

    private func join(_ near: TCPConnection, _ far: TCPConnection) {
        let wire = Wire(near, far)
        let isCut = isCut.withLock { $0 }
        wires.withLock { wires in
            wires.removeAll(where: \.hasEnded)
            wires.append(wire)
        }
        wire.setCut(isCut)
        wire.start()
    }

    private func forward(from socket: UDPSocket, through other: UDPSocket, to address: IPAddress) {
        socket.notifyWhenReadable(on: queue) { [weak self, weak socket, weak other] in
            guard let self, let socket, let other else { return }
            socket.receiveAll(upTo: .max) { bytes, _, _ in
                guard !self.isCut.withLock({ $0 }) else { return }
                // Drops the packet if the kernel's buffer is full, as any link would.
                _ = try? other.send(Array(bytes), to: SocketAddress(address, port: other.address.port))
            }
        }
    }

    /// Two joined connections with at most one piece in flight per direction.
    private final class Wire: Sendable {
        private let near: TCPConnection
        private let far: TCPConnection
        private let state = Mutex((isCut: false, hasEnded: false))

        init(_ near: TCPConnection, _ far: TCPConnection) {
            self.near = near
            self.far = far
        }

        var hasEnded: Bool { state.withLock { $0.hasEnded } }

        func start() {
            pass(from: near, to: far)
            pass(from: far, to: near)
        }

        func setCut(_ isCut: Bool) {
            state.withLock { $0.isCut = isCut }
            for connection in [near, far] {
                if isCut { connection.pauseReading() } else { connection.resumeReading() }
            }
        }

        /// Forwards one direction; resumes reading once the target's kernel has accepted the piece.
        private func pass(from source: TCPConnection, to target: TCPConnection) {
            source.start { [self] bytes in
                source.pauseReading()
                target.send(bytes)
                target.notifyWhenWritable { [self] in
                    if !state.withLock({ $0.isCut }) { source.resumeReading() }
                }
            } onClose: { [self] _ in
                state.withLock { $0.hasEnded = true }
                target.close()
            }
        }
    }
}
