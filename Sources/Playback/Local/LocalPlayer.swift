import AirPlayMessages
import AirPlayReceiver
import AirPlaySender
import Dispatch
import MediaTime
import Synchronization
import SystemIO

/// Plays the packets of one route on a device of this machine, along the host's clock.
///
/// A stream of our own speaker, without the network: packets go from the store into it as far as it has room. The
/// device is opened in the background; commands wait for it.
final class LocalPlayer: PacketOutput, @unchecked Sendable {
    // Safe to share: `sound` and the variables below it are touched on `queue` only, `watcher` by `init` and `end` only;
    // everything else is Sendable and immutable.

    /// Seconds of samples that the stream holds; the rest waits in the store.
    private static let bufferSeconds = 3
    private static let bytesPerFrame = 2 * MemoryLayout<Float>.size

    let store = PacketStore()
    private let clock: any HostClock
    private let queue = DispatchQueue(label: "tutti.local", qos: .userInteractive)
    private var watcher = 0

    /// The open device and our stream on it, or why there is none.
    private var sound: Result<(device: LocalDevice, sink: StreamPlayout), any Error>?
    /// Index of the packet that goes to the stream next.
    private var next: Int64 = 0
    /// The frame behind the last one that went to the stream.
    private var fedEnd = Int64.min
    private var line: (frame: Int64, host: HostTime)?
    /// A start that the device has not begun yet.
    private var awaited: (frame: Int64, started: @Sendable (HostTime) -> Void)?
    /// Counts starts and stops, so that the answer to an older start is dropped.
    private var starts = 0
    /// Everything was dropped, and what comes next goes on along the line.
    private var isCleared = false
    /// A turn of feeding is on its way.
    private let isFeedQueued = Atomic<Bool>(false)
    private var isWaitingForRoom = false
    /// Gives up waiting for the device.
    private let isAbandoned = Atomic<Bool>(false)
    private let open: @Sendable () throws -> LocalDevice
    private let retry: @Sendable (any Error, _ attempt: @escaping @Sendable () -> Void) -> Bool

    /// - Parameters:
    ///   - open: gives the device; called on a queue of its own, because it may wait for the device.
    ///   - retry: told why there is no device; returns false if that is final, else calls `attempt` once, at a time when
    ///     there may be one.
    init(
        clock: any HostClock = SystemClock(), open: @escaping @Sendable () throws -> LocalDevice,
        retry: @escaping @Sendable (any Error, _ attempt: @escaping @Sendable () -> Void) -> Bool = { _, _ in
            false
        }
    ) {
        (self.clock, self.open, self.retry) = (clock, open, retry)
        watcher = store.watch { [weak self] in
            self?.feedSoon()
        }
        queue.suspend()
        DispatchQueue.global(qos: .userInitiated).async { [self] in attemptOpening() }
    }

    /// Opens the device, or arranges to be called again. One call at a time.
    private func attemptOpening() {
        let result: Result<(device: LocalDevice, sink: StreamPlayout), any Error> = Result {
            if isAbandoned.load(ordering: .relaxed) { throw RouteError("the output is not wanted any more") }
            let device = try open()
            return (device, try device.addSink(bufferBytes: Self.bufferBytes(at: device.sampleRate)))
        }
        if case .failure(let error) = result, !isAbandoned.load(ordering: .relaxed),
            retry(error, { [self] in attemptOpening() })
        {
            return
        }
        sound = result
        // Nothing of the queue ran before; what it touches is written.
        queue.resume()
    }

    func abandonOpening() { isAbandoned.store(true, ordering: .relaxed) }

    private static func bufferBytes(at rate: SampleRate) -> Int { bufferSeconds * rate.hertz * bytesPerFrame }

    // MARK: PacketOutput

    func prepare(patience: Duration) async throws -> PacketOutputTraits {
        let sound = await withCheckedContinuation { continuation in
            queue.async { [self] in
                continuation.resume(returning: self.sound.map { $0.map(\.device.sampleRate) })
            }
        }
        return PacketOutputTraits(deviceRate: try sound?.get())
    }

    /// Of a device at twice the usual rate; a slower one has more seconds in it.
    var largestBuffer: Int? { Self.bufferSeconds * 96_000 * Self.bytesPerFrame }

    func setFormat(_ format: AudioWireFormat) {}

    /// Without an instant, and with sound at hand, the first frame that is heard is `frame`, however late the device is.
    func start(at frame: Int64, host: HostTime?, started: @escaping @Sendable (HostTime) -> Void) {
        queue.async { [self] in
            starts += 1
            (line, awaited) = (nil, (frame, started))
            feed(from: frame)
            guard host == nil, let sink, let end = store.endFrame, end > frame else {
                return begin(at: host ?? earliestPlayTime)
            }
            sink.play(from: Self.rtpTime(of: frame), on: HostLine.identity) { [weak self, starts] host in
                guard let self else { return }
                queue.async { [self] in
                    if self.starts == starts { hasBegun(at: host) }
                }
            }
        }
    }

