import AirPlayMessages
import Synchronization
import TuttiMediaTime
import TuttiRTP
import TuttiSystemIO

/// The two UDP sockets of a realtime session, bound before the receiver is asked for its own.
struct RealtimeSockets: Sendable {
    let data: UDPSocket
    let control: UDPSocket

    init(at address: IPAddress, machine: any Machine) throws(SystemError) {
        data = try machine.bind(SocketAddress(address, port: 0))
        control = try machine.bind(SocketAddress(address, port: 0))
        data.mark(as: .sound)
        control.mark(as: .sound)
    }
}

/// One speaker's realtime stream: sends what ``RealtimeSender`` says, and runs its timer.
///
/// Frames are those of the group's timeline. If its packets have another format than the stream, the stream converts
/// them for itself.
final class RealtimeStream: Sendable {
    private struct State: ~Copyable {
        var sender: RealtimeSender
        /// The frames per second of the group's timeline.
        var rate = SampleRate.hz44100
        var converted: ConvertedSound?
        var watch: Int?
        var isClosed = false

        /// The frames per second of the stream.
        var ownRate: SampleRate { sender.traits.format.sampleRate }

        /// Returns the frame of the stream that is heard together with a frame of the group's timeline.
        func own(_ frame: Int64) -> Int64 { RealtimeFormat.frame(frame, at: rate, to: ownRate) }

        /// The time at which the last frames of the group are converted and sent unless more come; `nil` if none wait.
        var finishTime: HostTime? {
            guard let line = sender.line, converted?.isWaitingForMore == true else { return nil }
            return line.host(of: sender.nextFrame(of: line)).advanced(by: .zero - RealtimeStream.lastFrames)
        }

        /// Returns a line of the group in the stream's frames.
        func own(_ line: FrameLine) -> FrameLine {
            FrameLine(
                frame: RealtimeFormat.frame(line.frame, at: line.sampleRate, to: ownRate), host: line.host,
                sampleRate: ownRate)
        }
    }

    private let state: Mutex<State>
    private let store: any PacketReading
    private let sockets: RealtimeSockets
    private let dataPeer: SocketAddress
    /// The receiver's control port; `nil` for a receiver that has named none.
    private let controlPeer: SocketAddress?
    private let queue: SerialQueue
    private let wakeUp: QueueWakeUp
    private let machine: any Machine
    private let isPumpQueued = Atomic<Bool>(false)

    init(
        _ sender: consuming RealtimeSender, sockets: RealtimeSockets, data: SocketAddress,
        control: SocketAddress?, store: any PacketReading, machine: any Machine
    ) {
        (self.sockets, dataPeer, controlPeer) = (sockets, data, control)
        (self.store, self.machine) = (store, machine)
        queue = machine.makeQueue("tutti.realtime-sender", qos: .userInteractive)
        wakeUp = QueueWakeUp(on: queue)
        state = Mutex(State(sender: sender))
        sockets.control.notifyWhenReadable(on: queue) { [weak self] in self?.readControl() }
        sockets.data.notifyWhenReadable(on: queue) { [weak self] in self?.readData() }
        let watch = store.watch { [weak self] in self?.storeGrew() }
        state.withLock { $0.watch = watch }
    }

    // MARK: Commands, from any thread

    /// Plays along a line. Begins to send at once.
    func start(_ line: FrameLine) {
        change { state in
            (state.rate, state.converted) = (line.sampleRate, nil)
            state.sender.start(state.own(line), from: store.index(holding: line.frame, leading: 0))
        }
    }

    func move(to line: FrameLine) { change { $0.sender.move(to: $0.own(line)) } }

    /// Ends the sound.
    ///
    /// - Parameter endsHold: Whether nothing is held back any more.
    /// - Returns: The number and the RTP time before which the receiver has to drop everything; `nil` if it has
    ///   been sent nothing, or must not be flushed.
    func stop(endsHold: Bool = false) -> (sequence: UInt16, time: RTPTime)? {
        change { state in
            if endsHold { state.sender.endHold() }
            let point =
                state.sender.hasSent && !state.sender.traits.keepsLine ? state.sender.flushPoint : nil
            state.sender.stop()
            state.converted = nil
            return point
        }
    }

