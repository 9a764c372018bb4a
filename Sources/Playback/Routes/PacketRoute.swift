import AirPlayMessages
import AirPlaySender
import CoreMedia
import Dispatch
import MediaTime
import RTP
import Synchronization
import SystemIO

/// A route to an output that takes packets: a group of AirPlay 2 speakers with minutes of sound in their own
/// buffers, or a device of this machine with seconds.
///
/// Buffers wait in a backlog; the codec queue packs them ahead of need, within a limit; the output plays the
/// packets. Commands also go through the codec queue, so they keep the callers' order.
///
/// A flush begins a new generation, at once for callers and later for the codec queue. Until the codec queue
/// reaches that generation, it publishes no counts, because they describe dropped sound.
public final class PacketRoute: OutputRoute, @unchecked Sendable {
    // Safe to share: `pipeline` and the variables are touched only on the codec queue, `timer` only by its own
    // thread-safe calls; everything else is Sendable and immutable.

    /// Packed bytes kept beyond the capacity of the largest speaker buffer.
    private static let storeSlack = 512 * 1024
    /// Seconds of packed sound kept behind the playhead, for a resume and for a speaker that joins.
    private static let keptBehind = 2.0

    let output: any PacketOutput
    let depth: RouteDepth
    let store: PacketStore
    /// The store's queue, not the route's own: a detached route may have work left when the next route
    /// begins.
    let codec: DispatchQueue
    let pipeline: RenderPipeline
    private var isWorkQueued = false
    /// The generation that the codec queue has reached.
    var reached = 0
    private var isAskingForSize = false
    /// A cut awaits the output's response; later cuts wait in ``waitingCuts``.
    var isCutting = false
    var waitingCuts: [() -> Void] = []
    let clock: any HostClock
    let shared = Mutex(Shared())
    private let timer: any DispatchSourceTimer
    private let onChoice: @Sendable (WireChoice) -> Void

    /// State that callers read without waiting for the codec queue.
    struct Shared {
        var client: Weak?
        /// Flush generation.
        var generation = 0
        var backlog = UnpackedSound()
        /// End of data was signalled, and no buffer was enqueued since.
        var isComplete = false
        /// Generation of end-of-data signals; an older cut does not revoke a newer signal.
        var ends = 0
        /// Range of presentation time that was enqueued since the last flush.
        var enqueued: (start: CMTime, end: CMTime)?
        /// True from the high-water mark down to the low-water mark.
        var isFull = false
        /// Range of presentation time that is encoded.
        var encoded: (start: CMTime, end: CMTime)?
        var line: (time: CMTime, host: HostTime)?
        /// Generation of starts and stops; the answer to an older start sets no line.
        var starts = 0
        var rate = 1.0
        /// Buffers not heard to their end, if the route keeps buffers.
        var kept = BufferBacklog()
        /// True from a start until the route is stopped and empty: new sound is packed for the playing rate.
        var isRateKnown = false
        /// The state of the last start or stop call; ``isRunning`` follows on the codec queue.
        var mayRun = false
        var hasGivenUp = false
        var isRunning = false
        /// Started at least once: a stopped output needs the position of the next start.
        var hasRun = false
        var position = CMTime.zero
        var largestBuffer = 8 << 20

        /// Returns the presentation time being heard; while nothing runs, that of the next start.
        func playhead(at now: HostTime) -> CMTime {
            guard let line, now > line.host else { return position }
            let passed = Double(now.nanoseconds &- line.host.nanoseconds) * rate
            guard let nanoseconds = Int64(exactly: passed.rounded(.down)) else { return position }
            return line.time + CMTime(value: nanoseconds, timescale: 1_000_000_000)
        }

        /// Returns seconds from the playhead, or from the first enqueued sound if that is later, to the end
        /// of the enqueued sound.
        func secondsAhead(at now: HostTime) -> Double {
            guard let enqueued else { return 0 }
            let ahead = enqueued.end - CMTimeMaximum(playhead(at: now), enqueued.start)
            return ahead.isNumeric ? max(0, ahead.seconds) : 0
        }
    }

    struct Weak { weak var value: (any OutputRouteClient)? }

    /// - Parameter onChoice: called on the codec queue with the wire format of each source.
    init(
        output: any PacketOutput, policy: WireFormatPolicy, depth: RouteDepth,
        clock: any HostClock = SystemClock(), onChoice: @escaping @Sendable (WireChoice) -> Void = { _ in }
    ) {
        self.output = output
        self.depth = depth
        self.clock = clock
        self.onChoice = onChoice
        (store, codec) = (output.store, output.store.writing)
        pipeline = RenderPipeline(store: output.store, policy: policy)
        timer = DispatchSource.makeTimerSource(queue: codec)
        let tick = depth.tick
        timer.schedule(deadline: .now() + tick, repeating: tick, leeway: .milliseconds(20))
        timer.setEventHandler { [weak self] in self?.performMaintenance() }
        timer.resume()
    }

