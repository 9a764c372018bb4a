import AirPlayMessages
import AirPlaySender
import Foundation
import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// The outputs of this program: the choice of output, and each speaker's volume. Apple's platforms leave this
/// to the system.
///
/// Sound goes to this machine's device until another output is chosen. Playing sound continues at the new
/// output. A catalogue is one zone; ``makeSelection()`` makes further ones, where other things play. Any thread.
public final class RouteCatalogue: RouteChoosing {
    /// The catalogue of this process: the zone of all players that are made for no other.
    public static let shared = RouteCatalogue()

    /// Settings for playback to speakers.
    public struct Options: Sendable {
        /// The preferred wire format.
        public var preference = WirePreference.lossless
        /// Identity of our clock; `nil` for the host's identity.
        public var clockIdentity: ClockIdentity?
        /// Address of the interface to use; `nil` for the system's choice.
        public var localAddress: IPAddress?
        /// UDP event and general port of the clock, here and at the speakers; `nil` for 319 and 320, which
        /// all speakers but our own require.
        public var clockPorts: (event: UInt16, general: UInt16)?
        /// The sender name that some speakers show.
        public var senderName = ProcessInfo.processInfo.hostName
        /// Initial volume, 0 ... 100; `nil` keeps each speaker's volume.
        public var volume: Double?
        /// Whether lossless sound is compressed on its way. Compression saves about a third of the bytes, and is most of the work
        /// of making packets.
        package var isCompressed = true

        /// Makes the default options.
        public init() {}
    }

    /// An event of the selected route.
    public enum Event: Sendable {
        /// An event of the speaker group.
        case speaker(SpeakerGroupEvent)
        /// The wire format chosen for a source that begins to play.
        case format(WireChoice)
        /// Sound waits because this machine has no output. The error says why.
        case outputMissing(RouteError)
        /// An output appeared after ``outputMissing(_:)``.
        case outputFound
        /// A speaker's volume was changed, by the program or by a button of the speaker; in percent of its maximum.
        case volume(speaker: NamedSpeaker, percent: Double)
        /// Something in the user's settings file of the speakers was ignored.
        case settingsWarning(String)
    }

    let devices: LocalDevices
    private let missingOutput: MissingOutput
    let services: RouteServices
    /// The machine of all that plays here.
    package var machine: any Machine { services.machine }
    let chooser: SpeakerChooser
    let choices = RouteSelectionQueue()
    let notifier: RouteNotifier
    let members: SpeakerMembers
    let routing: QueueRouting
    /// The hub for the displays and the buttons of this selection's speakers.
    public let nowPlaying: NowPlayingHub
    /// Changes of what the services find.
    private let serviceObservations: [RouteObservation]

    /// Makes a catalogue that stores long-form choices in the user's state directory.
    public convenience init() {
        let machine = SystemMachine()
        self.init(memory: RouteMemory(machine: machine), machine: machine)
    }

    /// Makes a catalogue with its own services.
    ///
    /// - Parameters:
    ///   - memory: `nil` stores no choices.
    ///   - devices: The devices of this machine; by default, those of its sound system.
    ///   - speakers: The displays and buttons of the speakers; by default, those of `nowPlaying`.
    ///   - missingOutput: Retries while this machine has no output.
    ///   - settingsPath: The user's settings of the speakers; `nil` for none.
    ///   - machine: Time, queues and sockets; `nowPlaying` has its own.
    convenience init(
        memory: RouteMemory?, devices: LocalDevices? = nil, nowPlaying: NowPlayingHub = .shared,
        speakers: SpeakerSurface? = nil, missingOutput: MissingOutput? = nil,
        settingsPath: String? = SpeakerSettingsStore.usualPath(), pairings: SpeakerPairings = .shared,
        machine: any Machine
    ) {
        let devices = devices ?? LocalDevices(shared: MachineDevices(machine: machine))
        let missingOutput = missingOutput ?? MissingOutput(machine: machine)
        let notifier = RouteNotifier(machine: machine)
        let settings = SpeakerSettingsStore(path: settingsPath) { warning in
            missingOutput.warn(warning)
            notifier.emit(.settingsWarning(warning))
        }
        self.init(
            services: RouteServices(
                settings: settings, pairings: pairings, devices: devices.shared, machine: machine),
            devices: devices, memory: memory, nowPlaying: nowPlaying,
            speakers: speakers
                ?? SpeakerSurface(hub: nowPlaying, machine: machine, routes: { CurrentRoutes.shared }),
            missingOutput: missingOutput, notifier: notifier)
    }

