import AirPlayMessages
import AirPlaySender
import CoreMedia
import Dispatch
import MediaTime
import RTP
import Synchronization
import SystemIO

/// A group of AirPlay 2 speakers as an output: minutes of sound, in the speakers' own buffers.
///
/// Buffers wait in a backlog; the codec queue turns them into packets, ahead of need but not without
/// limit; the group sends those. Commands go through the codec queue too, so their order is the callers'.
public final class AirPlayRoute: OutputRoute, @unchecked Sendable {
    // Safe to share: `pipeline` and `isWorkQueued` are touched only on the codec queue, `timer` only by its own
    // thread-safe calls; everything else is Sendable and immutable.

    /// Encoded bytes kept beyond what the largest speaker holds.
    private static let storeSlack = 512 * 1024
    /// The backlog asks for more below this.
    private static let backlogSeconds = 6.0
    private static let backlogBytes = 4 << 20
    /// Encoded sound kept behind the playhead, for a resume and for a speaker that joins.
    private static let keptBehind = 2.0
    /// A start needs this much, so that the first packets are there when the speakers want them.
    private static let sufficientSeconds = 0.9
    private static let tick = DispatchTimeInterval.milliseconds(500)

    public let group: SpeakerGroup
    private let store: PacketStore
    private let codec = DispatchQueue(label: "tutti.codec", qos: .userInitiated)
    private let pipeline: RenderPipeline
    private var isWorkQueued = false
    private let clock: any HostClock
    private let shared = Mutex(Shared())
    private let timer: any DispatchSourceTimer
    private let onChoice: @Sendable (WireChoice) -> Void

    /// What callers read without waiting for the codec queue.
    private struct Shared {
        var client: Weak?
        var generation = 0
        var backlogSeconds = 0.0
        var backlogBytes = 0
        var isStoreFull = false
        var isComplete = false
        /// Presentation time up to which sound is encoded, and from which.
        var encoded: (start: CMTime, end: CMTime)?
        var line: (time: CMTime, host: HostTime)?
        var isRunning = false
        var position = CMTime.zero
        var largestBuffer = 8 << 20
    }

    private struct Weak { weak var value: (any OutputRouteClient)? }

    /// - Parameter onChoice: told the wire format of each source, on the codec queue.
    init(
        group: SpeakerGroup, policy: WireFormatPolicy, clock: any HostClock = SystemClock(),
        onChoice: @escaping @Sendable (WireChoice) -> Void
    ) {
        self.group = group
        self.clock = clock
        self.onChoice = onChoice
        store = group.store
        pipeline = RenderPipeline(store: group.store, policy: policy)
        timer = DispatchSource.makeTimerSource(queue: codec)
        timer.schedule(deadline: .now() + Self.tick, repeating: Self.tick, leeway: .milliseconds(100))
        timer.setEventHandler { [weak self] in self?.keepHouse() }
        timer.resume()
    }

    deinit { timer.cancel() }

    public func attach(_ client: any OutputRouteClient) {
        shared.withLock { $0.client = Weak(value: client) }
    }
    public func detach() {
        shared.withLock { $0.client = nil }
        timer.cancel()
    }

    private var client: (any OutputRouteClient)? { shared.withLock { $0.client?.value } }

    // MARK: Data

    public func enqueue(_ buffer: CMSampleBuffer) {
        let seconds = max(0, buffer.outputDuration.seconds)
        let (generation, bytes) = (shared.withLock { $0.generation }, buffer.totalSampleSize)
        shared.withLock { shared in
            shared.isComplete = false
            shared.backlogSeconds += seconds.isFinite ? seconds : 0
            shared.backlogBytes += bytes
        }
        codec.async { [self] in
            guard shared.withLock({ $0.generation == generation }) else { return }
            pipeline.backlog.append(buffer)
            workSoon()
        }
    }

    public var isReadyForMoreData: Bool {
        shared.withLock { $0.backlogSeconds < Self.backlogSeconds && $0.backlogBytes < Self.backlogBytes }
    }

    public func hasSufficientData(at time: CMTime) -> Bool {
        shared.withLock { shared in
            guard let encoded = shared.encoded, encoded.end > time else { return false }
            let isAllThere = shared.isComplete && shared.backlogSeconds < 0.001
            return isAllThere || (encoded.end - time).seconds >= Self.sufficientSeconds
        }
    }

    public func endOfData() {
        codec.async { [self] in
            shared.withLock { $0.isComplete = true }
            work()
            client?.routeGainedData()
        }
    }

    // MARK: Flushing

    public func flush() {
        shared.withLock { shared in
            shared.generation += 1
            (shared.backlogSeconds, shared.backlogBytes) = (0, 0)
            (shared.isComplete, shared.isStoreFull, shared.encoded) = (false, false, nil)
        }
        codec.async { [self] in
            pipeline.flush()
            store.removeAll()
            group.clear()
            client?.routeMayTakeMore()
        }
    }

    public func flush(from time: CMTime) async -> Bool {
        await withCheckedContinuation { continuation in
            codec.async { [self] in cut(at: time) { continuation.resume(returning: $0) } }
        }
    }

