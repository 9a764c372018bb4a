import AirPlayMessages
import AirPlayReceiver
import AirPlaySender
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// Plays the packets of one route on a device of this machine, along the host clock.
///
/// Feeds a stream of the receiver's playout without the network, from the store as far as the stream has
/// room. The device opens in the background; commands wait for it.
final class LocalPlayer: PacketOutput, @unchecked Sendable {
    // Safe to share: `sound` and the variables below it are touched on `queue` only, `watcher` by `init` and
    // `end` only; everything else is Sendable and immutable.

    /// Seconds of samples that the stream holds; the rest waits in the store.
    private static let bufferSeconds = 3
    private static let bytesPerFrame = 2 * MemoryLayout<Float>.size

    let store: PacketStore
    /// The packets to play: those of the store, or of a member of a group.
    private let packets: any PacketReading
    private let clock: any HostClock
    private let queue: SerialQueue
    private var watcher = 0

    private enum Phase {
        case stopped
        /// The device has not carried out the start at `frame` yet, whose first frame to be heard is `first`; an answer
        /// to another start is dropped.
        case awaited(start: Int, frame: Int64, first: Int64, started: @Sendable (HostTime) -> Void)
        case playing(along: Anchor)
    }

    /// The open device and this player's stream on it, or the reason that there is none.
    private var sound: Result<(device: LocalDevice, sink: StreamPlayout), any Error>?
    /// The commands that wait for the device, in order; `nil` once it is open, or known to be missing.
    private var waiting: [@Sendable () -> Void]? = []
    /// Index of the next packet to feed.
    private var next: Int64 = 0
    /// The difference of the device's packet numbers and the packets' indexes: packets that are fed again are new to it.
    private var shift: Int64 = 0
    /// The end of what the device was told to skip last.
    private var skippedEnd: Int64 = 0
    /// Between a cut and what follows it nothing is fed.
    private var isHeld = false
    /// The frame after the last one that was fed.
    private var fedEnd = Int64.min
    private var phase = Phase.stopped
    /// The line of the last start; `nil` without sound at its frame.
    private var line: FrameLine?
    /// The last stop, and the frame up to which its sound was heard.
    private var pause: (place: StopPlace, end: Int64, at: HostTime)?
    /// Number of starts, which names an awaited one.
    private var starts = 0
    /// All sound was dropped; the next packet continues along the line.
    private var isCleared = false
    /// A feeding step is queued; coalesces notifications of the store.
    private let isFeedQueued = Atomic<Bool>(false)
    private var isWaitingForRoom = false
    /// Cancels waiting for the device.
    private let isAbandoned = Atomic<Bool>(false)
    private let open: @Sendable () throws -> LocalDevice
    private let retry: @Sendable (any Error, _ attempt: @escaping @Sendable () -> Void) -> Bool

    /// - Parameters:
    ///   - store: Takes the packets; `nil` for a store of its own.
    ///   - sound: The packets to play; `nil` for those of the store.
    ///   - machine: Time and queues.
    ///   - open: Returns the device; called on a background queue, because it may block.
    ///   - retry: Receives the reason that there is no device. Returns false if the failure is final;
    ///     otherwise calls `attempt` once, when another attempt may succeed.
    init(
        store: PacketStore? = nil, sound: (any PacketReading)? = nil, machine: any Machine,
        open: @escaping @Sendable () throws -> LocalDevice,
        retry: @escaping @Sendable (any Error, _ attempt: @escaping @Sendable () -> Void) -> Bool = { _, _ in
            false
        }
    ) {
        let store = store ?? PacketStore(machine: machine)
        (self.store, packets) = (store, sound ?? store)
        (self.open, self.retry) = (open, retry)
        clock = machine
        queue = machine.makeQueue("tutti.local", qos: .userInteractive)
        watcher = packets.watch { [weak self] in
            self?.feedSoon()
        }
        machine.perform(qos: .userInitiated) { [self] in attemptOpening() }
    }

    /// Opens the device, or arranges a retry. Attempts do not overlap.
    private func attemptOpening() {
        let result: Result<(device: LocalDevice, sink: StreamPlayout), any Error> = Result {
            if isAbandoned.load(ordering: .relaxed) { throw RouteError("the output is no longer needed") }
            let device = try open()
            return (device, try device.addSink(bufferBytes: Self.bufferBytes(at: device.sampleRate)))
        }
        if case .failure(let error) = result, !isAbandoned.load(ordering: .relaxed),
            retry(error, { [self] in attemptOpening() })
        {
            return
        }
        queue.async { [self] in
            sound = result
            for command in waiting.take() ?? [] { command() }
        }
    }