    func stop(at frame: Int64) {
        queue.async { [self] in
            starts += 1
            (line, awaited) = (nil, nil)
            sink?.pause()
        }
    }

    func clear() {
        let end = store.endIndex
        queue.async { [self] in
            // Time runs also without sound.
            if awaited != nil { begin(at: earliestPlayTime) }
            (next, fedEnd, isCleared) = (max(next, end), .min, true)
            sink?.flush(FlushBuffered(until: point(end, frame: 0)))
        }
    }

    /// ``feed(isUrgent:)`` does it: it knows the line also when the route has not heard of it yet.
    func anchorAgain() {}

    func cut(at frame: Int64, answer: @escaping @Sendable (Bool) -> Void) {
        guard let first = store.packet(holding: frame) else { return answer(true) }
        let end = store.endIndex
        queue.async { [self] in
            sink?.flush(
                FlushBuffered(from: point(first.index, frame: first.frame), until: point(end, frame: 0)))
            answer(true)
        }
    }

    func goOn(from frame: Int64) {}

    func setGain(_ gain: Float) -> Bool {
        queue.async { [self] in sink?.setGain(gain) }
        return true
    }

    func setTracks(_ tracks: [ScheduledTrack]) {}

    func end() {
        store.unwatch(watcher)
        queue.async { [self] in
            if case .success((let device, let sink)) = sound { device.remove(sink) }
            sound = nil
        }
    }

    // MARK: On the queue

    private var sink: StreamPlayout? { try? sound?.get().sink }

    /// A full stream gets more when it has so much room: a twelfth of it, a quarter of a second.
    private var refillBytes: Int {
        guard case .success(let (device, _)) = sound else { return 0 }
        return Self.bufferBytes(at: device.sampleRate) / 12
    }

    /// Packets are numbered as the store does.
    private func point(_ index: Int64, frame: Int64) -> FlushBuffered.Point {
        FlushBuffered.Point(
            sequenceNumber: UInt32(truncatingIfNeeded: index), rtpTime: Self.rtpTime(of: frame))
    }

    private static func rtpTime(of frame: Int64) -> RTPTime {
        RTPTime(rawValue: UInt32(truncatingIfNeeded: frame))
    }

    private var earliestPlayTime: HostTime {
        let now = clock.now
        return (try? sound?.get())?.device.earliestPlayTime(at: now) ?? now
    }

    /// - Parameter host: `nil` if the device takes no sound.
    private func hasBegun(at host: HostTime?) {
        guard let awaited else { return }
        guard let host else { return begin(at: earliestPlayTime) }
        line = (awaited.frame, host)
        self.awaited = nil
        awaited.started(host)
    }

    /// Begins the awaited start at an instant, be there sound by then or not.
    private func begin(at host: HostTime) {
        guard let awaited else { return }
        starts += 1
        line = (awaited.frame, host)
        self.awaited = nil
        play()
        awaited.started(host)
    }

    private func play() {
        guard let line else { return }
        sink?.play(
            along: Anchor(
                rtpTime: Self.rtpTime(of: line.frame), networkTime: HostLine.networkTime(of: line.host)),
            on: HostLine.identity)
    }

    /// Many packets come at once: one turn is for all of them. Any thread.
    private func feedSoon() {
        guard !isFeedQueued.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [self] in
            isFeedQueued.store(false, ordering: .releasing)
            feed()
        }
    }

    /// Gives the stream what a start at `frame` begins with.
    private func feed(from frame: Int64) {
        feed(isUrgent: true)
        guard let sink, let first = store.packet(holding: frame), store.packet(atOrAfter: next) != nil,
            fedEnd < frame + Int64(first.format.sampleRate.hertz) / 2
        else { return }
        // The stream is full of what comes before.
        sink.flush(FlushBuffered(until: point(first.index, frame: first.frame)))
        next = max(next, first.index)
        feed(isUrgent: true)
    }

    /// - Parameter isUrgent: looks for room although it will be told of some.
    private func feed(isUrgent: Bool = false) {
        guard let sink else { return }
        while isUrgent || !isWaitingForRoom, let packet = store.packet(atOrAfter: next) {
            let received = ReceivedPacket(
                sequenceNumber: UInt32(truncatingIfNeeded: packet.index) & 0x7F_FFFF,
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
        // Not for each packet anew.
        sink.notify(whenRoomFor: max(bytes, refillBytes)) { [weak self] in
            guard let self else { return }
            queue.async { [self] in
                isWaitingForRoom = false
                feed()
            }
        }
    }
}
