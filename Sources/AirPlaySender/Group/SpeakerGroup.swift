import AirPlayMessages
import MediaTime
import SystemIO

/// A group of speakers that play along one line.
///
/// All speakers get the same packets and the same anchor; each has its own session, task and failures. The
/// group executes commands in the order in which they are posted. ``GroupPlan`` decides; this type carries out
/// what it says, and waits.
public actor SpeakerGroup {
    /// Events in order, for one reader. A reader that does not keep up loses the oldest of 1024.
    public nonisolated let events: AsyncStream<SpeakerGroupEvent>
    /// The packets that the group sends.
    public nonisolated let store: PacketStore

    let identity: SenderIdentity
    let timing: SenderTiming
    /// Makes the speakers' sessions.
    let opener: any SessionOpener
    var members: [GroupMember] = []
    private(set) var plan: GroupPlan
    private(set) var isOpen = true
    /// The wire format of the packets; `nil` until the first sound is known.
    private(set) var format: AudioWireFormat?
    /// The volume of speakers without one of their own; `nil` until the program sets it.
    private(set) var volume: Volume?
    var tracks: [ScheduledTrack] = []
    /// The track that the speakers show.
    var presented: ScheduledTrack?
    /// The wake-up for the next track.
    var nextTrack: Task<Void, Never>?

    private var formatWaiters: [CheckedContinuation<AudioWireFormat, Never>] = []
    private var descriptionWaiters: [CheckedContinuation<Void, Never>] = []
    /// Tells the program when the newest start is heard.
    private var onStarted: @Sendable (HostTime) -> Void = { _ in }
    /// Commands that wait until the one before is carried out.
    private var commandWaiters: [CheckedContinuation<Void, Never>] = []
    /// The wake-up for the plan's deadline.
    private var wakeUp: (time: HostTime, task: Task<Void, Never>)?
    private var lastNumber = 0

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
        (self.store, self.timing, self.identity) = (store, timing, identity)
        opener = BufferedOpener(identity: identity, clock: clock, store: store, timing: timing)
        plan = GroupPlan(timing: timing)
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
        let end = SystemClock.now.advanced(by: patience)
        let timer = Task { [weak self] in
            while !Task.isCancelled, SystemClock.now < end {
                try? await Task.sleep(for: end.since(SystemClock.now))
            }
            await self?.wakeDescriptionWaiters()
        }
        defer { timer.cancel() }
        while members.contains(where: { $0.receiver == nil && !$0.hasTried }), SystemClock.now < end {
            await withCheckedContinuation { descriptionWaiters.append($0) }
        }
        return members.compactMap(\.receiver)
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
        plan.sampleRate = format.sampleRate
        let waiters = formatWaiters
        formatWaiters = []
        for waiter in waiters { waiter.resume(returning: format) }
    }

    // MARK: Commands, from any thread

    nonisolated func post(_ command: Command) -> Bool {
        if case .terminated = commands.yield(command) { false } else { true }
    }

    /// Returns how far ahead each speaker is filled.
    public func depths() -> [SpeakerDepth] {
        var result: [SpeakerDepth] = []
        for member in members {
            var depth = SpeakerDepth(
                speaker: member.target.name, state: member.state, secondsAhead: 0, bytesHeld: 0,
                bufferBytes: 0)
            if let session = member.session {
                let filled = session.depth()
                (depth.bytesHeld, depth.bufferBytes) = (filled.bytesHeld, session.traits.bufferBytes)
                if let end = filled.endFrame {
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
        guard isOpen else { return }
        isOpen = false
        commands.finish()
        nextTrack?.cancel()
        // Late answers find nobody, and no command waits.
        plan = GroupPlan(timing: timing)
        receive(.time)
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

    // MARK: The plan

    /// Gives an input to the plan, and carries out what it says.
    func receive(_ input: GroupInput) {
        plan.receive(input, at: SystemClock.now, ready: { self.session($0)?.readyTime })
        while let action = plan.nextAction() { perform(action) }
        if !plan.isBusy {
            let waiters = commandWaiters
            commandWaiters = []
            for waiter in waiters { waiter.resume() }
        }
        wakeAtDeadline()
    }

    private func wakeAtDeadline() {
        guard plan.deadline != wakeUp?.time else { return }
        wakeUp?.task.cancel()
        wakeUp = nil
        guard let time = plan.deadline else { return }
        let task = Task { [weak self] in
            try? await Task.sleep(for: max(.zero, time.since(SystemClock.now)))
            if !Task.isCancelled { await self?.wake(for: time) }
        }
        wakeUp = (time: time, task: task)
    }

    private func wake(for time: HostTime) {
        if wakeUp?.time == time { wakeUp = nil }
        receive(.time)
    }

    private func perform(_ action: GroupAction) {
        switch action {
        case .started(let host): onStarted(host)
        case .present: presentTracks(isForced: true)
        case .send(let request, let id, let round):
            guard let session = session(id) else { return }
            Task { await ask(request, of: session, id, round) }
        case .state(let id, let state): if let member = member(id) { set(state, of: member) }
        case .warn(let id, let failure): if let member = member(id) { warn(member, failure) }
        case .fail(let id, let failure):
            guard let member = member(id) else { return }
            member.session?.fail(failure ?? SpeakerFailure(clockOf: member.target.name))
        }
    }

    /// Asks one session, and gives its answer to the plan.
    private func ask(
        _ request: GroupRequest, of session: any SpeakerSession, _ id: SessionID, _ round: Int
    ) async {
        var answer = GroupAnswer.done
        do {
            switch request {
            case .prepare(let frame): try await session.prepare(at: frame)
            case .waitForBeginning(let frame):
                await session.waitForBeginning(at: frame, sampleRate: sampleRate)
            case .start(let line, let needsBeginning):
                answer = .start(try await session.start(line, needsBeginning: needsBeginning))
            case .move(let line): try await session.move(to: line)
            case .askWhetherItFollows: answer = .follows(await session.followsLine())
            case .stop: try await session.stop()
            case .refill(let frame): try await session.refill(from: frame)
            case .clear: try await session.clear()
            }
        } catch {
            answer = .failed(SpeakerFailure(error))
        }
        receive(.answered(id, round: round, answer, slowest: await session.answerTime))
    }

    // MARK: Commands

    private func perform(_ command: Command) async {
        if command.changesWhatIsHeard { for member in members { member.interrupt(nil) } }
        switch command {
        case .start(let frame, let host, let started):
            onStarted = started
            for member in members { member.recall() }
            await carryOut(.start(frame: frame, wanted: host))
        case .stop(let frame): await carryOut(.stop(frame: frame))
        case .clear: await carryOut(.clear)
        case .anchorAgain: await carryOut(.anchorAgain)
        case .cut(let frame, let answer): answer(await takeBack(from: frame))
        case .resume(let frame):
            for member in members { member.session?.resume(from: frame) }
            await carryOut(.resume)
        case .volume(let volume, let speaker): await setVolumes(volume, speaker: speaker)
        case .tracks(let tracks):
            self.tracks = tracks.sorted { $0.frame < $1.frame }
            presentTracks(isForced: false)
        case .format(let format): decide(format)
        case .members(let targets): keepOnly(targets)
        }
    }

    /// Gives a command to the plan, and waits until the next one may follow.
    private func carryOut(_ command: GroupInput) async {
        receive(command)
        while plan.isBusy { await withCheckedContinuation { commandWaiters.append($0) } }
    }

    private func setVolumes(_ volume: Volume, speaker: String?) async {
        if speaker == nil { self.volume = volume }
        let named = members.filter { speaker == nil || speaker == $0.target.name }
        for member in named { member.volume = volume }
        let tasks = named.compactMap { member in
            member.session.map { session in
                Task { [weak self] in
                    do { try await session.setVolume(volume) } catch {
                        await self?.warn(member, SpeakerFailure(error))
                    }
                }
            }
        }
        await settle(tasks, within: timing.promptness)
    }

    // MARK: Lookups and events

    /// The current frame, or the frame at which a start will begin.
    var playhead: Int64 { plan.playhead(at: SystemClock.now) ?? store.startFrame ?? 0 }

    func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func member(_ id: SessionID) -> GroupMember? { members.first { $0.sessionID == id } }
    func session(_ id: SessionID) -> (any SpeakerSession)? { member(id)?.session }

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
}
