import AirPlayMessages
import Synchronization
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// A group of speakers that play along one line.
///
/// All speakers get the same packets and the same anchor; each has its own session, task and failures. The
/// group executes commands in the order in which they are posted, except those that later ones make meaningless.
/// `GroupPlan` decides; this type carries out what it says, and waits.
package actor SpeakerGroup {
    /// Events in order, for one reader. A reader that does not keep up loses the oldest of 1024.
    package nonisolated var events: AsyncStream<SpeakerGroupEvent> { reports.events }
    /// The packets that the group sends.
    package nonisolated let store: PacketStore

    let identity: SenderIdentity
    let timing: SenderTiming
    let machine: any Machine
    /// Makes the speakers' sessions.
    let opener: any SessionOpener
    var members: [GroupMember] = []
    private(set) var plan: GroupPlan
    private(set) var isOpen = true
    /// The wire format of the packets; `nil` until the first sound is known.
    private(set) var format: AudioWireFormat?
    /// The volume of speakers without one of their own; `nil` until the program sets it.
    private(set) var volume: Volume?
    /// The announcements that are heard or about to be.
    var announcements = GroupAnnouncements()
    /// The frame of the program's cut, until the store has the new sound.
    var cutFrame: Int64?
    /// Treatments, by the speaker's key, that wait because the speaker cannot change more of what it holds for the moment.
    var waitingTreatments: [String: SoundTreatment] = [:]
    private(set) var displays = DisplaySchedule()
    private var nextTrack: TaskWakeUp
    private var formatWaiters = Waiters()
    private var descriptionWaiters = Waiters()
    /// Tells the program when the newest start is heard.
    private var onStarted: @Sendable (HostTime) -> Void = { _ in }
    /// Commands that wait until the one before is carried out.
    private var commandWaiters = Waiters()
    /// The wake-up for the plan's deadline.
    private var deadline: TaskWakeUp
    private var lastNumber = 0
    private nonisolated let reports = GroupReports()
    private nonisolated let commands: AsyncStream<(GroupCommand, number: Int)>.Continuation
    private nonisolated let posted = Mutex(PostedCommands())
    /// The number of the newest start that the plan was given.
    private var startNumber = 0

    /// Creates a group and connects to its speakers at once.
    ///
    /// - Parameter machine: Time, queues, sockets and random numbers.
    package init(
        targets: [SpeakerTarget], store: PacketStore, identity: SenderIdentity, clock: any SenderClock,
        machine: any Machine
    ) {
        self.init(
            targets: targets, store: store, identity: identity, clock: clock, timing: SenderTiming(),
            machine: machine)
    }

    init(
        targets: [SpeakerTarget], store: PacketStore, identity: SenderIdentity, clock: any SenderClock,
        timing: SenderTiming, machine: any Machine
    ) {
        (self.store, self.timing, self.identity, self.machine) = (store, timing, identity, machine)
        opener = SpeakerOpener(
            identity: identity, clock: clock, store: store, timing: timing, machine: machine)
        (nextTrack, deadline) = (TaskWakeUp(machine), TaskWakeUp(machine))
        plan = GroupPlan(timing: timing)
        let (stream, commands) = AsyncStream<(GroupCommand, number: Int)>.makeStream()
        self.commands = commands
        Task { [weak self] in
            // The first commands find every member.
            for target in targets { await self?.add(target) }
            for await (command, number) in stream { await self?.perform(command, number) }
        }
    }

    var sampleRate: SampleRate { format?.sampleRate ?? .hz44100 }

    // MARK: Format

    /// Returns the known receivers, once every speaker has described itself or failed to, or after `patience`.
    package func receivers(patience: Duration) async -> [ReceiverDescription] {
        let end = machine.now.advanced(by: patience)
        var patienceEnd = TaskWakeUp(machine)
        patienceEnd.set(at: end) { [weak self] in await self?.descriptionsChanged() }
        defer { patienceEnd.cancel() }
        while members.contains(where: { $0.receiver == nil && !$0.hasTried }), machine.now < end {
            await withCheckedContinuation { descriptionWaiters.add($0) }
        }
        return members.formatReceivers
    }

    /// The best format of the packets if every known speaker takes a realtime stream; else `nil`. With others among
    /// them, the realtime sessions convert for themselves.
    package var realtimeFormat: AudioWireFormat? { members.realtimeFormat }

    /// Whether no known speaker is silent with ALAC in the stream that it has.
    package var playsALAC: Bool { members.playsALAC }

    /// Lets ``receivers(patience:)`` look again.
    func descriptionsChanged() { descriptionWaiters.wake() }

    func describe(_ member: GroupMember, as receiver: ReceiverDescription, _ choice: SessionChoice) {
        if member.choice != choice { tell(.chosen(speaker: member.target.named, choice)) }
        (member.receiver, member.choice, member.hasDescribed) = (receiver, choice, true)
        descriptionsChanged()
    }

    /// Returns the format of the packets in the store; speakers wait for it before they open their streams.
    func formatDecided() async -> AudioWireFormat {
        while true {
            if let format { return format }
            await withCheckedContinuation { formatWaiters.add($0) }
        }
    }

    private func decide(_ format: AudioWireFormat) {
        self.format = format
        plan.sampleRate = format.sampleRate
        formatWaiters.wake()
    }

    // MARK: Commands, from any thread

    nonisolated func post(_ command: GroupCommand) -> Bool {
        // Under the lock, so that the numbers are in the stream's order; to yield calls nobody.
        let isOpen = posted.withLock { posted in
            if case .terminated = commands.yield((command, posted.add(command))) { false } else { true }
        }
        switch command {
        case .start, .stop: Task { await supersedeStart() }
        default: break
        }
        return isOpen
    }

    /// Ends the preparing of a start that a later command makes meaningless, so that the later one need not wait for it.
    private func supersedeStart() {
        if posted.withLock({ $0.supersedesStart(startNumber) }) { receive(.startSuperseded) }
    }

    /// Returns how far ahead each speaker is filled.
    package func depths() -> [SpeakerDepth] {
        members.map { $0.depth(at: playhead, sampleRate: sampleRate) }
    }

    /// Returns what is known of a speaker's clock; `nil` while it has no session.
    ///
    /// - Parameter speaker: The speaker's ``SpeakerTarget/key``.
    package func clockReport(of speaker: String) -> ClockReport? {
        members.first { $0.target.key == speaker }?.session?.clockReport
    }

    /// The largest buffer of the open speakers, bytes; `nil` when none is open.
    package var largestBuffer: Int? { members.compactMap { $0.session?.traits.bufferBytes }.max() }

    /// The time before it is heard at which live sound must come, so that every open speaker gets it in time; `nil` when
    /// none is open.
    package var liveLatency: Duration? { members.liveLatency }

    /// Ends every session in order. Waits for the speakers, but not long for an unreachable one.
    package func close() async {
        guard isOpen else { return }
        isOpen = false
        commands.finish()
        nextTrack.cancel()
        // Late answers find nobody, and no command waits.
        plan = GroupPlan(timing: timing)
        receive(.time)
        // Waiters for a format get one, see that the group is closed, and end.
        decide(format ?? .alac44100x16)
        descriptionsChanged()
        let sessions = members.compactMap(\.session)
        for member in members { member.task?.cancel() }
        let endings = sessions.map { session in Task { await session.close() } }
        for ending in endings { await ending.value }
        for member in members { set(.closed, of: member) }
        reports.finish()
    }

    // MARK: The plan

    /// Gives an input to the plan, and carries out what it says.
    func receive(_ input: GroupInput) {
        plan.receive(input, at: machine.now, ready: { self.session($0)?.readyTime })
        while let action = plan.nextAction() { perform(action) }
        if !plan.isBusy { commandWaiters.wake() }
        deadline.follow(plan.deadline) { [weak self] in await self?.wake() }
    }

    private func wake() {
        deadline.cancel()
        receive(.time)
    }

    private func perform(_ action: GroupAction) {
        switch action {
        case .started(let host): onStarted(host)
        case .present: presentTracks(isForced: true)
        case .send(let request, let id, let round):
            guard let member = member(id), let session = member.session else { return }
            let (sampleRate, delay) = (sampleRate, member.delay)
            Task {
                let answer = await session.answer(to: request, sampleRate: sampleRate, delay: delay)
                receive(.answered(id, round: round, answer, slowest: await session.answerTime))
            }
        case .state(let id, let state): set(state, of: id)
        case .warn(let id, let failure): if let member = member(id) { warn(member, failure) }
        case .fail(let id, let failure): member(id)?.fail(failure, at: machine.now)
        }
    }

    // MARK: Commands

    private func perform(_ command: GroupCommand, _ number: Int) async {
        if command.changesWhatIsHeard { for member in members { member.endInterrupted() } }
        switch command {
        case .start(let frame, let host, let started):
            // The group's first start is carried out: the stop behind it is then a pause, for which speakers are filled.
            if !plan.isIdle, posted.withLock({ $0.supersedesStart(number) }) { return }
            (onStarted, startNumber) = (started, number)
            for member in members { member.recall() }
            receive(.start(frame: frame, wanted: host))
            supersedeStart()
            await waitUntilNotBusy()
        case .stop(let frame):
            let dropped = dropAnnouncements()
            await carryOut(.stop(frame: frame))
            // A stopped speaker may keep what it holds.
            await dropped.sendAgain(from: frame, in: self)
        case .clear:
            if posted.withLock({ $0.supersedesClear(number) }) { return }
            cutFrame = nil
            for member in members { member.withdrawnFrom = nil }
            _ = dropAnnouncements()
            await carryOut(.clear)
        case .anchorAgain: await carryOut(.anchorAgain)
        case .cut(let frame, let answer): answer(await takeBack(from: frame))
        case .resume(let frame):
            cutFrame = nil
            for member in members { member.resume(from: frame) }
            await carryOut(.resume)
        case .volume(let volume, let key):
            if key == nil { self.volume = volume }
            for member in members { member.setVolume(volume, ofOne: key, in: self) }
        case .delay(let delay, let key):
            for member in members { member.setDelay(delay, ofOne: key, in: self) }
        case .tracks(let tracks):
            displays.replace(tracks)
            presentTracks(isForced: false)
        case .treatment(let treatment, let key): await setTreatment(treatment, ofOne: key)
        case .announce(let announcement, let answer): answer(await begin(announcement))
        case .endAnnouncement(let id): await endAnnouncement(id)
        case .format(let format): decide(format)
        case .members(let targets, let closed): keepOnly(targets, closed: closed)
        }
    }

    /// Gives a command to the plan, and waits until the next one may follow.
    func carryOut(_ command: GroupInput) async {
        receive(command)
        await waitUntilNotBusy()
    }

    private func waitUntilNotBusy() async {
        while plan.isBusy { await withCheckedContinuation { commandWaiters.add($0) } }
    }

    /// Shows the current track on every speaker, and schedules the same for the next track. While paused,
    /// shows the track at which a resume begins.
    private func presentTracks(isForced: Bool) {
        nextTrack.cancel()
        let now = machine.now
        guard let frame = plan.shownFrame(at: now) else { return }
        if let track = displays.take(at: frame, isForced: isForced) {
            for member in members { member.present(track, in: self) }
        }
        guard let line = plan.line, let next = displays.next(after: frame) else { return }
        nextTrack.set(at: line.host(of: next)) { [weak self] in await self?.presentTracks(isForced: false) }
    }

    // MARK: Lookups and events

    /// The current frame, or the frame at which a start will begin.
    var playhead: Int64 { plan.playhead(at: machine.now) ?? store.startFrame ?? 0 }

    func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func member(_ id: SessionID) -> GroupMember? { members.first { $0.sessionID == id } }
    func session(_ id: SessionID) -> (any SpeakerSession)? { member(id)?.session }

    func set(_ state: SpeakerState, of member: GroupMember) {
        guard member.state != state, member.attempts.tells(state, after: member.state) else { return }
        member.state = state
        if state == .ready || state == .playing { member.tellKeptBack(in: self) }
        tell(.state(speaker: member.target.named, state))
    }

    func warn(_ member: GroupMember, _ failure: SpeakerFailure) {
        if failure.code == .clock, member.attempts.isQuiet { return }
        reports.warn(of: failure, speaker: member.target.named)
    }

    nonisolated func tell(_ event: SpeakerGroupEvent) { reports.post(event) }
}