    /// Makes a zone.
    ///
    /// - Parameter services: Shared with the other zones of the process.
    init(
        services: RouteServices, devices: LocalDevices, memory: RouteMemory?, nowPlaying: NowPlayingHub,
        speakers surface: SpeakerSurface, missingOutput: MissingOutput, notifier: RouteNotifier
    ) {
        (self.services, self.devices, self.nowPlaying) = (services, devices, nowPlaying)
        (self.missingOutput, self.notifier) = (missingOutput, notifier)
        serviceObservations = [services.finder.changes, services.devices.changes].map { changes in
            changes.add { notifier.optionsDidChange() }
        }
        routing = QueueRouting(
            local: LocalRoutes(
                devices: devices, missing: missingOutput, notifier: notifier, machine: services.machine),
            notifier: notifier, surface: surface, machine: services.machine)
        members = SpeakerMembers(routing: routing, surface: surface, notifier: notifier)
        chooser = SpeakerChooser(
            services: services, memory: memory, surface: surface, routing: routing, notifier: notifier,
            members: members)
        notifier.setSource { [weak self] in self?.options ?? [] }
    }

    // MARK: Queues

    /// Makes a queue whose sound follows the chosen output.
    package func makeQueue() -> RenderQueue { routing.makeQueue() }

    /// Makes a queue for sound that comes in real time.
    func makeLiveQueue() -> RenderQueue { routing.makeQueue(isLive: true) }

    /// Pins a queue to one device of this machine, whatever output is chosen. Playing sound continues there.
    ///
    /// The device is opened in the background. If the device does not exist, cannot be opened or is lost, the
    /// queue fails with an error that names the device. After a flush the queue plays again if its device, or
    /// another one, is available.
    ///
    /// - Parameter id: A local output in ``options``, or a sink of the sound server that no search has listed
    ///   yet. `nil` returns the queue to the common route.
    package func pin(_ queue: RenderQueue, to id: RouteOption.ID?) { routing.pin(queue, to: id) }

    /// Returns the device that a queue is pinned to; `nil` if the queue follows the common route.
    package func device(of queue: RenderQueue) -> RouteOption.ID? { routing.device(of: queue) }

    /// Pauses all playing queues.
    ///
    /// - Returns: Whether any queue was playing.
    @discardableResult
    public func pauseAll() -> Bool { routing.pauseAll() }

    /// Sets whether playback is long-form. Long-form playback fills speakers minutes ahead and shares the
    /// route with the user's other long-form programs. Other playback keeps as little ahead as a local
    /// device.
    ///
    /// The first time, and unless an output was chosen before, long-form playback resumes the route last used
    /// by such programs.
    public func setLongForm(_ isLongForm: Bool) {
        let isChange = routing.setDeep(isLongForm)
        if isLongForm, !routing.hasChosen { chooser.recall() }
        guard isChange, routing.speakers != nil else { return }
        notifier.changeRoute(.policy) { routing.moveQueues() }
    }

    // MARK: This machine's output

    /// Sets the local device, instead of the default of the sound server or ALSA, or of the device named in
    /// the environment's `TUTTI_OUTPUT`. Playing local sound continues at the new device.
    public func setLocalOutput(_ output: OutputSpecification) {
        guard routing.speakers == nil else { return devices.setSpecification(output) }
        notifier.changeRoute(.chosen) {
            devices.setSpecification(output)
            routing.choose(.device)
        }
    }

    /// Selects this machine's device: the configured device, or the system's default.
    public func selectLocalOutput() { routing.useLocal(Self.localID, because: .chosen) }

    /// Selects no output until another output is chosen: time runs, nothing is heard, and no device is
    /// opened.
    public func selectNothing() {
        notifier.changeRoute(.chosen) {
            if let group = routing.choose(.nothing) { Task { await group.close() } }
        }
    }

