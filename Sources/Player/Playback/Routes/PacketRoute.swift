import AirPlayMessages
import AirPlaySender
import CoreMedia
import Synchronization
import TuttiMediaTime
import TuttiRTP
import TuttiSystemIO

/// A route to an output that takes packets: a group of AirPlay 2 speakers with minutes of sound in their own
/// buffers, or a device of this machine with seconds.
///
/// Buffers wait in a backlog; the codec queue packs them ahead of need, within a limit; the output plays the
/// packets. Commands also go through the codec queue, so they keep the callers' order. `PacketRouteState`
/// decides, the route carries out; it wakes for events and for the state's deadline.
package final class PacketRoute: OutputRoute, @unchecked Sendable {
    // Safe to share: `pipeline` is touched only on the codec queue; everything else is Sendable and immutable.

    /// Seconds of packed sound kept behind the playhead, for a resume and for a speaker that joins.
    private static let keptBehind = 2.0
    /// Precision of a wake-up.
    private static let leeway = Duration.milliseconds(20)

    struct Guarded {
        var state: PacketRouteState
        weak var client: (any OutputRouteClient)?
        /// The deadline for which the wake-up is set.
        var armed: HostTime?
    }

    let output: any PacketOutput
    let store: PacketStore
    /// The store's queue, not the route's own: a detached route may have work left when the next route
    /// begins.
    let codec: SerialQueue
    let pipeline: RenderPipeline
    let clock: any HostClock
    let guarded: Mutex<Guarded>
    private let depth: RouteDepth
    private let wakeUp: QueueWakeUp
    private let onChoice: @Sendable (WireChoice) -> Void

    /// - Parameter onChoice: Called on the codec queue with the wire format of each source.
    init(
        output: any PacketOutput, policy: WireFormatPolicy, depth: RouteDepth,
        clock: any HostClock, onChoice: @escaping @Sendable (WireChoice) -> Void = { _ in }
    ) {
        (self.output, self.depth, self.clock, self.onChoice) = (output, depth, clock, onChoice)
        (store, codec) = (output.store, output.store.writing)
        pipeline = RenderPipeline(store: output.store, policy: policy)
        guarded = Mutex(Guarded(state: PacketRouteState(depth: depth)))
        wakeUp = QueueWakeUp(on: codec, leeway: Self.leeway)
    }

    deinit { output.end() }

    package func attach(_ client: any OutputRouteClient) { guarded.withLock { $0.client = client } }

    var client: (any OutputRouteClient)? { guarded.withLock { $0.client } }

    /// Makes a transition of the state.
    func change<Result: Sendable>(_ transition: (inout PacketRouteState) -> Result) -> Result {
        guarded.withLock { transition(&$0.state) }
    }

    // MARK: Data

    @discardableResult
    package func enqueue(_ buffer: CMSampleBuffer) -> Bool {
        let amount = UnpackedSound.Amount(of: buffer)
        return change { state in
            guard let generation = state.enqueue(buffer, amount) else { return false }
            // Dispatched with the lock held, here and below, so the codec queue sees calls in the order of
            // their generations.
            codec.async { [self] in
                guard change({ $0.arrive(amount, in: generation) }) else { return }
                pipeline.backlog.append(buffer)
                workSoon()
            }
            return true
        }
    }

    package var isReadyForMoreData: Bool {
        let now = clock.now
        return guarded.withLock { guarded in
            let wasFull = guarded.state.isFull
            let isReady = guarded.state.isReady(at: now)
            // The caller waits for the low-water mark now.
            if !wasFull, guarded.state.isFull { arm(&guarded) }
            return isReady
        }
    }

    package func hasSufficientData(at time: CMTime) -> Bool { change { $0.hasSufficientData(at: time) } }

    package var leastLead: Double { depth.leastLead }

    /// End of the packed sound: the encoder holds back a little until more arrives or the data ends.
    package var playableEnd: CMTime? { change { $0.encoded?.end } }

    @discardableResult
    package func endOfData() -> Bool {
        change { state in
            guard state.endOfData() else { return false }
            codec.async { [self] in
                work()
                client?.routeGainedData()
            }
            return true
        }
    }

    // MARK: Sound

    package func setGain(_ gain: Float) {
        codec.async { [self] in
            if !output.setGain(gain) { pipeline.gain = gain }
        }
    }

    package func setPitch(_ pitch: PitchTreatment) {
        codec.async { [self] in pipeline.pitch = pitch }
    }

    package func detach(at time: CMTime) -> [CMSampleBuffer]? {
        let kept = guarded.withLock { guarded in
            guarded.client = nil
            return guarded.state.detach(at: time)
        }
        wakeUp.cancel()
        output.abandonOpening()
        codec.async { [self] in
            output.stop(at: pipeline.frame(of: time))
            dropPackets()
        }
        return kept
    }

    /// Schedules the metadata that the speakers' displays show.
    func show(_ tracks: [PresentedTrack]) {
        codec.async { [self] in
            output.setTracks(tracks.map { $0.scheduled(pipeline.frame) })
        }
    }

    // MARK: Work, on the codec queue

    /// Queues a work step behind pending blocks, so that a command waits for one buffer at most.
    private func workSoon() {
        guard let step = change({ $0.queueStep() }) else { return }
        codec.async { [self] in
            if change({ $0.beginStep(step) }) { work() }
        }
    }

    /// Encodes one buffer, and queues the next step.
    func work() {
        codec.assertCurrent()
        guard change({ $0.mayPack }), pipeline.formats.isDecided || !decide() else { return }
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
        if pipeline.backlog.isEmpty, change({ $0.isComplete && $0.backlog.arriving.isNothing }) {
            do { try pipeline.finish() } catch { fail(error) }
            if pipeline.backlog.isEmpty, store.endFrame != nil { store.finish() }
        }
        makeRoom()
        recount()
        if wasEmpty, store.endFrame != nil, change({ $0.line != nil }) { output.anchorAgain() }
        client?.routeGainedData()
        client?.routeMayTakeMore()
        if canPack { workSoon() } else { rearm() }
    }

    /// - Parameter time: Presentation time of the buffer that cannot be played, if a buffer caused the
    ///   failure.
    func fail(_ error: any Error, at time: CMTime? = nil) {
        let generation = change { $0.flushes.reached }
        // A flush may come while the client is being notified.
        client?.routeDidFail(error, at: time) { [weak self] in
            self?.change { $0.flushes.isCurrent(generation) } ?? false
        }
    }

    /// Asks the output for its capabilities before the first sound is packed, because the format depends on
    /// both.
    ///
    /// - Returns: `true` if the pipeline waits for the answer.
    private func decide() -> Bool {
        guard !pipeline.backlog.isEmpty else { return false }
        let generation = change { $0.flushes.reached }
        change { $0.ask() }
        Task { [output] in
            let answer: Result<PacketOutputTraits, any Error>
            do { answer = .success(try await output.prepare(patience: .milliseconds(1000))) } catch {
                answer = .failure(error)
            }
            codec.async { [self] in
                change { $0.answered() }
                switch answer {
                case .success(let traits): pipeline.formats.learn(of: traits)
                case .failure(let error) where change({ $0.flushes.reached == generation }):
                    pipeline.flush()
                    fail(error)
                case .failure: break
                }
                askForSize(isUrgent: true)
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
                    continuation.resume(returning: change { $0.isIdle } && !canPack)
                }
            }
            idle = isDone ? idle + 1 : 0
            await Task.yield()
        }
    }

    /// Drops all packed sound and what the output has of it.
    func dropPackets() {
        pipeline.flush()
        store.removeAll()
        output.clear()
    }

    private var canPack: Bool { !pipeline.backlog.isEmpty && !isStoreFull }

    private var isStoreFull: Bool { store.byteCount >= change { $0.bufferSize.storeLimit } }

    /// Publishes the counts of the codec queue.
    func recount() {
        let (waiting, encoded) = (pipeline.backlog.size, pipeline.encodedRange)
        let (isWaitingForRoom, now) = (!pipeline.backlog.isEmpty && isStoreFull, clock.now)
        change { $0.publish(waiting: waiting, encoded: encoded, isWaitingForRoom: isWaitingForRoom, at: now) }
    }

    // MARK: Wake-ups

    /// Sets the wake-up for the state's deadline. Any thread.
    func rearm() { guarded.withLock { arm(&$0) } }

    private func arm(_ guarded: inout Guarded) {
        let deadline = guarded.state.deadline
        guard deadline != guarded.armed else { return }
        guarded.armed = deadline
        guard let deadline else { return wakeUp.cancel() }
        wakeUp.set(after: deadline.since(clock.now)) { [weak self] in self?.wake() }
    }

    /// Discards heard sound, and encodes as much as fits. Runs at the state's deadline, on the codec queue.
    private func wake() {
        let now = clock.now
        let playhead = guarded.withLock { guarded in
            guarded.armed = nil
            return guarded.state.release(at: now)
        }
        guard let playhead else { return }
        discard(before: playhead)
        askForSize(isUrgent: false)
        if !pipeline.backlog.isEmpty { work() } else if depth.marks != nil { client?.routeMayTakeMore() }
        rearm()
    }

    private func discard(before playhead: CMTime) {
        let kept = pipeline.frame(of: playhead) - Int64(Self.keptBehind * Double(pipeline.wireRate.hertz))
        store.discard(before: kept)
    }

    /// Packs on from a new playhead.
    func packOn() {
        makeRoom()
        if canPack { workSoon() }
    }

    /// Evicts packets before the playhead if the backlog waits behind a full store, as after a jump into the backlog.
    private func makeRoom() {
        guard !pipeline.backlog.isEmpty, isStoreFull else { return }
        let now = clock.now
        discard(before: change { $0.playhead(at: now) })
    }

    /// Asks for the buffer size, which tells how much fits into the packet store.
    func askForSize(isUrgent: Bool) {
        let now = clock.now
        guard change({ $0.bufferSize.ask(at: now, isUrgent: isUrgent) }) else { return }
        Task { [output, codec, weak self] in
            let bytes = await output.largestBuffer
            codec.async { [weak self] in
                guard let self else { return }
                change { $0.bufferSize.answered(bytes) }
                if canPack { workSoon() }
            }
        }
    }
}
