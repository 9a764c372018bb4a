import AirPlayMessages
import Dispatch
import MediaTime
import RTP
import SystemIO

/// A group of speakers that play along one line.
///
/// All speakers get the same packets and the same anchor; each has its own session, task and failures. The
/// group executes commands in the order in which they are posted.
public actor SpeakerGroup {
    /// The phase of the group.
    enum Phase {
        case idle
        case starting(frame: Int64, plan: StartPlan, started: @Sendable (HostTime) -> Void)
        case playing(FrameLine)
        case paused(frame: Int64)
    }

    /// Events in order, for one reader. A reader that does not keep up loses the oldest of 1024.
    public nonisolated let events: AsyncStream<SpeakerGroupEvent>
    /// The packets that the group sends.
    public nonisolated let store: PacketStore

    /// Makes the speakers' sessions.
    let opener: any SessionOpener
    let identity: SenderIdentity
    let timing: SenderTiming
    var members: [GroupMember] = []
    var phase = Phase.idle
    /// The wire format of the packets; `nil` until the first sound is known.
    private(set) var format: AudioWireFormat?
    private var formatWaiters: [CheckedContinuation<AudioWireFormat, Never>] = []
    private var descriptionWaiters: [CheckedContinuation<Void, Never>] = []
    var tracks: [ScheduledTrack] = []
    var volume = Volume(percent: 50)
    private var hasVolume = false
    private var isClosed = false
    /// Generation of start plans, which invalidates older wake-ups.
    var startRound = 0
    /// Whether the store was emptied since the last start: the next start is a jump, not a resume.
    private var wasCleared = false
    private var stoppedAt: HostTime?
    private var isPatienceOver = false
    /// Generation of refills, which invalidates older wake-ups.
    private var refillRound = 0
    /// Whether a cut has been made and the new sound is not in the store yet.
    var isCutOpen = false
    /// Generation of track checks, which invalidates older wake-ups.
    var presentRound = 0
    /// The track that the speakers show.
    var presented: ScheduledTrack?

    private nonisolated let emit: AsyncStream<SpeakerGroupEvent>.Continuation
    private nonisolated let commands: AsyncStream<Command>.Continuation

    /// Creates a group and connects to its speakers at once.
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
        opener = BufferedOpener(identity: identity, clock: clock, store: store, timing: timing)
        // Bounded, so that a program that does not read its events loses the oldest events instead of memory.
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

    /// Returns the known receivers, once every speaker has described itself or failed to, or after `patience`.
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

    /// Returns the format of the packets in the store; speakers wait for it before they open their streams.
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

    // MARK: Commands, from any thread

    /// Starts the line: `frame` is heard at `host`, or as soon as all speakers can.
    ///
    /// - Parameter started: Called with the instant; called again if a speaker's refusal moved it. Any thread.
    public nonisolated func start(
        at frame: Int64, host: HostTime?, started: @escaping @Sendable (HostTime) -> Void
    ) {
        commands.yield(.start(frame: frame, host: host, started: started))
    }

    /// Silences the speakers; a resume will begin at `frame`.
    public nonisolated func stop(at frame: Int64) { commands.yield(.stop(frame: frame)) }

    /// Makes the speakers drop their sound, because the store was emptied.
    public nonisolated func clear() { commands.yield(.clear) }

    /// Anchors the speakers again after ``clear()`` without a stop, because the store has sound for the running line.
    public nonisolated func anchorAgain() { commands.yield(.anchorAgain) }

    /// Withdraws `frame` and what follows from the speakers while they play on.
    ///
    /// - Returns: `false`, and nothing has changed, when it is too late for that. After `true` the caller
    ///   changes the store and calls ``resume(from:)``.
    public nonisolated func cut(at frame: Int64) async -> Bool {
        await withCheckedContinuation { continuation in
            cut(at: frame) { continuation.resume(returning: $0) }
        }
    }

    /// Cuts like ``cut(at:)``; commands posted after this call are executed after the cut.
    public nonisolated func cut(at frame: Int64, answer: @escaping @Sendable (Bool) -> Void) {
        // A closed group takes no commands.
        if case .terminated = commands.yield(.cut(frame: frame, answer: answer)) { answer(false) }
    }

    /// Resumes sending after ``cut(at:)``, with the packets from `frame` on.
    public nonisolated func resume(from frame: Int64) { commands.yield(.resume(frame: frame)) }

    /// Sets the volume.
    ///
    /// - Parameter speaker: One speaker's name, or `nil` for all.
    public nonisolated func setVolume(_ volume: Volume, speaker: String? = nil) {
        commands.yield(.volume(volume, speaker: speaker))
    }

    /// Replaces the tracks that displays show.
    public nonisolated func setTracks(_ tracks: [ScheduledTrack]) { commands.yield(.tracks(tracks)) }

    /// Closes the speakers that are not among these, and connects to the new ones. The rest play on, and the
    /// new speakers join them.
    public nonisolated func setTargets(_ targets: [SpeakerTarget]) { commands.yield(.members(targets)) }

    /// Sets the format of the next packets. Between two sample rates there must be a ``clear()``.
    public nonisolated func setFormat(_ format: AudioWireFormat) { commands.yield(.format(format)) }

    /// Returns how far ahead each speaker is filled.
    public func depths() async -> [SpeakerDepth] {
        var result: [SpeakerDepth] = []
        for member in members {
            var depth = SpeakerDepth(
                speaker: member.target.name, state: member.state, secondsAhead: 0, bytesHeld: 0,
                bufferBytes: 0)
            if let session = member.session {
                let progress = await session.depth()
                depth.bytesHeld = progress.bytesHeld
                depth.bufferBytes = session.traits.bufferBytes
                if let end = progress.endFrame {
                    depth.secondsAhead = max(0, Double(end - playhead) / Double(sampleRate.hertz))
                }
            }
            result.append(depth)
        }
        return result
    }

    /// The smallest buffer of the open speakers, bytes; `nil` when none is open.
    public var smallestBuffer: Int? { members.compactMap { $0.session?.traits.bufferBytes }.min() }
    /// The largest buffer of the open speakers, bytes; `nil` when none is open.
    public var largestBuffer: Int? { members.compactMap { $0.session?.traits.bufferBytes }.max() }

    /// Ends every session in order. Waits for the speakers, but not long for an unreachable one.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        commands.finish()
        // Waiters for a format get one, see that the group is closed, and end.
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
            case .idle: plan.lead = lead(\.start)
            case .paused where !wasCleared && !isJump: plan.lead = lead(\.resume)
            case .starting, .playing, .paused: plan.lead = lead(\.seek)
            }
            (wasCleared, isCutOpen) = (false, false)
            refillRound += 1
            phase = .starting(frame: frame, plan: plan, started: started)
            for member in members {
                (member.isAnchored, member.isPrepared) = (false, false)
                member.recall()
            }
            await prepareStart(since: plan.requestedAt)
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
        case .resume(let frame):
            for member in members { member.session?.resume(from: frame) }
            isCutOpen = false
            refillStopped(after: .zero)
            // Not awaited: a speaker that does not answer must not delay the next command.
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

    /// Whether a start follows a stop so closely that it is a jump: no speaker has released its output.
    private var isJump: Bool {
        stoppedAt.map { SystemClock.now.since($0) < .milliseconds(20) } ?? false
    }

    /// The current frame, or the frame at which a start will begin.
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
            // Only the place of the next start changes.
            phase = .paused(frame: frame)
            return refillStopped(after: timing.refillDelay)
        }
        phase = .paused(frame: frame)
        startRound += 1
        for member in members { member.isAnchored = false }
        await forEachSession { session in try await session.stop() }
        for member in members where member.session != nil { set(.ready, of: member) }
        stoppedAt = SystemClock.now
        refillStopped(after: timing.refillDelay)
    }

    /// Refills paused speakers that dropped their sound when stopped, so that they are as far ahead at the
    /// next start as their links allow.
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

    /// Runs `body` concurrently for every open session of `some` members; `nil` means all. A failing speaker
    /// causes a warning; a slow speaker is not awaited beyond ``SenderTiming/promptness``.
    func forEachSession(
        of some: [GroupMember]? = nil, _ body: @escaping @Sendable (any SpeakerSession) async throws -> Void
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

    /// Waits for all tasks, but not longer than `limit`.
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

    // MARK: Events

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
