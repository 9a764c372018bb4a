import Synchronization
import TuttiMediaTime
import TuttiRTP
import TuttiSystemIO

/// A follower of the clock of a sender without PTP, through the sender's timing port.
///
/// Network time is the sender's own, in nanoseconds since its epoch, which is 1900 for most senders. Convert
/// times in its sync packets with `NTPTimestamp.networkTime(near:)`. All functions may be called from any
/// thread; none blocks.
package final class NTPFollower: Sendable {
    /// A made-up identity for the sender's network time; no real clock has this identity.
    package let identity: ClockIdentity
    private let peer: SocketAddress
    private let socket: UDPSocket
    private let machine: any Machine
    private let queue: SerialQueue
    private let state: Mutex<State>

    private struct State {
        var exchange: NTPTimingExchange
        var clock = FollowedClock()
        var phase = Phase.waiting

        enum Phase { case waiting, asking, closed }

        mutating func take(_ bytes: ArraySlice<UInt8>, at now: HostTime) {
            guard let measured = exchange.receive(bytes, at: now) else { return }
            clock.receive(departure: measured.asked, arrival: measured.received, answeredAt: now)
            clock.receive(departure: measured.transmitted, arrival: measured.answered)
        }
    }

    private static let identities = Atomic<UInt64>(0)
    /// The prefix of made-up identities, with "NTP" in the upper half.
    private static let firstIdentity: UInt64 = 0x004E_5450_0000_0000

    /// The interval of the first requests: an AirPlay 1 sender may send sound only a quarter of a second
    /// before it is heard (*observed*: PipeWire).
    private static let fastInterval = Duration.milliseconds(60)

    /// Opens a socket.
    ///
    /// - Parameters:
    ///   - asksAtOnce: Whether to send the first request at once, instead of at ``start()``.
    ///   - peer: The sender's timing port.
    ///   - localAddress: The local address to send from; `nil` leaves the choice to the routes.
    ///   - machine: Time, a queue, the socket and chance.
    /// - Throws: ``SystemError`` if the socket cannot be opened.
    package init(
        peer: SocketAddress, localAddress: IPAddress? = nil, asksAtOnce: Bool = true, machine: any Machine
    ) throws(SystemError) {
        (self.peer, self.machine) = (peer, machine)
        queue = machine.makeQueue("tutti.ntp")
        let any: IPAddress = peer.address.family == .v4 ? .anyV4 : .anyV6
        socket = try machine.bind(SocketAddress(localAddress ?? any, port: 0))
        socket.mark(as: .clock)
        state = Mutex(
            State(exchange: NTPTimingExchange(at: machine.now, fastInterval: Self.fastInterval)))
        let number = Self.identities.wrappingAdd(1, ordering: .relaxed).newValue
        identity = ClockIdentity(rawValue: Self.firstIdentity | number & 0xFFFF_FFFF)
        socket.notifyWhenReadable(on: queue) { [weak self] in self?.receive() }
        if asksAtOnce { start() }
    }

    /// Sends the first request, and all others when they are due. Idempotent.
    ///
    /// A sender that is not ready to answer makes the first measurement inexact, and sound that begins before
    /// the second one is off its line.
    package func start() {
        let isFirst = state.withLock { state in
            guard state.phase == .waiting else { return false }
            state.phase = .asking
            return true
        }
        if isFirst { queue.async { [weak self] in self?.ask() } }
    }

    deinit { socket.stopNotifying() }

    /// The local port from which the sender is asked.
    package var localPort: UInt16 { socket.address.port }

    /// Returns the line of the sender's clock near now; `nil` before the first answer.
    package func mapping() -> ClockMapping? {
        state.withLock { state in
            guard var mapping = state.clock.mapping(at: machine.now) else { return nil }
            mapping.uncertainty = max(mapping.uncertainty, state.clock.pathDelay ?? .zero)
            return mapping
        }
    }

    /// The state of the sender's clock, for diagnosis.
    package var status: FollowedClockStatus {
        let now = machine.now
        return state.withLock { state in
            let mapping = state.clock.mapping(at: now)
            return FollowedClockStatus(
                address: peer.address, source: identity, grandmaster: identity, isOwn: false,
                isUsable: mapping != nil,
                offset: mapping.map { $0.network.nanoseconds &- now.nanoseconds },
                pathDelay: state.clock.pathDelay, drift: state.clock.drift * 1e6,
                age: state.clock.lastSample.map { max(.zero, now.since($0)) },
                sampleCount: state.clock.sampleCount, answerCount: state.exchange.answerCount,
                restartCount: state.clock.restartCount)
        }
    }

    /// Stops the requests; the last line stays. Idempotent.
    package func close() {
        state.withLock { $0.phase = .closed }
        socket.stopNotifying()
    }

    /// Sends a request and schedules the next.
    private func ask() {
        queue.assertCurrent()
        let token = max(1, machine.randomBits())
        let (question, next): ([UInt8]?, HostTime?) = state.withLock { state in
            guard state.phase == .asking else { return (nil, nil) }
            return (state.exchange.question(token: token, at: machine.now), state.exchange.nextQuestion)
        }
        // A request that cannot be sent now is lost; the next one follows.
        if let question { _ = try? socket.send(question, to: peer) }
        guard let next else { return }
        queue.async(after: next.since(machine.now)) { [weak self] in self?.ask() }
    }

    /// Reads pending answers.
    private func receive() {
        queue.assertCurrent()
        socket.receiveAll(upTo: Self.readsPerTurn) { bytes, source, receivedAt in
            guard source == peer else { return }
            state.withLock { $0.take(bytes, at: receivedAt) }
        }
    }

    private static let readsPerTurn = 16
}