    /// Runs a command on the queue, after earlier ones, once the device is open or known to be missing.
    private func perform(_ command: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            guard waiting != nil else { return command() }
            waiting?.append(command)
        }
    }

    func abandonOpening() { isAbandoned.store(true, ordering: .relaxed) }

    private static func bufferBytes(at rate: SampleRate) -> Int { bufferSeconds * rate.hertz * bytesPerFrame }

    // MARK: PacketOutput

    func prepare(patience: Duration) async throws -> PacketOutputTraits {
        let sound = await withCheckedContinuation { continuation in
            perform { [self] in
                continuation.resume(returning: self.sound.map { $0.map(\.device.sampleRate) })
            }
        }
        return PacketOutputTraits(deviceRate: try sound?.get())
    }

    /// Bytes of a stream at 96 kHz, twice the usual rate; at a lower rate the same bytes hold more seconds.
    var largestBuffer: Int? { Self.bufferSeconds * 96_000 * Self.bytesPerFrame }

    func setFormat(_ format: AudioWireFormat) {}

    /// Starts playback. Without `host` and with sound at hand, `frame` is the first audible frame, however
    /// late the device is.
    func start(at frame: Int64, host: HostTime?, started: @escaping @Sendable (HostTime) -> Void) {
        perform { [self] in
            starts += 1
            let first = resumeFrame(of: frame)
            phase = .awaited(start: starts, frame: frame, first: first, started: started)
            feed(from: first)
            guard host == nil, let sink, let end = packets.endFrame, end > first else {
                return begin(at: host ?? earliestPlayTime)
            }
            sink.play(from: Self.rtpTime(of: first), on: HostLine.identity) { [weak self, starts] host in
                guard let self else { return }
                queue.async { [self] in hasBegun(starts, at: host) }
            }
        }
    }

    func stop(at frame: Int64) {
        perform { [self] in
            let now = clock.now
            let place = line.map {
                StopPlace(frame: frame, heard: $0.frame(at: now), sampleRate: $0.sampleRate)
            }
            let end = silence(at: frame)
            // A stop of a stopped output changes nothing.
            if let place, let end { pause = (place, end, now) }
        }
    }

    /// Returns the first frame to be heard of a start: behind the frame at which the output was stopped, what was heard
    /// before is not repeated.
    private func resumeFrame(of frame: Int64) -> Int64 {
        guard let last = pause.take(), last.place.playhead == frame,
            clock.now.since(last.at) >= StopPlace.jumpTime
        else { return frame }
        return last.place.resumeFrame(heardUntil: last.end) ?? frame
    }

    /// Silences the output. On the queue.
    ///
    /// - Returns: The first frame that is not heard, as its RTP time says it near `frame`; `nil` if nothing has been heard.
    private func silence(at frame: Int64) -> Int64? {
        (phase, line) = (.stopped, nil)
        return sink?.pauseTellingEnd().map {
            frame.addingSaturated($0.frames(since: Self.rtpTime(of: frame)))
        }
    }

    /// Silences the output.
    ///
    /// - Returns: The first frame that is not heard, near `frame`; `nil` if nothing has been heard.
    func silence(near frame: Int64) async -> Int64? {
        await withCheckedContinuation { continuation in
            perform { [self] in continuation.resume(returning: silence(at: frame)) }
        }
    }

    func clear() {
        let end = packets.endIndex
        perform { [self] in
            // Time runs even without sound.
            if case .awaited = phase { begin(at: earliestPlayTime) }
            (next, fedEnd, isCleared, isHeld) = (max(next, end), .min, true, false)
            pause = nil
            sink?.flush(FlushBuffered(until: point(end, frame: 0)))
        }
    }

    /// Does nothing: ``feed(isUrgent:)`` anchors again, and knows the line even before the route does.
    func anchorAgain() {}

    func cut(at frame: Int64, answer: @escaping @Sendable (Bool) -> Void) {
        perform { [self] in
            guard let first = packets.packet(holding: frame) else { return answer(true) }
            let end = max(packets.endIndex, next)
            (isHeld, skippedEnd) = (true, max(skippedEnd, end))
            sink?.flush(
                FlushBuffered(from: point(first.index, frame: first.frame), until: point(end, frame: 0)))
            answer(true)
        }
    }

    /// Feeds again what was cut and is still there: its sound is another.
    func resume(from frame: Int64) {
        let first = packets.index(holding: frame, leading: 0)
        perform { [self] in
            isHeld = false
            if first < next {
                shift += max(next, skippedEnd) - first
                (next, skippedEnd) = (first, 0)
            }
            feed(isUrgent: true)
        }
    }

    func setGain(_ gain: Float) -> Bool {
        perform { [self] in sink?.setGain(gain) }
        return true
    }

    func setTracks(_ tracks: [ScheduledTrack]) {}

    func end() {
        packets.unwatch(watcher)
        perform { [self] in
            if case .success((let device, let sink)) = sound { device.remove(sink) }
            sound = nil
        }
    }

    /// Returns the frame after the last one that the device has, and whether the store has no more.
    func progress() -> (end: Int64?, isDrained: Bool) {
        queue.sync { (fedEnd == .min ? nil : fedEnd, packets.packet(atOrAfter: next) == nil) }
    }

    // MARK: On the queue

    /// The device and our stream in it; `nil` if none is open.
    private var opened: (device: LocalDevice, sink: StreamPlayout)? {
        queue.assertCurrent()
        guard case .success(let opened)? = sound else { return nil }
        return opened
    }

    private var sink: StreamPlayout? { opened?.sink }

    /// Free bytes at which a full stream is refilled: a twelfth of its size, a quarter of a second.
    private var refillBytes: Int {
        guard case .success(let (device, _)) = sound else { return 0 }
        return Self.bufferBytes(at: device.sampleRate) / 12
    }

    /// Returns a flush point; sequence numbers are the store's indexes.
    private func point(_ index: Int64, frame: Int64) -> FlushBuffered.Point {
        FlushBuffered.Point(
            sequenceNumber: UInt32(truncatingIfNeeded: index + shift), rtpTime: Self.rtpTime(of: frame))
    }

    private static func rtpTime(of frame: Int64) -> RTPTime {
        RTPTime(rawValue: UInt32(truncatingIfNeeded: frame))
    }

    private var earliestPlayTime: HostTime {
        let now = clock.now
        return opened?.device.earliestPlayTime(at: now) ?? now
    }

    /// Takes the device's answer to a start.
    ///
    /// - Parameter host: The time of the first frame that is heard; `nil` if the device takes no sound.
    private func hasBegun(_ start: Int, at host: HostTime?) {
        queue.assertCurrent()
        guard
            case .awaited(start: start, frame: let frame, first: let first, started: let started) = phase
        else { return }
        guard let host else { return begin(at: earliestPlayTime) }
        let instant = host.advanced(by: .zero - duration(from: frame, to: first))
        follow(frame, first: first, at: instant)
        started(instant)
    }

    private func duration(from frame: Int64, to first: Int64) -> Duration {
        rate(at: frame)?.duration(of: first - frame) ?? .zero
    }

    private func rate(at frame: Int64) -> SampleRate? { packets.packet(holding: frame)?.format.sampleRate }

    /// Notes the line on which `frame` is at `host`, and `first` is the first frame to be heard.
    private func follow(_ frame: Int64, first: Int64, at host: HostTime) {
        line = rate(at: frame).map { FrameLine(frame: frame, host: host, sampleRate: $0) }
        phase = .playing(along: Self.anchor(at: first, host.advanced(by: duration(from: frame, to: first))))
    }

    /// Begins the awaited start at `host`, whether or not sound has arrived by then.
    private func begin(at host: HostTime) {
        guard case .awaited(_, let frame, let first, let started) = phase else { return }
        follow(frame, first: first, at: host)
        play()
        started(host)
    }

    private static func anchor(at frame: Int64, _ host: HostTime) -> Anchor {
        Anchor(rtpTime: rtpTime(of: frame), networkTime: HostLine.networkTime(of: host))
    }

    private func play() {
        if case .playing(let anchor) = phase { sink?.play(along: anchor, on: HostLine.identity) }
    }

    /// Queues one feeding step for many packets. Any thread.
    private func feedSoon() {
        guard !isFeedQueued.exchange(true, ordering: .acquiringAndReleasing) else { return }
        perform { [self] in
            isFeedQueued.store(false, ordering: .releasing)
            feed()
        }
    }

    /// Feeds the sound that a start at `frame` begins with.
    private func feed(from frame: Int64) {
        feed(isUrgent: true)
        guard let sink, let first = packets.packet(holding: frame),
            packets.packet(atOrAfter: next) != nil,
            fedEnd < frame + Int64(first.format.sampleRate.hertz) / 2
        else { return }
        // The stream is full of earlier sound.
        sink.flush(FlushBuffered(until: point(first.index, frame: first.frame)))
        next = max(next, first.index)
        feed(isUrgent: true)
    }

    /// - Parameter isUrgent: Feeds even while a notification of free room is pending.
    private func feed(isUrgent: Bool = false) {
        guard !isHeld, let sink else { return }
        while isUrgent || !isWaitingForRoom, let packet = packets.packet(atOrAfter: next) {
            let received = ReceivedPacket(
                sequenceNumber: UInt32(truncatingIfNeeded: packet.index + shift) & 0x7F_FFFF,
                rtpTime: Self.rtpTime(of: packet.frame), format: packet.format,
                payload: packet.withPayload { Array($0) })
            guard sink.room >= received.byteCount else { return wait(for: received.byteCount, of: sink) }
            sink.append(received)
            (next, fedEnd) = (packet.index + 1, packet.endFrame)
            if isCleared {
                isCleared = false
                play()
            }
        }
    }

    private func wait(for bytes: Int, of sink: StreamPlayout) {
        guard !isWaitingForRoom else { return }
        isWaitingForRoom = true
        // Waits for more than one packet of room, to save wake-ups.
        sink.notify(whenRoomFor: max(bytes, refillBytes)) { [weak self] in
            guard let self else { return }
            queue.async { [self] in
                isWaitingForRoom = false
                feed()
            }
        }
    }
}
