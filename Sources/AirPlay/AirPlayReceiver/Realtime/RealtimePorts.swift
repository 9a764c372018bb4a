import AirPlayMessages
import Synchronization
import TuttiClockService
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiSystemIO

/// The two UDP sockets of a realtime stream.
///
/// Ignores datagrams from other addresses than the sender's. Gives the sink packets in order; the payload of
/// 16-bit PCM stays big-endian.
final class RealtimePorts: Sendable {
    private struct State: ~Copyable {
        var intake: RealtimeIntake
        /// The sender's control port, as announced or as seen: the target of resend requests.
        var control: SocketAddress?
        /// The earliest deadline that a timer is set for.
        var timer: HostTime?
        var isEnded = false
    }

    private let state: Mutex<State>
    private let data: UDPSocket
    private let control: UDPSocket
    private let queue: SerialQueue
    private let sink: any StreamSink
    private let onResume: @Sendable () -> Void
    private let clocks: any ReceiverClock
    private let format: AudioWireFormat
    private let peer: IPAddress
    private let machine: any Machine

    private static let receiveBufferBytes = 512 << 10

    /// - Parameters:
    ///   - key: The key of the packets; `nil` for a stream of AirPlay 1, which is in the clear.
    ///   - reading: The way to read sync packets with NTP times.
    ///   - onResume: Called on the ports' queue with the first packet after a pause or a flush.
    init(
        key: SymmetricKey?, reading: RealtimeLine.NTPReading, format: AudioWireFormat, controlPort: UInt16?,
        sink: any StreamSink, clocks: any ReceiverClock, at address: IPAddress, peer: IPAddress,
        machine: any Machine,
        onResume: @escaping @Sendable () -> Void
    ) throws {
        (self.format, self.sink, self.clocks, self.peer) = (format, sink, clocks, peer)
        (self.machine, self.onResume) = (machine, onResume)
        queue = machine.makeQueue("tutti.realtime")
        let datagramBytes = Self.datagramBytes(format)
        data = try machine.bind(
            SocketAddress(address, port: 0), receiveBufferBytes: Self.receiveBufferBytes,
            datagramBytes: datagramBytes)
        control = try machine.bind(
            SocketAddress(address, port: 0), receiveBufferBytes: nil, datagramBytes: datagramBytes)
        // A request for a lost packet is as urgent as the packet.
        control.mark(as: .sound)
        state = Mutex(
            State(
                intake: RealtimeIntake(
                    reader: try RealtimeReader(key: key), reading: reading, sampleRate: format.sampleRate,
                    framesPerPacket: format.framesPerPacket,
                    // A sender of AirPlay 1 names its first packet in RECORD; one of AirPlay 2 only marks it.
                    settles: key != nil, at: machine.now),
                control: controlPort.map { SocketAddress(peer, port: $0) }))
    }

    /// Returns the length of the longest datagram, without compression: the packets of old iTunes, and those of
    /// 24 bit, exceed a network's packets.
    private static func datagramBytes(_ format: AudioWireFormat) -> Int {
        let frameByteCount = format.channelCount * (format.bitDepth ?? 16) / 8
        return max(UDPSocket.longestDatagram, format.framesPerPacket * frameByteCount + 64)
    }

    var dataPort: UInt16 { data.address.port }
    var controlPort: UInt16 { control.address.port }
    var lastBytes: HostTime { state.withLock { $0.intake.lastBytes } }
    /// Number of data packets that could not be opened.
    var unreadableCount: Int { state.withLock { $0.intake.unreadableCount } }

    func start() {
        data.notifyWhenReadable(on: queue) { [weak self] in self?.readData() }
        control.notifyWhenReadable(on: queue) { [weak self] in self?.readControl() }
    }

    func close() {
        state.withLock { $0.isEnded = true }
        data.stopNotifying()
        control.stopNotifying()
    }

    /// Drops packets that wait for their order, and the line.
    func flush(before time: RTPTime) { state.withLock { $0.intake.flush(before: time) } }

    /// Notes the packet with which the sender begins.
    func begin(at number: UInt16, _ time: RTPTime) { state.withLock { $0.intake.begin(at: number, time) } }

    /// Number of frames of packets before the first that came, which never came.
    var framesLostAtBeginning: Int64 {
        Int64(state.withLock { $0.intake.lostAtBeginning }) * Int64(format.framesPerPacket)
    }

    /// Pauses until the sender starts again.
    func hold() { state.withLock { $0.intake.hold() } }

    // MARK: On the queue

    private func readData() {
        queue.assertCurrent()
        // Drain a full socket in batches, so that control packets get their turn.
        data.receiveAll(upTo: 64) { [self] bytes, source, time in
            guard source.address == peer else { return }
            receive(bytes, at: time)
        }
    }

    private func receive(_ datagram: ArraySlice<UInt8>, at now: HostTime) {
        let (ready, resumes) = state.withLock { state -> ([RealtimePacket], Bool) in
            state.isEnded ? ([], false) : state.intake.receive(datagram, at: now)
        }
        give(ready)
        if resumes { onResume() }
        setTimer()
    }

    private func readControl() {
        queue.assertCurrent()
        control.receiveAll(upTo: 64) { [self] bytes, source, time in
            // Ignores a packet that cannot be read, as if it had been lost.
            guard source.address == peer, let packet = try? RealtimeControlPacket(parsing: bytes) else {
                return
            }
            receive(packet, from: source, at: time)
        }
    }

    private func receive(_ packet: RealtimeControlPacket, from source: SocketAddress, at now: HostTime) {
        let line = state.withLock { state -> RealtimeIntake.Line? in
            guard !state.isEnded else { return nil }
            if state.control == nil { state.control = source }
            return state.intake.receive(packet, at: now)
        }
        if let line { sink.play(along: line) }
        if case .resent(let datagram) = packet, !datagram.isEmpty { receive(datagram[...], at: now) }
    }

    private func give(_ packets: [RealtimePacket]) {
        for packet in packets { sink.append(packet, in: format) }
    }

    private func setTimer() {
        let deadline = state.withLock { state -> HostTime? in
            let line = state.intake.line
            guard !state.isEnded, let deadline = state.intake.nextDeadline(due: { due($0, along: line) }),
                state.timer.map({ deadline < $0 }) ?? true
            else { return nil }
            state.timer = deadline
            return deadline
        }
        guard let deadline else { return }
        queue.async(after: max(.milliseconds(1), deadline.since(machine.now))) { [weak self] in
            self?.handleTime(dueAt: deadline)
        }
    }

    private func handleTime(dueAt deadline: HostTime) {
        queue.assertCurrent()
        let now = machine.now
        let (ready, requests, target) = state.withLock { state in
            if state.timer == deadline { state.timer = nil }
            let line = state.intake.line
            let (ready, requests) = state.intake.handleTime(now) { [self] time in
                due(time, along: line)
            }
            return (ready, requests, state.control)
        }
        give(ready)
        if let target {
            for request in requests {
                // A request that is lost is repeated while the packets are still due.
                _ = try? control.send(RealtimeControlPacket.resendRequest(request).encoded, to: target)
            }
        }
        setTimer()
    }

    private func due(_ time: RTPTime, along line: RealtimeLine) -> HostTime? {
        guard let anchor = line.anchor(near: time), let identity = line.clock,
            let mapping = clocks.mapping(of: identity)
        else { return nil }
        let timeline = AnchoredTimeline(anchor: anchor, sampleRate: format.sampleRate)
        return mapping.hostTime(of: timeline.networkTime(of: time))
    }
}
