import AirPlayMessages
import AirPlaySender
import AudioOutput
import ClockService
import CoreMedia
import Discovery
import Foundation
import MediaTime
import Synchronization
import SystemIO

/// The outputs of this program: the choice of output, and each speaker's volume. Apple's platforms leave this
/// to the system.
///
/// Sound goes to this machine's device until another output is chosen. Playing sound continues at the new
/// output. Any thread.
public final class RouteCatalogue: RouteChoosing {
    /// The catalogue of this process.
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
    }

    /// The selected group of speakers.
    struct Selection: Sendable {
        let group: SpeakerGroup
        let options: Options
        var targets: [(id: RouteOption.ID, target: SpeakerTarget)]
        var volumes: [RouteOption.ID: Double] = [:]
    }

    struct State {
        var selection: Selection?
        var options = Options()
        var clock: ClockService?
        /// The route to the selected group.
        weak var route: PacketRoute?
        /// The queue that plays through ``route``, and so holds the speakers.
        weak var holder: RenderQueue?
        /// Queues that a newer queue stopped when it took the speakers; empty once the newer queue stops.
        var interrupted: [WeakReference<RenderQueue>] = []
        var remote: SpeakerRemoteControl?
        var queues: [PlacedQueue] = []
        /// Tracks that the program placed on the timeline, see ``RouteCatalogue/show(_:)``.
        var listedTracks: [PresentedTrack] = []
        /// Tracks made from the program's publications; empty until the first publication.
        var publishedTracks: [PresentedTrack] = []
        /// Long-form playback: speakers are filled minutes ahead.
        var isDeep = false
        /// The program or the user chose an output, so the stored route no longer applies.
        var hasChosen = false
        /// No output is selected, not even the local device.
        var isSilent = false
        var passwordPrompt: (@Sendable (RouteOption) async -> String?)?
    }

    /// A queue of the program, held weakly.
    struct PlacedQueue {
        weak var value: RenderQueue?
        /// The device that the queue is pinned to; `nil` if the queue follows the common route.
        var device: RouteOption.ID?
    }

    let state = Mutex(State())
    let devices: LocalDevices
    private let observers = Watchers<[RouteOption]>()
    private let telling = DispatchQueue(label: "tutti.routes")
    let watchers = Watchers<(change: RouteChange, before: [RouteOption])>()
    let interruptions = Watchers<RouteInterruption>()
    let memory: RouteMemory
    let finder: SpeakerFinder
    private let choices = RouteSelectionQueue()
    /// Events of the current selection, in order. The stream keeps the newest 4096.
    public let events: AsyncStream<Event>
    let emit: AsyncStream<Event>.Continuation
    /// Shows publications on the speakers' displays, and receives commands from their buttons.
    let speakers: SpeakerSurface
    let missingOutput: MissingOutput
    let displayOrder = NotificationSerializer()
    let holderOrder = NotificationSerializer()

    /// Makes a catalogue that stores long-form choices in the user's state directory.
    public convenience init() { self.init(memory: RouteMemory()) }

    /// - Parameters:
    ///   - speakers: the displays and buttons of the speakers.
    ///   - missingOutput: retries while this machine has no output.
    init(
        memory: RouteMemory, devices: LocalDevices = LocalDevices(),
        speakers: SpeakerSurface = SpeakerSurface(), missingOutput: MissingOutput = MissingOutput()
    ) {
        (self.memory, self.devices, self.speakers) = (memory, devices, speakers)
        self.missingOutput = missingOutput
        (events, emit) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4096))
        let changed = Mutex<@Sendable () -> Void>({})
        finder = SpeakerFinder { changed.withLock { $0 }() }
        changed.withLock { $0 = { [weak self] in self?.optionsDidChange() } }
        speakers.start { [weak self] tracks in self?.showPublished(tracks) }
        watchDevices()
    }

    /// Sets the options for speakers that are chosen from now on.
    public func setOptions(_ options: Options) { state.withLock { $0.options = options } }

    /// Sets the local device, in place of the default of the sound server or ALSA, or of the device named in
    /// the environment's `TUTTI_OUTPUT`. Playing local sound continues at the new device.
    public func setLocalOutput(_ output: OutputSpecification) {
        guard state.withLock({ $0.selection == nil }) else { return devices.setSpecification(output) }
        changeRoute(.chosen) {
            devices.setSpecification(output)
            state.withLock { ($0.isSilent, $0.hasChosen) = (false, true) }
            moveQueues()
        }
    }

    /// Selects this machine's device: the configured device, or the system's default.
    public func selectLocalOutput() { useLocal(Self.localID, because: .chosen) }

    /// Selects no output until another output is chosen: time runs, nothing is heard, and no device is
    /// opened.
    public func selectNothing() {
        changeRoute(.chosen) {
            state.withLock { ($0.isSilent, $0.selection, $0.hasChosen) = (true, nil, true) }
            moveQueues()
        }
    }

    /// Starts our clock, which speakers follow. Idempotent.
    ///
    /// - Throws: if UDP 319 and 320 are not available; the error says who holds the ports, or how to allow
    ///   their use.
    public func startClock(_ options: Options) throws(ClockServiceError) {
        guard state.withLock({ $0.clock == nil }) else { return }
        var configuration = ClockService.Configuration()
        if let identity = options.clockIdentity { configuration.identity = identity }
        if let ports = options.clockPorts {
            (configuration.eventPort, configuration.generalPort) = ports
        }
        // Binds only this loopback address, so that other programs can have clocks at other loopback
        // addresses.
        if let address = options.localAddress, address.isLoopback { configuration.exactAddresses = [address] }
        let clock = try ClockService(configuration: configuration)
        state.withLock { $0.clock = clock }
    }

    /// Makes a group of speakers the output and begins to connect.
    ///
    /// The speakers stay the output even if they are lost: ``events`` reports their state. A user's choice
    /// (``choose(_:)``) that is lost for good is replaced by this machine's device, and playback is paused.
    ///
    /// - Throws: if the clock cannot be started, see ``startClock(_:)``.
    public func select(_ targets: [SpeakerTarget], options: Options = Options()) throws(ClockServiceError) {
        try select(targets.map { ($0.name, $0) }, options: options, fallsBack: false)
    }

    func select(
        _ targets: [(id: RouteOption.ID, target: SpeakerTarget)], options: Options, fallsBack: Bool
    ) throws(ClockServiceError) {
        try startClock(options)
        guard let clock = state.withLock({ $0.clock }) else { return }
        var identity = SenderIdentity(name: options.senderName, clock: clock.identity)
        // Another program of this machine serves the clock under the same identity; the speakers' buttons
        // must find this program.
        if !clock.isServing { identity.useOwnRemoteID() }
        let group = SpeakerGroup(
            targets: targets.map(\.target), store: PacketStore(), identity: identity, clock: clock)
        if let volume = options.volume { group.setVolume(Volume(percent: volume)) }
        let before = self.options
        let old = state.withLock { state in
            defer {
                state.selection = Selection(group: group, options: options, targets: targets)
                (state.isSilent, state.hasChosen) = (false, true)
            }
            return state.selection
        }
        // Without a port for DACP, the speakers still have their event channels.
        let remote = try? SpeakerRemoteControl(
            identity: identity, at: options.localAddress,
            speakers: Set(targets.flatMap { $0.target.addresses.map(\.address) }), for: speakers)
        state.withLock { state in
            defer { state.remote = remote }
            return state.remote
        }?.close()
        let (emit, speakers) = (emit, speakers)
        Task { [weak self] in
            var watch = SpeakerWatch(names: targets.map(\.target.name))
            for await event in group.events {
                emit.yield(.speaker(event))
                speakers.take(event)
                if fallsBack, watch.isHopeless(after: event) { self?.fallBack(from: group) }
            }
        }
        moveQueues()
        if let old { Task { await old.group.close() } }
        routeDidChange(.chosen, before: before)
    }

    // MARK: Queues

    /// Makes a queue whose sound follows the chosen output.
    public func makeQueue() -> RenderQueue {
        let route = makeRoute()
        let queue = RenderQueue(route: route)
        state.withLock { state in
            state.queues.removeAll { $0.value == nil }
            state.queues.append(PlacedQueue(value: queue))
            if state.route === route { state.holder = queue }
        }
        watch(queue)
        holderDidChange()
        return queue
    }

    /// Makes the route for a queue: the speakers if no queue holds them. Else this machine's device, or
    /// silence for long-form sound until the queue takes the speakers.
    func makeRoute() -> any OutputRoute {
        let emit = emit
        let onChoice: @Sendable (WireChoice) -> Void = { [weak self] choice in
            emit.yield(.format(choice))
            // The new format's sample rate changes the frame counts of the displayed tracks.
            self?.updateDisplays()
        }
        let (free, isDeep, isSilent, hasSpeakers) = state.withLock {
            ($0.route == nil ? $0.selection : nil, $0.isDeep, $0.isSilent, $0.selection != nil)
        }
        if isSilent || (free == nil && isDeep && hasSpeakers) { return SilentRoute() }
        guard let free else {
            let player = LocalPlayer(
                open: { [devices, weak self] in
                    let device = try devices.device()
                    self?.outputWasFound()
                    return device
                }, retry: { [weak self] error, attempt in self?.awaitOutput(error, attempt) ?? false })
            return PacketRoute(output: player, policy: WireFormatPolicy(), depth: .local)
        }
        let route = PacketRoute(
            output: free.group, policy: WireFormatPolicy(preference: free.options.preference),
            depth: isDeep ? .buffered : .shallow, onChoice: onChoice)
        state.withLock { $0.route = route }
        updateDisplays()
        return route
    }

    /// Moves every queue to the chosen output, except pinned queues.
    func moveQueues() {
        let queues = state.withLock { state in
            let queues = state.queues.filter { $0.device == nil }.compactMap(\.value)
            // The queue that holds the speakers, or plays, moves first.
            let first = queues.first { $0 === state.holder } ?? queues.first { $0.isPlaying }
            (state.route, state.holder) = (nil, nil)
            return (first.map { [$0] } ?? []) + queues.filter { $0 !== first }
        }
        for queue in queues { place(queue) }
        holderDidChange()
    }

    // MARK: Speakers

    /// Sets the volume of one speaker of the group, or of all.
    ///
    /// - Parameters:
    ///   - percent: 0 ... 100; 0 is silence.
    ///   - speaker: the name of a speaker; `nil` for all.
    public func setVolume(_ percent: Double, speaker: String? = nil) {
        state.withLock { $0.selection }?.group.setVolume(Volume(percent: percent), speaker: speaker)
    }

    /// Returns how far ahead each speaker is filled.
    public func depths() async -> [SpeakerDepth] {
        await state.withLock { $0.selection }?.group.depths() ?? []
    }

    /// Ends every session in order, serves the clock until the speakers have disconnected, and closes this
    /// machine's device. Playing sound falls silent.
    public func deselect() async {
        let (selection, clock, remote) = state.withLock { state in
            defer { (state.selection, state.clock, state.remote) = (nil, nil, nil) }
            return (state.selection, state.clock, state.remote)
        }
        remote?.close()
        await selection?.group.close()
        await clock?.close()
        devices.close()
        optionsDidChange()
    }

    // MARK: RouteChoosing

    public func search() -> RouteObservation {
        // The sound server may take up to two seconds to answer.
        DispatchQueue.global(qos: .utility).async { [weak self] in
            if self?.devices.refresh() == true { self?.optionsDidChange() }
        }
        return finder.search()
    }

    public func observe(_ body: @escaping @Sendable ([RouteOption]) -> Void) -> RouteObservation {
        observers.add(body)
    }

    /// Notifies those who watch the options, on one queue: the last call has the latest options.
    func optionsDidChange() {
        telling.async { [weak self] in
            guard let self, !observers.isEmpty else { return }
            observers.tell(options)
        }
    }

    public func choose(_ ids: Set<RouteOption.ID>) async throws(RouteError) {
        let failure = await choices.inTurn { [self] in
            do throws(RouteError) {
                try await apply(ids)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    public func setPasswordPrompt(_ prompt: (@Sendable (RouteOption) async -> String?)?) {
        state.withLock { $0.passwordPrompt = prompt }
    }
}