    /// On the codec queue: the pipeline stands still until the speakers have answered.
    private func cut(at time: CMTime, done: @escaping @Sendable (Bool) -> Void) {
        guard !pipeline.isSuspended else { return done(false) }
        guard let frame = pipeline.cutFrame(for: time) else {
            // Nothing of it is encoded yet: only the backlog has it.
            pipeline.dropBacklog(from: time)
            shared.withLock { $0.isComplete = false }
            recount()
            done(true)
            client?.routeMayTakeMore()
            return
        }
        pipeline.isSuspended = true
        let generation = shared.withLock { $0.generation }
        Task { [group] in
            let isCut = await group.cut(at: frame)
            codec.async { [self] in
                pipeline.isSuspended = false
                guard isCut, shared.withLock({ $0.generation == generation }) else {
                    work()
                    return done(false)
                }
                pipeline.dropBacklog(from: time)
                do { try pipeline.cut(at: time) } catch { client?.routeDidFail(error) }
                group.goOn(from: frame)
                shared.withLock { $0.isComplete = false }
                recount()
                work()
                done(true)
                client?.routeMayTakeMore()
            }
        }
    }

    // MARK: Rate

    public func start(at time: CMTime, hostTime: HostTime?, started: @escaping @Sendable (HostTime) -> Void) {
        codec.async { [self] in
            shared.withLock { shared in
                (shared.isRunning, shared.position, shared.line) = (true, time, nil)
            }
            group.start(at: pipeline.frame(of: time), host: hostTime) { [weak self] host in
                self?.shared.withLock { $0.line = (time, host) }
                started(host)
            }
        }
    }

    public func stop(at time: CMTime) {
        codec.async { [self] in
            let wasRunning = shared.withLock { shared in
                defer { (shared.isRunning, shared.position, shared.line) = (false, time, nil) }
                return shared.isRunning
            }
            if wasRunning { group.stop(at: pipeline.frame(of: time)) }
        }
    }

    public func setGain(_ gain: Float) {
        codec.async { [self] in pipeline.gain = gain }
    }

    /// What the speakers' displays show, and from when on.
    func show(_ tracks: [PresentedTrack]) {
        codec.async { [self] in
            group.setTracks(
                tracks.map { track in
                    let frame = pipeline.frame(of: track.start)
                    let end =
                        track.duration.isNumeric ? pipeline.frame(of: track.start + track.duration) : frame
                    return ScheduledTrack(frame: frame, frameCount: end - frame, metadata: track.metadata)
                })
        }
    }

    // MARK: Work, on the codec queue

    /// Behind what waits in the queue, so that a command never waits for more than one buffer.
    private func workSoon() {
        guard !isWorkQueued else { return }
        isWorkQueued = true
        codec.async { [self] in
            isWorkQueued = false
            work()
        }
    }

    /// Encodes one buffer, and comes back for the next.
    private func work() {
        guard !pipeline.isSuspended else { return }
        guard pipeline.isDecided || !decide() else { return }
        let wasEmpty = store.endFrame == nil
        if let buffer = pipeline.backlog.first, !isStoreFull {
            pipeline.backlog.removeFirst()
            do {
                if let choice = try pipeline.process(buffer) {
                    group.setFormat(choice.format)
                    onChoice(choice)
                }
            } catch {
                client?.routeDidFail(error)
                pipeline.flush()
            }
        }
        if pipeline.backlog.isEmpty, shared.withLock({ $0.isComplete }) {
            do { try pipeline.finish() } catch { client?.routeDidFail(error) }
        }
        recount()
        if wasEmpty, store.endFrame != nil, shared.withLock({ $0.line != nil }) { group.anchorAgain() }
        client?.routeGainedData()
        client?.routeMayTakeMore()
        if !pipeline.backlog.isEmpty, !isStoreFull { workSoon() }
    }

    /// The first sound decides what the speakers are set up for, and that depends on the speakers too.
    /// - Returns: true when the answer is awaited.
    private func decide() -> Bool {
        guard !pipeline.backlog.isEmpty else { return false }
        pipeline.isSuspended = true
        Task { [group] in
            let receivers = await group.receivers(patience: .milliseconds(1000))
            codec.async { [self] in
                pipeline.learn(of: receivers)
                pipeline.isSuspended = false
                work()
            }
        }
        return true
    }

    private var isStoreFull: Bool {
        let limit = shared.withLock { $0.largestBuffer } + Self.storeSlack
        return store.byteCount >= limit
    }

    private func recount() {
        let (seconds, bytes) = pipeline.backlogSize
        let encoded = pipeline.encodedRange
        let isFull = isStoreFull
        shared.withLock { shared in
            (shared.backlogSeconds, shared.backlogBytes) = (seconds, bytes)
            shared.encoded = encoded
            shared.isStoreFull = isFull
        }
    }

    /// Twice a second: lets go of what has been heard, and encodes what fits now.
    private func keepHouse() {
        let now = clock.now
        let time: CMTime = shared.withLock { shared in
            guard let line = shared.line, now > line.host else { return shared.position }
            return line.time
                + CMTime(value: now.nanoseconds - line.host.nanoseconds, timescale: 1_000_000_000)
        }
        let kept = pipeline.frame(of: time) - Int64(Self.keptBehind * Double(pipeline.wireRate.hertz))
        store.discard(before: kept)
        Task { [group, weak self] in
            guard let bytes = await group.largestBuffer else { return }
            self?.shared.withLock { $0.largestBuffer = bytes }
        }
        if !pipeline.backlog.isEmpty { work() }
    }
}
