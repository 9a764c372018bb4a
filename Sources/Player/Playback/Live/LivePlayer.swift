import AirPlaySender
import CoreMedia
import Synchronization
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// A player of sound that comes in real time, with as little latency as its outputs allow.
///
/// A block of sound comes with the host time at which it is to be heard; ``latency`` says how far ahead that
/// has to be. What comes too late is silence. `LiveTimeline` and `LiveGate`, values, decide; the player
/// hands frames to a queue of its outputs, as `AVSampleBufferAudioRenderer` does. Any thread.
public final class LivePlayer: Sendable {
    /// The activity of a player.
    public enum Phase: Sendable, Hashable {
        /// Nothing but silence comes.
        case idle
        /// Sound has come, and ``start()`` or ``decline()`` is awaited.
        case waiting
        /// The outputs are being opened.
        case starting
        /// Sound is heard.
        case running
        /// Sound is dropped until it has been silent for two seconds.
        case declined
    }

    /// Counts since the last start.
    public struct Counts: Sendable, Hashable {
        /// Pieces of silence instead of sound that did not come in time.
        public var silences = 0
        /// Times that the sound was placed again.
        public var jumps = 0
        /// Frames that came too late, or twice.
        public var droppedFrames: Int64 = 0
    }

    /// The silence after which playback ends on its own.
    public static let idleTime = Duration.seconds(60)
    /// The latency before the outputs are known, seconds.
    static let unknownLatency = 0.5
    /// Silence before the first sound, with which the outputs begin.
    private static let leadIn = Duration.milliseconds(200)
    /// The share of the latency within which sound that has not come is replaced by silence.
    private static let fillShare = 0.45
    /// The interval of questions for the latency of the outputs.
    private static let latencyInterval = Duration.milliseconds(500)
    /// The most blocks on their way to the outputs.
    private static let blockLimit = 512

    private struct State {
        var gate: LiveGate
        var timeline: LiveTimeline?
        /// The frame at which the next start begins.
        var nextFrame: Int64 = 0
        var latency = LivePlayer.unknownLatency
        var hasLatency = false
        var isAsking = false
        var lastAsked: HostTime?
        var isArmed = false
        /// Counts starts and stops; drops late answers.
        var generation = 0
        var converter = SampleConverter(to: .int16, dither: .triangular(seed: 1))
    }

    private let state: Mutex<State>
    private let render: RenderQueue
    private let line: PlaybackTimeline
    private let queue: SerialQueue
    private let watch: QueueWakeUp
    private let onEvent: @Sendable (LiveEvent) -> Void
    private let waiting = Atomic<Int>(0)
    private let format: CMFormatDescription?
    private let clock: any HostClock
    /// Makes the calls of `onEvent`.
    private let events: SerialQueue

    /// Makes a player for a selection of outputs, which other players may use too: the one that began last is
    /// heard.
    ///
    /// - Parameter onEvent: Called in order on a private queue; must not block.
    public convenience init(
        routes: RouteCatalogue, idleTime: Duration = LivePlayer.idleTime,
        onEvent: @escaping @Sendable (LiveEvent) -> Void
    ) {
        self.init(
            queue: routes.makeLiveQueue(), idleTime: idleTime, machine: routes.services.machine,
            onEvent: onEvent)
    }

    private init(
        queue render: RenderQueue, idleTime: Duration, machine: any Machine,
        onEvent: @escaping @Sendable (LiveEvent) -> Void
    ) {
        let queue = machine.makeQueue("tutti.live", qos: .userInteractive)
        (self.render, self.queue, self.onEvent) = (render, queue, onEvent)
        clock = machine
        line = PlaybackTimeline(machine: machine)
        self.events = machine.makeQueue("tutti.live.events")
        state = Mutex(State(gate: LiveGate(idleTime: idleTime)))
        watch = QueueWakeUp(on: queue)
        // Cannot fail: plain stereo of 16 bits.
        format = try? SoundDescription.linear(
            PCMFormat(sampleRate: LiveTimeline.rate, channelCount: 2, sampleFormat: .int16))
        _ = line.add(render)
        var events = PlaybackTimeline.Events()
        events.lineDidChange = { [weak self] _ in self?.lineDidChange() }
        line.setEvents(events)
        var queueEvents = RenderQueue.Events()
        queueEvents.halted = { [weak self] in self?.wasHalted() }
        render.setEvents(queueEvents)
    }

    deinit { _ = line.remove(render) }

    // MARK: State

    /// The activity now.
    public var phase: Phase {
        switch state.withLock({ $0.gate.phase }) {
        case .idle: .idle
        case .waiting: .waiting
        case .starting: .starting
        case .running: .running
        case .declined: .declined
        }
    }

    /// The latency in effect, seconds: sound that comes so long before it is to be heard is heard in time.
    public var latency: Double { state.withLock { $0.latency } }