    deinit {
        timer.cancel()
        output.end()
    }

    public func attach(_ client: any OutputRouteClient) {
        shared.withLock { $0.client = Weak(value: client) }
    }

    var client: (any OutputRouteClient)? { shared.withLock { $0.client?.value } }

    // MARK: Data

    public func enqueue(_ buffer: CMSampleBuffer) {
        let amount = UnpackedSound.Amount(of: buffer)
        let start = buffer.outputPresentationTimeStamp
        shared.withLock { shared in
            shared.isComplete = false
            shared.backlog.enqueue(amount)
            let end = start + buffer.outputDuration
            if start.isNumeric, end.isNumeric {
                shared.enqueued = (
                    shared.enqueued?.start ?? start, CMTimeMaximum(shared.enqueued?.end ?? end, end)
                )
            }
            if keepsBuffers(shared) { shared.kept.append(buffer) }
            // Dispatched with the lock held, here and below, so the codec queue sees calls in the order of
            // their counters.
            codec.async { [self, generation = shared.generation] in arrive(buffer, amount, generation) }
        }
    }

    private func arrive(_ buffer: CMSampleBuffer, _ amount: UnpackedSound.Amount, _ generation: Int) {
        let isCurrent = shared.withLock { shared in
            guard shared.generation == generation else { return false }
            shared.backlog.arrive(amount)
            return true
        }
        guard isCurrent else { return }
        pipeline.backlog.append(buffer)
        workSoon()
    }

    /// Returns whether buffers are kept for another route or for a start at another rate: always with seconds
    /// of depth, with minutes only until the first start.
    func keepsBuffers(_ shared: Shared) -> Bool { depth.marks != nil || !shared.isRateKnown }

    public var isReadyForMoreData: Bool {
        let now = clock.now
        return shared.withLock { shared in
            let backlog = shared.backlog.total
            guard backlog.bytes < depth.backlogBytes, backlog.seconds < depth.backlogSeconds else {
                return false
            }
            guard let marks = depth.marks else { return true }
            let ahead = shared.secondsAhead(at: now)
            if ahead >= marks.high { shared.isFull = true }
            if ahead <= marks.low { shared.isFull = false }
            return !shared.isFull
        }
    }

    public func hasSufficientData(at time: CMTime) -> Bool {
        shared.withLock { shared in
            // After the end of data nothing is worth waiting for, even if all sound has been heard. A full
            // route takes no more either: a start would wait forever for sound that is shorter than it
            // claimed.
            if shared.isComplete || shared.isFull, shared.backlog.total.seconds < 0.001 { return true }
            guard let encoded = shared.encoded, encoded.end > time else { return false }
            return (encoded.end - time).seconds >= depth.sufficientSeconds
        }
    }

    public var leastLead: Double { depth.leastLead }

    /// End of the packed sound: the encoder holds back a little until more arrives or the data ends.
    public var playableEnd: CMTime? { shared.withLock { $0.encoded?.end } }

    public func endOfData() {
        shared.withLock { shared in
            (shared.isComplete, shared.ends) = (true, shared.ends + 1)
            codec.async { [self] in
                work()
                client?.routeGainedData()
            }
        }
    }

    // MARK: Sound

    public func setGain(_ gain: Float) {
        codec.async { [self] in
            if !output.setGain(gain) { pipeline.gain = gain }
        }
    }

    public func setPitch(_ pitch: PitchTreatment) {
        codec.async { [self] in pipeline.pitch = pitch }
    }

    public func detach(at time: CMTime) -> [CMSampleBuffer]? {
        let kept = shared.withLock { shared -> [CMSampleBuffer]? in
            (shared.client, shared.hasGivenUp) = (nil, true)
            (shared.generation, shared.starts) = (shared.generation + 1, shared.starts + 1)
            defer { shared.kept.removeAll() }
            shared.kept.removeHeard(before: time)
            return keepsBuffers(shared) ? shared.kept.all : nil
        }
        timer.cancel()
        output.abandonOpening()
        codec.async { [self] in
            output.stop(at: pipeline.frame(of: time))
            pipeline.flush()
            store.removeAll()
            output.clear()
        }
        return kept
    }

    /// Schedules the metadata that the speakers' displays show.
    func show(_ tracks: [PresentedTrack]) {
        codec.async { [self] in
            output.setTracks(
                tracks.map { track in
                    let frame = pipeline.frame(of: track.start)
                    let end =
                        track.duration.isNumeric ? pipeline.frame(of: track.start + track.duration) : frame
                    return ScheduledTrack(frame: frame, frameCount: end - frame, metadata: track.metadata)
                })
        }
    }

    // MARK: Work, on the codec queue