    /// Holds back the sound from `frame` on; returns whether nothing from `frame` on was sent.
    func hold(from frame: Int64) -> Bool {
        change { $0.sender.hold(from: $0.own(frame)) }
    }

    /// Sends again, with the packets that follow `frame` in the store.
    func resume(from frame: Int64) {
        change { state in
            let own = state.own(frame)
            let index: Int64
            if state.converted == nil {
                index = store.index(holding: frame, leading: 0)
            } else {
                state.converted?.restart(at: own, sentEnd: state.sender.sentEnd)
                index = state.converted?.store.endIndex ?? 0
            }
            state.sender.resume(from: index)
        }
    }

    func time(of frame: Int64) -> RTPTime {
        state.withLock { $0.sender.time(of: $0.own(frame)) }
    }

    /// Returns the frame after the last one sent, the time until it is heard, and whether there is no more to send.
    func progress() -> (sentEnd: Int64?, ahead: Duration, isDrained: Bool) {
        state.withLock { state in
            let isDrained = state.sender.isDrained && (state.converted?.isDrained ?? true)
            guard let end = state.sender.sentEnd else { return (nil, .zero, isDrained) }
            let ahead = state.sender.line.map { $0.host(of: end).since(machine.now) } ?? .zero
            return (RealtimeFormat.frame(end, at: state.ownRate, to: state.rate), ahead, isDrained)
        }
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
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, deadline) = state.withLock { state in
            let result = body(&state)
            guard !state.isClosed else { return (result, nil as HostTime?) }
            let now = machine.now
            convert(&state, at: now)
            state.sender.pump(at: now, from: state.converted?.store ?? store) { port, bytes in
                send(port, bytes)
            }
            return (result, [state.sender.deadline, state.finishTime].compactMap { $0 }.min())
        }
        if let deadline {
            wakeUp.set(at: deadline) { [weak self] in self?.change { _ in } }
        } else {
            wakeUp.cancel()
        }
        return result
    }

    /// Converts the sound that is needed next, if it has another format than the stream.
    private func convert(_ state: inout State, at now: HostTime) {
        guard let line = state.sender.line else { return }
        let next = state.sender.nextFrame(of: line)
        if state.converted == nil {
            guard let packet = store.packet(atOrAfter: state.sender.nextIndex),
                packet.format != state.sender.traits.format
            else { return }
            // Without an encoder the stream stays silent, and the next turn tries again.
            state.converted = try? ConvertedSound(
                of: store, at: next, rate: state.rate, to: state.sender.traits.format,
                machine: machine)
            state.sender.change(to: 0)
        }
        state.converted?.fill(
            beyond: max(next, line.frame(at: now)),
            isUrgent: line.host(of: next).since(now) <= Self.lastFrames)
    }

    /// The time before the last frames of the group are heard at which they are sent, however few they are.
    private static let lastFrames = Duration.milliseconds(500)

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

    private func readControl() { read(sockets.control, .control) }
    private func readData() { read(sockets.data, .data) }

    private func read(_ socket: UDPSocket, _ port: RealtimeSender.Port) {
        queue.assertCurrent()
        // The answers are repeated soon.
        defer { change { _ in } }
        // Bounded, so that a flood of requests does not keep the sound waiting.
        socket.receiveAll(upTo: 32) { [self] bytes, source, _ in
            // Ignores everything else that a receiver sends, also what is no packet of this protocol.
            guard source.address == dataPeer.address,
                case .resendRequest(let request)? = try? RealtimeControlPacket(parsing: bytes)
            else { return }
            state.withLock { state in
                guard !state.isClosed else { return }
                state.sender.resend(request, to: port, at: machine.now) { send($0, $1) }
            }
        }
    }
}

extension RealtimeSender {
    /// Returns the frame after the last one sent; the first of the line if nothing of it was.
    fileprivate func nextFrame(of line: FrameLine) -> Int64 { max(sentEnd ?? line.frame, line.frame) }
}