    /// The mishaps since the last start.
    public var counts: Counts {
        let counts = state.withLock { $0.timeline?.counts } ?? LiveTimeline.Counts()
        return Counts(
            silences: counts.silences, jumps: counts.jumps, droppedFrames: counts.droppedFrames)
    }

    // MARK: Commands

    /// Takes the outputs, and plays what comes from now on.
    public func start() {
        let now = clock.now
        state.withLock { state in
            guard state.gate.start(at: now) else { return }
            state.generation += 1
            state.timeline = nil
            // With the lock held, so that calls keep their order.
            queue.async { [self, frame = state.nextFrame] in
                // The outputs begin once some of the silence is packed, so that its format is known.
                line.setRate(1, time: Self.time(frame), hostTime: nil)
                leadIn(at: frame)
            }
        }
    }

    /// Falls silent. Sound that comes afterwards is dropped until it has been silent for two seconds.
    public func decline() { stop { $0.decline() } }

    /// Falls silent. Sound that comes afterwards is reported as ``LiveEvent/soundArrived``.
    public func stop() { stop { $0.reset() } }

    private func stop(_ change: (inout LiveGate) -> Void) {
        state.withLock { state in
            change(&state.gate)
            end(&state)
        }
    }

    /// Ends the line; called with the lock held, so that calls keep their order.
    private func end(_ state: inout State) {
        state.generation += 1
        if let timeline = state.timeline {
            state.nextFrame =
                max(timeline.end, timeline.line.frame(at: clock.now)) + Int64(LiveTimeline.rate.hertz)
        }
        queue.async { [self] in
            watch.cancel()
            self.state.withLock { $0.isArmed = false }
            guard line.rate != 0 else { return }
            line.setRate(0, time: .invalid, hostTime: nil)
            render.flush()
        }
    }

    // MARK: Sound

    /// Takes a block of sound.
    ///
    /// - Parameter heardAt: The host time at which its first frame is to be heard.
    /// - Returns: `false` if the block cannot be played yet, but may be later: ``LiveSource/phaseDidChange()``
    ///   follows.
    @discardableResult
    package func feed(_ sound: LiveSound, heardAt: HostTime) -> Bool {
        let (now, isSilent) = (clock.now, sound.isSilent)
        return state.withLock { state in
            switch state.gate.take(isSilent: isSilent, at: now) {
            case .drop: return true
            case .keep: return false
            case .tell:
                tell(.soundArrived)
                return false
            case .end:
                end(&state)
                tell(.idle)
                return true
            case .play:
                if let stretch = state.timeline?.place(sound, heardAt: heardAt, at: now) {
                    enqueue(stretch, &state)
                }
                arm(&state)
                return true
            }
        }
    }

    /// Hands frames to the outputs in the order of their places; called with the lock held.
    private func enqueue(_ stretch: LiveTimeline.Stretch, _ state: inout State) {
        guard waiting.load(ordering: .relaxed) < Self.blockLimit else { return }
        waiting.add(1, ordering: .relaxed)
        let samples = Self.integers(stretch.samples, &state.converter)
        queue.async { [self] in
            waiting.subtract(1, ordering: .relaxed)
            enqueue(samples, at: stretch.frame)
        }
    }

    /// Hands samples to the renderer; those for which there is no memory are a hole.
    private func enqueue(_ samples: PCMBuffer, at frame: Int64) {
        guard let format, !samples.isEmpty, let block = SoundBuffers.block([samples.bytes[...]]),
            let buffer = try? CMSampleBuffer(
                dataBuffer: block, formatDescription: format, numSamples: samples.frameCount,
                presentationTimeStamp: Self.time(frame), packetDescriptions: [])
        else { return }
        render.enqueue(buffer)
    }

    /// Rounds samples to 16 bits, with dither unless they are of 16 bits already.
    private static func integers(_ samples: [Float], _ converter: inout SampleConverter) -> PCMBuffer {
        let buffer = PCMBuffer(sampleRate: LiveTimeline.rate, channelCount: 2, samples: samples)
        let isExact = samples.allSatisfy { ($0 * 0x1p15) == ($0 * 0x1p15).rounded() }
        guard isExact else { return converter.convert(buffer) }
        var plain = SampleConverter(to: .int16)
        return plain.convert(buffer)
    }

    /// Enqueues the silence with which the outputs are opened.
    private func leadIn(at frame: Int64) {
        let count = LiveTimeline.rate.frames(in: Self.leadIn.wholeNanoseconds)
        let format = PCMFormat(sampleRate: LiveTimeline.rate, channelCount: 2, sampleFormat: .int16)
        enqueue(PCMBuffer(format: format, silentFrameCount: Int(count)), at: frame)
    }

