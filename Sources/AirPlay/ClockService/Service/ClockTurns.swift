import TuttiMediaTime
import TuttiSystemIO

/// The turns of the clock's loop: they read and send, but decide nothing. Confined to the clock's thread.
final class ClockTurns: LoopTurns {
    /// The number of reads per socket before the clock sends again, so that a flood cannot delay Sync.
    static let readsPerTurn = 64

    private let loop: ClockLoop
    private let machine: any Machine
    private var sharing: ClockSharing
    private var datagram = ClockDatagram()

    init(_ entry: ClockEntry, loop: ClockLoop) {
        (self.loop, machine) = (loop, loop.machine)
        sharing = ClockSharing(entry, loop: loop)
    }

    /// The last turn is the one in which the service has stopped and no peer lingers.
    func turn(ready: [Int], _ watch: inout LoopWatch) -> LoopTurn {
        for index in ready { receive(sharing.source(at: index)) }
        sharing.advance(at: machine.now)
        loop.withServer { $0.handleTimeout(at: machine.now) }
        if sharing.isServing {
            send()
        } else {
            drop()
            sharing.sendWishes(at: machine.now)
        }
        reportChanges()
        let (deadline, isDone) = loop.state.withLock { state in
            loop.publish(&state)
            let deadlines = [state.clock.nextDeadline, sharing.nextDeadline(unsent: state.unsent.count)]
            let isServed = state.lingers && state.isServing && state.clock.server.isLingering
            return (deadlines.compactMap(\.self).min(), state.isStopping && !isServed)
        }
        if isDone { return .end }
        sharing.prepare(&watch)
        return .wait(until: deadline)
    }

    func end() {
        sharing.end()
        // The ports are closed by now: waiters may bind them.
        loop.end()
    }

    private func send() {
        while true {
            let now = machine.now
            guard loop.state.withLock({ $0.clock.nextDatagram(into: &datagram, at: now) }) else { return }
            let port = datagram.port == .event ? loop.peerEventPort : loop.peerGeneralPort
            guard
                let socket = sharing.sockets.socket(
                    datagram.port, to: datagram.destination, from: datagram.source)
            else { continue }
            // An exactly bound socket already has its source address.
            let source = socket.address.address.isUnspecified ? datagram.source : nil
            let peer = SocketAddress(datagram.destination, port: port)
            if datagram.carriesDeparture { datagram.stamp(at: loop.timescale.networkTime(at: machine.now)) }
            // Ignore an unreachable peer: the next message is the retry.
            let departure = datagram.bytes.withUnsafeBytes {
                try? socket.sendStamped($0, to: peer, from: source)
            }
            guard let departure else { continue }
            if datagram.keepsDeparture {
                datagram.stamp(at: loop.timescale.networkTime(at: departure))
            } else if datagram.isQuestion {
                loop.state.withLock { $0.clock.follower.questionLeft(datagram, at: departure) }
                sharing.tell(
                    .asked(datagram.destination, sequence: datagram.sequence, at: departure),
                    to: datagram.destination)
            }
        }
    }

    /// Discards pending messages, because the serving program sends the same.
    private func drop() {
        let now = machine.now
        loop.state.withLock { while $0.clock.nextDatagram(into: &datagram, at: now) {} }
    }

    private func receive(_ source: ClockSharing.Source) {
        switch source {
        case .socket(let bound): receive(from: bound)
        case .listener: sharing.accept(at: machine.now)
        case .member(let id): sharing.receive(fromMember: id)
        case .server: sharing.receiveFromServer(at: machine.now)
        }
    }

    private func receive(from bound: ClockSockets.Bound) {
        for _ in 0..<Self.readsPerTurn {
            var concerned: ClockMessage.Received?
            // An error of the socket ends the turn: what still waits makes it readable again.
            let isMore = try? bound.socket.receive { bytes, source, receivedAt in
                let isShared = loop.state.withLock { state in
                    state.clock.receive(bytes, from: source.address, on: bound.port, at: receivedAt)
                    return !state.clock.programs(concernedBy: source.address).isEmpty
                }
                guard isShared else { return }
                concerned = .init(
                    source: source.address, port: bound.port, receivedAt: receivedAt, bytes: Array(bytes))
            }
            if let concerned { sharing.tell(.received(concerned), to: concerned.source) }
            guard isMore == true else { return }
        }
    }

    private func reportChanges() {
        while let change = loop.withServer({ $0.nextEvent() }) {
            if loop.state.withLock({ $0.clock.isOwnPeer(change.peer) }) { loop.changes.send(change) }
        }
    }
}