    /// The reason why sound cannot go to this machine's output: sound waits for an output to appear, or the
    /// environment's `TUTTI_OUTPUT` names none; `nil` otherwise.
    ///
    /// ``Event/outputMissing(_:)`` and ``observeRoute(_:)`` report changes.
    public var outputError: RouteError? { missingOutput.reason ?? devices.invalidVariable }

    /// Sets the handler of warnings that no other API reports; `nil` drops the warnings. Standard error by
    /// default.
    public func setWarningHandler(_ warn: (@Sendable (String) -> Void)?) { missingOutput.setWarning(warn) }

    // MARK: Speakers

    /// Sets the options for speakers that are chosen from now on.
    public func setOptions(_ options: Options) { chooser.setOptions(options) }

    /// Starts our clock, which speakers follow. Idempotent.
    ///
    /// - Throws: If UDP 319 and 320 are not available; the error says who holds the ports, or how to allow
    ///   their use.
    public func startClock(_ options: Options) throws(ClockServiceError) {
        try chooser.clock(options).start()
    }

    /// Returns our clock, which may not have started.
    func clock(_ options: Options) -> MachineClock { chooser.clock(options) }

    /// Makes a group of speakers the output and begins to connect.
    ///
    /// The speakers stay the output even if they are lost: ``events`` reports their state. A user's choice
    /// (``choose(_:)``) that is permanently lost is replaced by this machine's device, and playback is paused.
    ///
    /// If our clock cannot be started, see ``startClock(_:)``, speakers that take another play nevertheless; of the
    /// others, ``events`` reports why they do not.
    public func select(_ targets: [SpeakerTarget], options: Options = Options()) {
        chooser.select(targets.map { ChosenSpeaker($0) }, options: options, fallsBack: false)
    }

    /// Lets speakers join the group that plays: each begins on the running line as soon as its clock is ready.
    /// The others play on untouched.
    ///
    /// - Parameter targets: From ``targets(for:password:localAddress:)``, for a name or an address.
    /// - Throws: If no speakers are chosen, or all of `targets` play already.
    public func join(_ targets: [SpeakerTarget]) async throws(RouteError) {
        try await choices.inTurn { [members] () throws(RouteError) in try members.join(targets) }
    }

    /// Lets a speaker leave the group; the others play on untouched.
    ///
    /// - Parameter speaker: Its name or the unambiguous beginning of it, its id or its address; the name of a
    ///   stereo pair for both halves.
    /// - Throws: If no such speaker is in the group, or if no other one would be left to play.
    public func leave(_ speaker: String) async throws(RouteError) {
        try await choices.inTurn { [members] () throws(RouteError) in try members.leave(speaker) }
    }

    /// Sets the volume of all speakers. The loudest one gets this volume, and the others keep their proportion to
    /// it: with one speaker at 80 and one at 40, 40 for all means 40 and 20.
    ///
    /// - Parameter percent: 0 ... 100, of each speaker's `SpeakerTarget.maximumVolume`; 0 is silence.
    public func setVolume(_ percent: Double) {
        if percent.isFinite { members.setVolume(percent) }
    }

    /// Sets the volume of one speaker, and of nothing else.
    ///
    /// - Parameters:
    ///   - percent: 0 ... 100, of the speaker's `SpeakerTarget.maximumVolume`; 0 is silence.
    ///   - speaker: The same as for ``leave(_:)``.
    /// - Throws: If no such speaker is in the group.
    public func setVolume(_ percent: Double, speaker: String) throws(RouteError) {
        if percent.isFinite { try members.setVolume(percent, called: speaker) }
    }

    /// The volume of the loudest speaker; `nil` if no volume was set.
    public var volume: Double? { members.volume }

    /// Sets how much later than the others a speaker plays. It falls silent for a moment and rejoins; the others play
    /// on untouched.
    ///
    /// - Parameter speaker: The same as for ``leave(_:)``.
    /// - Throws: If no such speaker is in the group.
    public func setDelay(_ delay: SpeakerDelay, speaker: String) throws(RouteError) {
        try members.setDelay(delay, called: speaker)
    }