    private static func time(_ frame: Int64) -> CMTime {
        CMTime(value: frame, timescale: CMTimeScale(LiveTimeline.rate.hertz))
    }

    // MARK: The line

    private func lineDidChange() {
        queue.async { [self] in
            let now = line.line
            if now.rate != 0 { return lineRuns(now) }
            // Paused by another player, or about to begin on other outputs.
            guard line.rate != 0 else { return }
            let isNew = state.withLock { state in
                defer { state.gate.reopen() }
                return state.gate.phase == .running
            }
            guard isNew else { return }
            let time = now.time.convertScale(
                CMTimeScale(LiveTimeline.rate.hertz), method: .roundTowardPositiveInfinity)
            leadIn(at: time.value)
        }
    }

    private func lineRuns(_ presentation: PresentationLine) {
        guard let origin = presentation.host(of: .zero) else { return }
        // Frame 0 may lie before the clock's base, where arithmetic in frames saturates.
        let anchor = presentation.time.convertScale(
            CMTimeScale(LiveTimeline.rate.hertz), method: .roundTowardPositiveInfinity)
        let host = origin.advanced(by: LiveTimeline.rate.duration(of: anchor.value))
        let new = FrameLine(frame: anchor.value, host: host, sampleRate: LiveTimeline.rate)
        let leadIn = LiveTimeline.rate.frames(in: Self.leadIn.wholeNanoseconds)
        let isStarting = state.withLock { state in
            let isStarting = state.gate.phase == .starting
            if isStarting {
                state.timeline = LiveTimeline(line: new, end: new.frame + leadIn)
            } else {
                state.timeline?.move(to: new)
            }
            return isStarting
        }
        if isStarting { askForLatency() }
    }

    private func wasHalted() {
        let isChange = state.withLock { state in
            let isPlaying = state.gate.phase == .running || state.gate.phase == .starting
            if isPlaying {
                state.gate.decline()
                end(&state)
            }
            return isPlaying
        }
        if isChange { tell(.halted) }
    }

    // MARK: Latency

    /// Asks the outputs for their latency, and begins to play with the first answer.
    private func askForLatency() {
        let (route, now) = (render.route as? PacketRoute, clock.now)
        let generation = state.withLock { state -> Int? in
            guard !state.isAsking else { return nil }
            (state.isAsking, state.lastAsked) = (true, now)
            return state.generation
        }
        guard let generation else { return }
        Task { [weak self, queue] in
            let latency = await route?.output.liveLatency
            queue.async { [weak self] in self?.learn(latency?.inSeconds, in: generation) }
        }
    }

    private func learn(_ latency: Double?, in generation: Int) {
        let now = clock.now
        let (change, begins, asks) = state.withLock { state -> (Double?, Bool, Bool) in
            state.isAsking = false
            guard state.generation == generation else {
                // A start that came meanwhile has not asked.
                return (nil, false, state.gate.phase == .starting && state.timeline != nil)
            }
            let change = latency.flatMap { abs($0 - state.latency) > 0.0005 || !state.hasLatency ? $0 : nil }
            if let change { (state.latency, state.hasLatency) = (change, true) }
            let begins = state.timeline != nil && state.gate.run(at: now)
            if state.gate.phase == .running { arm(&state) }
            return (change, begins, false)
        }
        if asks { return askForLatency() }
        if let change { tell(.latency(change)) }
        if begins { tell(.running) }
    }

    // MARK: Missing sound

    /// Sets the wake-up at which sound must have come; called with the lock held.
    private func arm(_ state: inout State) {
        guard !state.isArmed, let timeline = state.timeline else { return }
        state.isArmed = true
        let lead = Duration.seconds(state.latency * Self.fillShare)
        watch.set(at: timeline.endTime.advanced(by: .zero - lead)) { [weak self] in self?.look() }
    }

    private func look() {
        let now = clock.now
        let (isOver, isDue) = state.withLock { state in
            state.isArmed = false
            guard state.gate.phase == .running else { return (false, false) }
            if state.gate.isOver(at: now) {
                end(&state)
                return (true, false)
            }
            let lead = Duration.seconds(state.latency * Self.fillShare)
            let limit = now.advanced(by: lead)
            if let timeline = state.timeline, timeline.endTime <= limit,
                let silence = state.timeline?.fill(until: limit.advanced(by: Self.fillTime))
            {
                enqueue(silence, &state)
            }
            arm(&state)
            let isDue = state.lastAsked.map { now.since($0) >= Self.latencyInterval } ?? true
            return (false, isDue)
        }
        if isOver { tell(.idle) } else if isDue { askForLatency() }
    }

    /// The silence that is enqueued at a time.
    private static let fillTime = Duration.milliseconds(20)

    // MARK: Events

    private func tell(_ event: LiveEvent) { events.async { [onEvent] in onEvent(event) } }
}
