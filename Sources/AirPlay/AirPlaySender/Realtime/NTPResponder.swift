import Synchronization
import TuttiMediaTime
import TuttiRTP
import TuttiSystemIO

/// The timing port of a session without PTP: answers the receiver's requests for our time.
final class NTPResponder: Sendable {
    private struct State {
        /// The host time of the first answer.
        var firstAnswer: HostTime?
        var answerCount = 0
    }

    private let state = Mutex(State())
    private let socket: UDPSocket
    private let peer: IPAddress
    private let queue: SerialQueue
    private let machine: any Machine
    private let networkTime: @Sendable (HostTime) -> NetworkTime

    /// The answers a second to one receiver; more requests than that are no receiver's.
    private static let mostPerRead = 16

    /// - Parameters:
    ///   - address: The local address.
    ///   - peer: The receiver; requests of others are ignored.
    ///   - networkTime: The time that is served.
    init(
        at address: IPAddress, peer: IPAddress, machine: any Machine,
        networkTime: @escaping @Sendable (HostTime) -> NetworkTime
    ) throws(SystemError) {
        socket = try machine.bind(SocketAddress(address, port: 0))
        socket.mark(as: .clock)
        queue = machine.makeQueue("tutti.timing", qos: .userInteractive)
        (self.peer, self.machine, self.networkTime) = (peer, machine, networkTime)
        socket.notifyWhenReadable(on: queue) { [weak self] in self?.read() }
    }

    var port: UInt16 { socket.address.port }
    /// The present, by the clock of ``readyTime``.
    var now: HostTime { machine.now }

    /// The host time from which the receiver knows our time; `nil` before its first request.
    var readyTime: HostTime? { state.withLock { $0.firstAnswer?.advanced(by: Self.settling) } }
    var answerCount: Int { state.withLock { $0.answerCount } }

    /// The time in which an answer arrives and is evaluated.
    private static let settling = Duration.milliseconds(20)

    func close() { socket.stopNotifying() }

    private func read() {
        queue.assertCurrent()
        socket.receiveAll(upTo: Self.mostPerRead) { [self] bytes, source, time in
            guard source.address == peer else { return }
            let now = machine.now
            guard
                let answer = NTPTimingExchange.answer(
                    to: bytes, received: networkTime(time), transmitted: networkTime(now))
            else { return }
            // A lost answer is like one lost on the way: the receiver asks again.
            _ = try? socket.send(answer, to: source)
            state.withLock { state in
                state.firstAnswer = state.firstAnswer ?? now
                state.answerCount += 1
            }
        }
    }
}