    /// Sets how much later than the others an output's speakers play, as ``setDelay(_:speaker:)`` does; nothing unless it is selected.
    public func setDelay(_ delay: SpeakerDelay, of id: RouteOption.ID) { members.setDelay(delay, of: id) }

    /// Returns how far ahead each speaker is filled, and its volume.
    public func depths() async -> [SpeakerDepth] {
        guard let speakers = routing.speakers else { return [] }
        return await speakers.group.depths().map { depth in
            var depth = depth
            depth.volume = speakers.volumes.volume(of: depth.speaker.id)
            return depth
        }
    }

    /// Ends every session in order, serves the clock until the speakers have disconnected, and closes this
    /// machine's device unless another selection has it open. Playing sound of this selection falls silent.
    public func deselect() async {
        await choices.inTurn { [chooser, routing] in
            await chooser.close(with: routing.leaveSpeakers())
        }
        devices.close()
        notifier.optionsDidChange()
    }

    /// Sets the tracks that displays show, each from its presentation time on. Replaces earlier tracks.
    ///
    /// A publication through ``NowPlayingHub`` takes precedence until the program clears the publication.
    package func show(_ tracks: [PresentedTrack]) { routing.changeTracks { $0.listed = tracks } }

    // MARK: Observing

    /// Events of the current selection, in order. The stream keeps the newest 4096.
    public var events: AsyncStream<Event> { notifier.events }

    /// Calls `body` after each route change has taken effect, with the options from before the change.
    public func observeRoute(
        _ body: @escaping @Sendable (RouteChange, _ before: [RouteOption]) -> Void
    ) -> RouteObservation {
        notifier.changes.add { body($0.change, $0.before) }
    }

    /// Calls `body` when a player loses the speakers to a newer one, and when the newer player stops.
    public func observeInterruptions(
        _ body: @escaping @Sendable (RouteInterruption) -> Void
    ) -> RouteObservation {
        notifier.interruptions.add(body)
    }

    public func observe(_ body: @escaping @Sendable ([RouteOption]) -> Void) -> RouteObservation {
        notifier.options.add(body)
    }

    // MARK: Choosing

    /// The id of this machine's default device among ``options``.
    public static let localID = "local"

    public var options: [RouteOption] {
        let output = routing.output
        let local = devices.options.map { option in
            var option = option
            option.isSelected = option.isSelected && output.isDevice
            return option
        }
        return local
            + RouteOption.speakers(
                services.finder.speakers, chosen: output.speakers, settings: services.settings.current,
                pairings: services.pairings)
    }

    public func search() -> RouteObservation {
        // The sound server may take up to two seconds to answer.
        services.machine.perform(qos: .utility) { [services] in services.devices.refresh() }
        return services.finder.search()
    }

    public func choose(_ ids: Set<RouteOption.ID>) async throws(RouteError) {
        try await choices.inTurn { [self] () async throws(RouteError) in try await apply(ids) }
    }

    /// Carries out ``choose(_:)``. One call at a time.
    private func apply(_ ids: Set<RouteOption.ID>) async throws(RouteError) {
        guard !ids.isEmpty else { throw RouteError("choose at least one output") }
        let local = devices.options.filter { ids.contains($0.id) }
        if local.isEmpty { return try await chooser.choose(ids) }
        guard ids.count == 1, let device = local.first else {
            throw RouteError(
                "a device of this machine cannot be combined with others: choose it, or one or more speakers on the network"
            )
        }
        routing.useLocal(device.id, because: .chosen)
        chooser.remember([])
    }

    public func setVolume(_ percent: Double, of id: RouteOption.ID) {
        guard percent.isFinite else { return }
        members.setVolume(percent, of: id)
    }

    /// Sets the loudest volume of speakers that play: the volume 100 of this program, heard at once.
    ///
    /// - Parameter percent: 1 ... 100, of the speaker's own scale.
    public func setMaximumVolume(_ percent: Double, of id: RouteOption.ID) {
        if percent.isFinite { members.setMaximumVolume(percent, of: id) }
    }

    public func setPasswordPrompt(_ prompt: (@Sendable (RouteOption) async -> String?)?) {
        chooser.setPasswordPrompt(prompt)
    }
}
