import AirPlayMessages
import Dispatch
import MediaTime
import RTP
import Synchronization
import SystemIO

/// The two UDP sockets of a realtime session, bound before the receiver is asked for its own.
struct RealtimeSockets: Sendable {
    let data: UDPSocket
    let control: UDPSocket

    init(at address: IPAddress) throws(SystemError) {
        data = try UDPSocket(at: SocketAddress(address, port: 0))
        control = try UDPSocket(at: SocketAddress(address, port: 0))
    }
}

/// One speaker's realtime stream: sends what ``RealtimeSender`` says, and runs its timer.
final class RealtimeStream: Sendable {
    private struct State: ~Copyable {
        var sender: RealtimeSender
        var watch: Int?
        var isClosed = false
    }

    private let state: Mutex<State>
    private let store: PacketStore
    private let sockets: RealtimeSockets
    private let dataPeer: SocketAddress
    /// The receiver's control port; `nil` for a receiver that has named none.
    private let controlPeer: SocketAddress?
    private let queue = DispatchQueue(label: "tutti.realtime-sender", qos: .userInteractive)
    private let wakeUp: QueueWakeUp
    private let clock: any HostClock
    private let isPumpQueued = Atomic<Bool>(false)

    init(
        _ sender: consuming RealtimeSender, sockets: RealtimeSockets, data: SocketAddress,
        control: SocketAddress?, store: PacketStore, clock: any HostClock = SystemClock()
    ) {
        (self.sockets, dataPeer, controlPeer) = (sockets, data, control)
        (self.store, self.clock) = (store, clock)
        wakeUp = QueueWakeUp(on: queue)
        state = Mutex(State(sender: sender))
        sockets.control.notifyWhenReadable(on: queue) { [weak self] in self?.readControl() }
        // Receivers send nothing to the data port but, by some programs, requests for lost packets.
        sockets.data.notifyWhenReadable(on: queue) { [weak self] in self?.readData() }
        let watch = store.watch { [weak self] in self?.storeGrew() }
        state.withLock { $0.watch = watch }
    }

    // MARK: Commands, from any thread

    /// Plays along a line. Begins to send at once.
    func start(_ line: FrameLine) {
        change { $0.start(line, from: store.index(holding: line.frame, leading: 0)) }
    }

    func move(to line: FrameLine) { change { $0.move(to: line) } }

    /// Ends the sound.
    ///
    /// - Returns: The number and the RTP time before which the receiver has to drop everything; `nil` if it has
    ///   been sent nothing, or must not be flushed.
    func stop() -> (sequence: UInt16, time: RTPTime)? {
        change { sender in
            let point = sender.hasSent && !sender.traits.keepsLine ? sender.flushPoint : nil
            sender.stop()
            return point
        }
    }

    /// Holds back the sound from now on; returns whether nothing from `frame` on was sent.
    @discardableResult
    func hold(from frame: Int64) -> Bool { change { $0.hold(from: frame) } }

    /// Sends again, with the packets that follow `frame` in the store.
    func resume(from frame: Int64) {
        change { $0.resume(from: store.index(holding: frame, leading: 0)) }
    }

    var flushPoint: (sequence: UInt16, time: RTPTime) { state.withLock { $0.sender.flushPoint } }
    func time(of frame: Int64) -> RTPTime { state.withLock { $0.sender.time(of: frame) } }
    var line: FrameLine? { state.withLock { $0.sender.line } }

    func progress() -> (sentEnd: Int64?, isDrained: Bool, lateCount: Int) {
        state.withLock { ($0.sender.sentEnd, $0.sender.isDrained, $0.sender.lateCount) }
    }

    func close() {
        let watch = state.withLock { state in
            state.isClosed = true
            return state.watch.take()
        }
        if let watch { store.unwatch(watch) }
        wakeUp.cancel()
        sockets.control.stopNotifying()
        sockets.data.stopNotifying()
    }

    // MARK: Sending

    /// Makes a change, and sends what is due after it. Sending never blocks.
    private func change<Result: Sendable>(_ body: (inout RealtimeSender) -> Result) -> Result {
        let (result, deadline) = state.withLock { state in
            let result = body(&state.sender)
            guard !state.isClosed else { return (result, nil as HostTime?) }
            state.sender.pump(at: clock.now, from: store) { port, bytes in send(port, bytes) }
            return (result, state.sender.deadline)
        }
        if let deadline {
            wakeUp.set(at: deadline) { [weak self] in self?.change { _ in } }
        } else {
            wakeUp.cancel()
        }
        return result
    }

    /// Sends a datagram. One that the kernel has no room for is lost, and the receiver asks for it again.
    private func send(_ port: RealtimeSender.Port, _ bytes: UnsafeRawBufferPointer) {
        switch port {
        case .data: _ = try? sockets.data.send(bytes, to: dataPeer)
        case .control: if let controlPeer { _ = try? sockets.control.send(bytes, to: controlPeer) }
        }
    }

    /// Sends new packets if the stream waits for them; otherwise its timer will.
    private func storeGrew() {
        guard !isPumpQueued.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [self] in
            isPumpQueued.store(false, ordering: .releasing)
            if state.withLock({ $0.sender.isDrained }) { change { _ in } }
        }
    }

    // MARK: Requests of the receiver

    private func readControl() { read(sockets.control) }
    private func readData() { read(sockets.data) }

    private func read(_ socket: UDPSocket) {
        dispatchPrecondition(condition: .onQueue(queue))
        // Bounded, so that a flood of requests does not keep the sound waiting.
        for _ in 0..<32 {
            let isMore = try? socket.receive { [self] bytes, source, _ in
                guard source.address == dataPeer.address,
                    case .resendRequest(let request)? = try? RealtimeControlPacket(parsing: bytes)
                else { return }
                state.withLock { state in
                    if !state.isClosed { state.sender.resend(request) { send($0, $1) } }
                }
            }
            guard isMore == true else { return }
        }
    }
}
