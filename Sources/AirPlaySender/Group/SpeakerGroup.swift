import AirPlayMessages
import Dispatch
import MediaTime
import RTP
import SystemIO

/// Several speakers on one line.
///
/// All get the same packets and the same anchor; each has its own session, its own task and its own
/// troubles. Commands are carried out in the order they are posted.
public actor SpeakerGroup {
    /// What the group is doing.
    enum Phase {
        case idle
        case starting(frame: Int64, plan: StartPlan, started: @Sendable (HostTime) -> Void)
        case playing(PlayLine)
        case paused(frame: Int64)
    }

    public nonisolated let events: AsyncStream<SpeakerGroupEvent>
    public nonisolated let store: PacketStore

    let clock: any SenderClock
    let identity: SenderIdentity
    let timing: SenderTiming
    var members: [GroupMember] = []
    var phase = Phase.idle
    /// What goes out; `nil` until the first sound is known.
    private(set) var format: AudioWireFormat?
    private var formatWaiters: [CheckedContinuation<AudioWireFormat, Never>] = []
    private var descriptionWaiters: [CheckedContinuation<Void, Never>] = []
    var tracks: [ScheduledTrack] = []
    var volume = Volume(percent: 50)
    private var hasVolume = false
    private var isClosed = false
    /// Counts plans to start, so that an older wake-up does nothing.
    var startRound = 0
    /// Whether the store was emptied since the last start: what comes is another place, not a resume.
    private var wasCleared = false
    private var stoppedAt: HostTime?
    private var isPatienceOver = false
    /// Counts stops and what undoes them, so that an older wake-up refills nothing.
    private var refillRound = 0
    /// Between a cut and the new sound.
    var isCutOpen = false
    /// Counts looks at the tracks, so that an older wake-up does nothing.
    var presentRound = 0
    /// What the speakers show.
    var presented: ScheduledTrack?

    private nonisolated let emit: AsyncStream<SpeakerGroupEvent>.Continuation
    private nonisolated let commands: AsyncStream<Command>.Continuation

    public init(
        targets: [SpeakerTarget], store: PacketStore, identity: SenderIdentity, clock: any SenderClock
    ) {
        self.init(
            targets: targets, store: store, identity: identity, clock: clock, timing: SenderTiming())
    }

    init(
        targets: [SpeakerTarget], store: PacketStore, identity: SenderIdentity, clock: any SenderClock,
        timing: SenderTiming
    ) {
        self.store = store
        self.timing = timing
        self.identity = identity
        self.clock = clock
        // Bounded: a program that does not read its events loses the oldest, not its memory.
        (events, emit) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
        let (stream, commands) = AsyncStream<Command>.makeStream()
        self.commands = commands
        Task { [weak self] in
            for await command in stream { await self?.perform(command) }
        }
        for target in targets { post(member: target) }
    }

    private nonisolated func post(member target: SpeakerTarget) {
        Task { await self.add(target) }
    }

    var sampleRate: SampleRate { format?.sampleRate ?? .hz44100 }

    // MARK: Format

    /// What is known of the speakers, once each has told or failed to, or `patience` is over.
    public func receivers(patience: Duration) async -> [ReceiverDescription] {
        let timer = Task { [weak self] in
            try? await Task.sleep(for: patience)
            await self?.endWaitForDescriptions()
        }
        defer { timer.cancel() }
        while members.contains(where: { $0.receiver == nil && !$0.hasTried }), !isPatienceOver {
            await withCheckedContinuation { descriptionWaiters.append($0) }
        }
        isPatienceOver = false
        return members.compactMap(\.receiver)
    }

    private func endWaitForDescriptions() {
        isPatienceOver = true
        wakeDescriptionWaiters()
    }

    func wakeDescriptionWaiters() {
        let waiters = descriptionWaiters
        descriptionWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    func describe(_ member: GroupMember, as receiver: ReceiverDescription) {
        member.receiver = receiver
        wakeDescriptionWaiters()
    }

    /// The format of the packets in the store; speakers wait for it before they open their streams.
    func formatDecided() async -> AudioWireFormat {
        if let format { return format }
        return await withCheckedContinuation { formatWaiters.append($0) }
    }

    private func decide(_ format: AudioWireFormat) {
        self.format = format
        let waiters = formatWaiters
        formatWaiters = []
        for waiter in waiters { waiter.resume(returning: format) }
    }

    // MARK: Doors

    /// Makes `frame` heard at `host`, or as soon as all speakers can.
    ///
    /// - Parameter started: told the instant; told again if a speaker's refusal moved it.
    public nonisolated func start(
        at frame: Int64, host: HostTime?, started: @escaping @Sendable (HostTime) -> Void
    ) {
        commands.yield(.start(frame: frame, host: host, started: started))
    }

    /// Silence; `frame` is where a resume will begin.
    public nonisolated func stop(at frame: Int64) { commands.yield(.stop(frame: frame)) }

    /// The store was emptied: the speakers drop what they have.
    public nonisolated func clear() { commands.yield(.clear) }

    /// After ``clear()`` without a stop: the store has sound again for the line that is still running.
    public nonisolated func anchorAgain() { commands.yield(.anchorAgain) }

    /// Takes `frame` and what follows out of the speakers while they play on.
    ///
    /// - Returns: false, and nothing has changed, when it is too late for that. After true the caller
    ///   changes the store and calls ``goOn(from:)``.
    public nonisolated func cut(at frame: Int64) async -> Bool {
        await withCheckedContinuation { continuation in
            cut(at: frame) { continuation.resume(returning: $0) }
        }
    }

    /// As ``cut(at:)``; commands that are posted after this call come after it.
    public nonisolated func cut(at frame: Int64, answer: @escaping @Sendable (Bool) -> Void) {
        // A closed group takes no commands any more.
        if case .terminated = commands.yield(.cut(frame: frame, answer: answer)) { answer(false) }
    }

    public nonisolated func goOn(from frame: Int64) { commands.yield(.goOn(frame: frame)) }

    /// - Parameter speaker: one speaker's name, or `nil` for all.
    public nonisolated func setVolume(_ volume: Volume, speaker: String? = nil) {
        commands.yield(.volume(volume, speaker: speaker))
    }

    public nonisolated func setTracks(_ tracks: [ScheduledTrack]) { commands.yield(.tracks(tracks)) }

    /// Lets go of the speakers that are not among these, and takes in the new ones; the others play on, and the new
    /// ones join them.
    public nonisolated func setTargets(_ targets: [SpeakerTarget]) { commands.yield(.members(targets)) }

    /// What the next packets are. Between two sample rates there must be a ``clear()``.
    public nonisolated func setFormat(_ format: AudioWireFormat) { commands.yield(.format(format)) }

    /// How far ahead each speaker is.
    public func depths() async -> [SpeakerDepth] {
        var result: [SpeakerDepth] = []
        for member in members {
            var depth = SpeakerDepth(
                speaker: member.target.name, state: member.state, secondsAhead: 0, bytesHeld: 0,
                bufferBytes: 0)
            if let session = member.session {
                let progress = await session.stream.progress()
                depth.bytesHeld = progress.speakerBytes
                depth.bufferBytes = session.parts.bufferBytes
                if let end = progress.endFrame {
                    depth.secondsAhead = max(0, Double(end - playhead) / Double(sampleRate.hertz))
                }
            }
            result.append(depth)
        }
        return result
    }

    /// The smallest buffer of the open speakers, in bytes.
    public var smallestBuffer: Int? { members.compactMap { $0.session?.parts.bufferBytes }.min() }
    public var largestBuffer: Int? { members.compactMap { $0.session?.parts.bufferBytes }.max() }

    /// Ends every session in order. Waits for the speakers, a second at most.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        commands.finish()
        // Whoever still waits for a format gets one, sees that the group is closed, and leaves.
        decide(format ?? .alac44100x16)
        wakeDescriptionWaiters()
        let sessions = members.compactMap(\.session)
        for member in members { member.task?.cancel() }
        let endings = sessions.map { session in Task { await session.close() } }
        for ending in endings { await ending.value }
        for member in members { set(.closed, of: member) }
        emit.finish()
    }

    // MARK: Commands

    private func perform(_ command: Command) async {
        if command.changesWhatIsHeard { for member in members { member.interrupt(nil) } }
        switch command {
        case .start(let frame, let host, let started):
            var plan = StartPlan(requestedAt: SystemClock.now, wanted: host)
            switch phase {
            case .idle: plan.lead = lead(\.startLead)
            case .paused where !wasCleared && !isJump: plan.lead = lead(\.resumeLead)
            case .starting, .playing, .paused: plan.lead = lead(\.seekLead)
            }
            (wasCleared, isCutOpen) = (false, false)
            refillRound += 1
            phase = .starting(frame: frame, plan: plan, started: started)
            for member in members {
                member.isAnchored = false
                member.recall()
            }
            await prepareStart()
            await tryStart()
        case .stop(let frame):
            await stopAll(at: frame)
        case .clear:
            (wasCleared, isCutOpen) = (true, false)
            await clearAll()
        case .anchorAgain:
            await anchorAll()
        case .cut(let frame, let answer):
            answer(await cutAll(at: frame))
        case .goOn(let frame):
            for member in members { member.session?.stream.goOn(from: frame) }
            isCutOpen = false
            refillStopped(after: .zero)
            // Not waited for: one that does not answer is not to hold up what comes next.
            for member in members where member.hasMissedCut {
                Task { [weak self] in await self?.refill(member) }
            }
        case .volume(let volume, let speaker):
            await setVolumes(volume, speaker: speaker)
        case .tracks(let tracks):
            self.tracks = tracks.sorted { $0.frame < $1.frame }
            presentTracks(isForced: false)
        case .format(let format):
            decide(format)
        case .members(let targets):
            await keepOnly(targets)
        }
    }

    /// A start right behind a stop goes on at another place: no speaker has let its output go.
    private var isJump: Bool {
        stoppedAt.map { SystemClock.now.since($0) < .milliseconds(20) } ?? false
    }

    /// The frame being heard, or the one a start will begin with.
    var playhead: Int64 {
        switch phase {
        case .idle: store.startFrame ?? 0
        case .starting(let frame, _, _), .paused(let frame): frame
        case .playing(let line): line.frame(at: SystemClock.now)
        }
    }

    private func stopAll(at frame: Int64) async {
        if case .idle = phase { return }
        if case .paused = phase {
            // Another place for the next start.
            phase = .paused(frame: frame)
            return refillStopped(after: timing.refillDelay)
        }
        phase = .paused(frame: frame)
        startRound += 1
        for member in members { member.isAnchored = false }
        await forEachSession { session in try await session.pause() }
        for member in members where member.session != nil { set(.ready, of: member) }
        stoppedAt = SystemClock.now
        refillStopped(after: timing.refillDelay)
    }

    /// Speakers that threw sound away when they were stopped get it again while they stand, so that they are as far ahead
    /// at the next start as their links allow.
    private func refillStopped(after delay: Duration) {
        guard case .paused = phase else { return }
        refillRound += 1
        let round = refillRound
        Task { [weak self] in
            try? await Task.sleep(for: delay)
            await self?.refillStopped(round)
        }
    }

    private func refillStopped(_ round: Int) async {
        guard round == refillRound, case .paused(let frame) = phase, !isCutOpen else { return }
        await forEachSession { session in try await session.refill(from: frame) }
    }

    private func clearAll() async {
        for member in members { member.isAnchored = false }
        await forEachSession { session in try await session.clear() }
    }

    private func setVolumes(_ volume: Volume, speaker: String?) async {
        if speaker == nil { (self.volume, hasVolume) = (volume, true) }
        let named = members.filter { speaker == nil || speaker == $0.target.name }
        for member in named { member.volume = volume }
        await forEachSession(of: named) { session in try await session.setVolume(volume) }
    }

    /// Runs `body` for every open session of `some` members, of all unless told otherwise, at once. A speaker that fails is
    /// warned about; one that takes long is not waited for.
    func forEachSession(
        of some: [GroupMember]? = nil, _ body: @escaping @Sendable (SpeakerSession) async throws -> Void
    ) async {
        let tasks = (some ?? members).compactMap { member in
            member.session.map { session in
                Task { [weak self] in
                    do { try await body(session) } catch { await self?.warn(member, SpeakerFailure(error)) }
                }
            }
        }
        await settle(tasks, within: timing.promptness)
    }

    /// Waits for all of them, but not longer than `limit`.
    func settle(_ tasks: [Task<Void, Never>], within limit: Duration) async {
        let (isDone, done) = AsyncStream<Void>.makeStream()
        Task {
            for task in tasks { await task.value }
            done.finish()
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            done.finish()
        }
        for await _ in isDone {}
        timer.cancel()
    }

    // MARK: Telling

    func set(_ state: SpeakerState, of member: GroupMember) {
        guard member.state != state else { return }
        member.state = state
        emit.yield(.state(speaker: member.target.name, state))
    }

    func warn(_ member: GroupMember, _ failure: SpeakerFailure) {
        guard failure.code != .closed else { return }
        emit.yield(
            .warning(speaker: member.target.name, code: failure.code.rawValue, message: failure.message))
    }

    nonisolated func tell(_ event: SpeakerGroupEvent) { emit.yield(event) }

    var isOpen: Bool { !isClosed }
    var startVolume: Volume? { hasVolume ? volume : nil }
}
