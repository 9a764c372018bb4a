import AirPlayMessages
import AirPlaySender
import CoreMedia
import Dispatch
import MediaTime
import RTP
import Synchronization
import SystemIO

/// An output that takes packets: a group of AirPlay 2 speakers with minutes of sound in their own buffers, or a device
/// of this machine with seconds.
///
/// Buffers wait in a backlog; the codec queue turns them into packets, ahead of need but not without
/// limit; the output plays those. Commands go through the codec queue too, so their order is the callers'.
///
/// A flush begins a new generation, at once for callers and later for the codec queue. Until the codec queue has reached
/// the generation, it writes nothing that callers read: those counts are of sound that is dropped.
public final class PacketRoute: OutputRoute, @unchecked Sendable {
    // Safe to share: `pipeline` and the variables are touched only on the codec queue, `timer` only by its own
    // thread-safe calls; everything else is Sendable and immutable.

    /// Packed bytes kept beyond what the largest speaker holds.
    private static let storeSlack = 512 * 1024
    /// Packed sound kept behind the playhead, for a resume and for a speaker that joins.
    private static let keptBehind = 2.0

    let output: any PacketOutput
    let depth: RouteDepth
    let store: PacketStore
    /// The store's, not the route's own: a route that was given up may have work left when the next one begins.
    let codec: DispatchQueue
    let pipeline: RenderPipeline
    private var isWorkQueued = false
    /// The generation that the codec queue has reached.
    var reached = 0
    private var isAskingForSize = false
    /// Speakers are asked to drop what they hold from a time on; what else is to be dropped waits for their answer.
    var isCutting = false
    var waitingCuts: [() -> Void] = []
    let clock: any HostClock
    let shared = Mutex(Shared())
    private let timer: any DispatchSourceTimer
    private let onChoice: @Sendable (WireChoice) -> Void

    /// What callers read without waiting for the codec queue.
    struct Shared {
        var client: Weak?
        /// Counts calls that drop everything.
        var generation = 0
        var backlog = UnpackedSound()
        /// The caller has signalled the end of data, and has enqueued nothing since.
        var isComplete = false
        /// Counts signals of the end of data, so that an older cut does not take back a newer signal.
        var ends = 0
        /// Presentation time from and up to which sound was enqueued since the last flush.
        var enqueued: (start: CMTime, end: CMTime)?
        /// Between the high mark and the low one.
        var isFull = false
        /// Presentation time up to which sound is encoded, and from which.
        var encoded: (start: CMTime, end: CMTime)?
        var line: (time: CMTime, host: HostTime)?
        /// Counts starts and stops, so that the answer to an older start sets no line.
        var starts = 0
        var rate = 1.0
        /// Those not heard to their end, where they are kept.
        var kept = BufferBacklog()
        /// From a start until all is dropped: what is enqueued now is packed for the rate that is played.
        var isRateKnown = false
        /// As the last call of start or stop says; ``isRunning`` follows on the codec queue.
        var mayRun = false
        var hasGivenUp = false
        var isRunning = false
        /// Started at least once: a stopped output is told where the next start will be.
        var hasRun = false
        var position = CMTime.zero
        var largestBuffer = 8 << 20

        /// The time that is heard; while nothing runs, the one that a start begins with.
        func playhead(at now: HostTime) -> CMTime {
            guard let line, now > line.host else { return position }
            let passed = Double(now.nanoseconds &- line.host.nanoseconds) * rate
            guard let nanoseconds = Int64(exactly: passed.rounded(.down)) else { return position }
            return line.time + CMTime(value: nanoseconds, timescale: 1_000_000_000)
        }

        /// Seconds from what is heard, or from the first sound if that lies ahead, to the end of all that was enqueued.
        func secondsAhead(at now: HostTime) -> Double {
            guard let enqueued else { return 0 }
            let ahead = enqueued.end - CMTimeMaximum(playhead(at: now), enqueued.start)
            return ahead.isNumeric ? max(0, ahead.seconds) : 0
        }
    }

    struct Weak { weak var value: (any OutputRouteClient)? }

    /// - Parameter onChoice: told the wire format of each source, on the codec queue.
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
        timer.setEventHandler { [weak self] in self?.keepHouse() }
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
            // With the lock held, here and below: the codec queue gets what callers do in the order of their counts.
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

    /// Seconds are kept for another route, or for a start at another rate; minutes only until the first start.
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
            // Where nothing more will come there is nothing to wait for, not even when all has been heard.
            // Nor where no more is taken: sound that has less in it than it said would be waited for.
            if shared.isComplete || shared.isFull, shared.backlog.total.seconds < 0.001 { return true }
            guard let encoded = shared.encoded, encoded.end > time else { return false }
            return (encoded.end - time).seconds >= depth.sufficientSeconds
        }
    }

    public var leastLead: Double { depth.leastLead }

    /// What is packed: the encoder keeps a little back until more comes, or the end.
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

    public func giveUp(at time: CMTime) -> [CMSampleBuffer]? {
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

    /// What the speakers' displays show, and from when on.
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
    func work() {
        // What a flush is on its way to drop is not worth packing.
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

    /// Whether nothing was dropped since the generation began.
    func isCurrent(_ generation: Int) -> Bool { shared.withLock { $0.generation == generation } }

    /// - Parameter time: of the buffer that cannot be played, if one buffer is to blame.
    func fail(_ error: any Error, at time: CMTime? = nil) {
        // A flush may come while the client is being told.
        client?.routeDidFail(error, at: time) { [weak self, reached] in
            self?.isCurrent(reached) ?? false
        }
    }

    /// The first sound decides what the speakers are set up for, and that depends on the speakers too.
    /// - Returns: true when the answer is awaited.
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

    /// Comes back when everything asked so far is done and nothing more can be packed. For tests.
    func settle() async {
        // What is done last may ask for more, behind this in the queue.
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

    /// Every tick: lets go of what has been heard, and encodes what fits now.
    private func keepHouse() {
        let now = clock.now
        let playhead: CMTime? = shared.withLock { shared in
            if shared.hasGivenUp { return nil }
            let time = shared.playhead(at: now)
            shared.kept.removeHeard(before: time)
            return time
        }
        // The store may be another route's by now.
        guard let time = playhead else { return }
        let kept = pipeline.frame(of: time) - Int64(Self.keptBehind * Double(pipeline.wireRate.hertz))
        store.discard(before: kept)
        askForSize()
        if !pipeline.backlog.isEmpty { work() } else if depth.marks != nil { client?.routeMayTakeMore() }
    }

    /// One question at a time: of two answers an older one could come last.
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