    /// Queues a work step behind pending blocks, so that a command waits for one buffer at most.
    private func workSoon() {
        guard !isWorkQueued else { return }
        isWorkQueued = true
        codec.async { [self] in
            isWorkQueued = false
            work()
        }
    }

    /// Encodes one buffer, and queues the next step.
    func work() {
        // Sound that a pending flush will drop is not worth packing.
        guard !pipeline.isSuspended, isCurrent(reached), !shared.withLock({ $0.hasGivenUp }) else { return }
        guard pipeline.isDecided || !decide() else { return }
        let wasEmpty = store.endFrame == nil
        if let buffer = pipeline.backlog.first, !isStoreFull {
            pipeline.backlog.removeFirst()
            do {
                if let choice = try pipeline.process(buffer) {
                    output.setFormat(choice.format)
                    onChoice(choice)
                }
            } catch {
                fail(error, at: buffer.outputPresentationTimeStamp)
                pipeline.flush()
            }
        }
        if pipeline.backlog.isEmpty, shared.withLock({ $0.isComplete && $0.backlog.arriving.isNothing }) {
            do { try pipeline.finish() } catch { fail(error) }
        }
        recount()
        if wasEmpty, store.endFrame != nil, shared.withLock({ $0.line != nil }) { output.anchorAgain() }
        client?.routeGainedData()
        client?.routeMayTakeMore()
        if !pipeline.backlog.isEmpty, !isStoreFull { workSoon() }
    }

    /// Returns whether no flush came after `generation`.
    func isCurrent(_ generation: Int) -> Bool { shared.withLock { $0.generation == generation } }

    /// - Parameter time: presentation time of the buffer that cannot be played, if a buffer caused the
    ///   failure.
    func fail(_ error: any Error, at time: CMTime? = nil) {
        // A flush may come while the client is being notified.
        client?.routeDidFail(error, at: time) { [weak self, reached] in
            self?.isCurrent(reached) ?? false
        }
    }

    /// Asks the output for its capabilities before the first sound is packed, because the format depends on
    /// both.
    ///
    /// - Returns: true if the pipeline waits for the answer.
    private func decide() -> Bool {
        guard !pipeline.backlog.isEmpty else { return false }
        pipeline.isSuspended = true
        Task { [output, generation = reached] in
            let answer: Result<PacketOutputTraits, any Error>
            do { answer = .success(try await output.prepare(patience: .milliseconds(1000))) } catch {
                answer = .failure(error)
            }
            codec.async { [self] in
                pipeline.isSuspended = false
                switch answer {
                case .success(let traits): pipeline.learn(of: traits)
                case .failure(let error):
                    guard reached == generation else { break }
                    pipeline.flush()
                    fail(error)
                }
                work()
            }
        }
        return true
    }

    /// Returns once pending work is done and nothing more can be packed. For tests.
    func settle() async {
        // The last block may enqueue further work behind this one.
        var idle = 0
        while idle < 3 {
            let isDone = await withCheckedContinuation { continuation in
                codec.async { [self] in
                    let canWork = !pipeline.backlog.isEmpty && !isStoreFull
                    continuation.resume(returning: !isWorkQueued && !pipeline.isSuspended && !canWork)
                }
            }
            idle = isDone ? idle + 1 : 0
            await Task.yield()
        }
    }

    private var isStoreFull: Bool {
        let limit = shared.withLock { $0.largestBuffer } + Self.storeSlack
        return store.byteCount >= limit
    }

    func recount() {
        let (waiting, encoded) = (pipeline.backlogSize, pipeline.encodedRange)
        shared.withLock { shared in
            guard shared.generation == reached else { return }
            shared.backlog.waiting = UnpackedSound.Amount(seconds: waiting.seconds, bytes: waiting.bytes)
            shared.encoded = encoded
        }
    }

    /// Discards heard sound, and encodes as much as fits. Runs every tick.
    private func performMaintenance() {
        let now = clock.now
        let playhead: CMTime? = shared.withLock { shared in
            if shared.hasGivenUp { return nil }
            let time = shared.playhead(at: now)
            shared.kept.removeHeard(before: time)
            return time
        }
        // By now the store may belong to another route.
        guard let time = playhead else { return }
        let kept = pipeline.frame(of: time) - Int64(Self.keptBehind * Double(pipeline.wireRate.hertz))
        store.discard(before: kept)
        askForSize()
        if !pipeline.backlog.isEmpty { work() } else if depth.marks != nil { client?.routeMayTakeMore() }
    }

    /// Asks for the buffer size, one request at a time, because answers may arrive out of order.
    private func askForSize() {
        guard !isAskingForSize else { return }
        isAskingForSize = true
        Task { [output, codec, weak self] in
            let bytes = await output.largestBuffer
            codec.async { [weak self] in
                guard let self else { return }
                isAskingForSize = false
                if let bytes { shared.withLock { $0.largestBuffer = bytes } }
            }
        }
    }
}
