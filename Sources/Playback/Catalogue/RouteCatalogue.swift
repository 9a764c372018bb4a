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

/// What Apple's platforms leave to the system: which output a program's sound goes to, and how loud each
/// speaker is.
///
/// Sound goes to this machine's device until something else is chosen; what plays goes on at the new output. Any
/// thread.
public final class RouteCatalogue: RouteChoosing {
    public static let shared = RouteCatalogue()

    /// How to play to speakers.
    public struct Options: Sendable {
        public var preference = WirePreference.lossless
        /// Identity of our clock; `nil` for the host's own.
        public var clockIdentity: ClockIdentity?
        /// Address of the interface to use; `nil` for the system's choice.
        public var localAddress: IPAddress?
        /// Event and general port of the clock, here and at the speakers; `nil` for 319 and 320, which
        /// all speakers but our own insist on.
        public var clockPorts: (event: UInt16, general: UInt16)?
        /// Shown by speakers that show their sender.
        public var senderName = ProcessInfo.processInfo.hostName
        /// Volume to begin with, 0 ... 100; `nil` leaves the speakers' own.
        public var volume: Double?

        public init() {}
    }

    /// What a route tells.
    public enum Event: Sendable {
        case speaker(SpeakerGroupEvent)
        /// The wire format of a source that begins.
        case format(WireChoice)
        /// This machine has no output, and something is to be heard there: it waits for one. The error says why.
        case outputMissing(RouteError)
        /// An output appeared after ``outputMissing(_:)``.
        case outputFound
    }

    /// The speakers that are played to.
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
        /// What plays to the group of the selection.
        weak var route: PacketRoute?
        /// Whose route that is.
        weak var holder: RenderQueue?
        /// Whose sound was stopped because a newer one took the speakers, while the newer one plays.
        var interrupted: [WeakQueue] = []
        var remote: SpeakerRemoteControl?
        var queues: [WeakQueue] = []
        /// Tracks that the program placed on the timeline itself, see ``RouteCatalogue/show(_:)``.
        var listedTracks: [PresentedTrack] = []
        /// Tracks made of what the program published; empty until it published something.
        var publishedTracks: [PresentedTrack] = []
        /// Speakers are filled with minutes.
        var isDeep = false
        /// Somebody chose an output, in code or by hand: what was remembered does not count any more.
        var hasChosen = false
        /// Nothing is played to.
        var isSilent = false
        var passwordPrompt: (@Sendable (RouteOption) async -> String?)?
    }

    struct WeakQueue {
        weak var value: RenderQueue?
        /// The one device it plays on, whatever is chosen.
        var device: RouteOption.ID?
    }

    let state = Mutex(State())
    let devices: LocalDevices
    let observers = RouteObservers()
    let watchers = Watchers<(change: RouteChange, before: [RouteOption])>()
    let interruptions = Watchers<RouteInterruption>()
    let memory: RouteMemory
    let finder: SpeakerFinder
    private let choices = RouteChoices()
    /// Events of whatever is selected, in order.
    public let events: AsyncStream<Event>
    let emit: AsyncStream<Event>.Continuation
    /// Shows what programs publish on the speakers, and takes their buttons.
    let speakers: SpeakerSurface
    let missingOutput: MissingOutput
    let displayOrder = TellingOrder()
    let holderOrder = TellingOrder()

    public convenience init() { self.init(memory: RouteMemory()) }

    /// - Parameters:
    ///   - speakers: the displays and buttons of the speakers.
    ///   - missingOutput: looks for an output while this machine has none.
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

    /// How speakers that are chosen from now on are played to.
    public func setOptions(_ options: Options) { state.withLock { $0.options = options } }

    /// Which device of this machine is played to, instead of the sound server's or ALSA's default, or of what the
    /// environment's `TUTTI_OUTPUT` names. What plays there goes on at the new device.
    public func setLocalOutput(_ output: OutputSpecification) {
        guard state.withLock({ $0.selection == nil }) else { return devices.setSpecification(output) }
        changeRoute(.chosen) {
            devices.setSpecification(output)
            state.withLock { ($0.isSilent, $0.hasChosen) = (false, true) }
            moveQueues()
        }
    }

    /// This machine's device: the one that was set, or the system's default.
    public func selectLocalOutput() { useLocal(Self.localID, because: .chosen) }

    /// No output: time goes by, nothing is heard, and no device is opened. Until another output is chosen.
    public func selectNothing() {
        changeRoute(.chosen) {
            state.withLock { ($0.isSilent, $0.selection, $0.hasChosen) = (true, nil, true) }
            moveQueues()
        }
    }

    /// Starts our clock, which speakers will follow. Does nothing when it runs.
    ///
    /// - Throws: when UDP 319 and 320 cannot be had; the error says who has them, or how to allow it.
    public func startClock(_ options: Options) throws(ClockServiceError) {
        guard state.withLock({ $0.clock == nil }) else { return }
        var configuration = ClockService.Configuration()
        if let identity = options.clockIdentity { configuration.identity = identity }
        if let ports = options.clockPorts {
            (configuration.eventPort, configuration.generalPort) = ports
        }
        // Where other programs have the ports at other addresses, the loopback network has enough for a clock each.
        if let address = options.localAddress, address.isLoopback { configuration.exactAddresses = [address] }
        let clock = try ClockService(configuration: configuration)
        state.withLock { $0.clock = clock }
    }

    /// Makes a group of speakers the output, and begins to connect.
    ///
    /// They stay the output whatever becomes of them: ``events`` tells. What a user chose (``choose(_:)``) and is gone for
    /// good is replaced by this machine's device, with what played paused.
    public func select(_ targets: [SpeakerTarget], options: Options = Options()) throws(ClockServiceError) {
        try select(targets.map { ($0.name, $0) }, options: options, fallsBack: false)
    }

    func select(
        _ targets: [(id: RouteOption.ID, target: SpeakerTarget)], options: Options, fallsBack: Bool
    ) throws(ClockServiceError) {
        try startClock(options)
        guard let clock = state.withLock({ $0.clock }) else { return }
        var identity = SenderIdentity(name: options.senderName, clock: clock.identity)
        // Another program of this machine has the id of the clock; a speaker's buttons must find this one.
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
        // Without a port for it the speakers still have their event channels.
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

    /// A queue whose sound goes to the output that is chosen, now and later.
    public func makeQueue() -> RenderQueue {
        let route = makeRoute()
        let queue = RenderQueue(route: route)
        state.withLock { state in
            state.queues.removeAll { $0.value == nil }
            state.queues.append(WeakQueue(value: queue))
            if state.route === route { state.holder = queue }
        }
        watch(queue)
        holderDidChange()
        return queue
    }

    /// The output for a queue: the speakers if nobody plays to them yet; else this machine's device, or for long sounds
    /// none until it is the queue's turn.
    func makeRoute() -> any OutputRoute {
        let emit = emit
        let onChoice: @Sendable (WireChoice) -> Void = { [weak self] choice in
            emit.yield(.format(choice))
            // Frames of the displayed tracks are counted at the rate of the new format.
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

    /// Everything that plays goes on at the output that is chosen now, but what is bound to one device.
    func moveQueues() {
        let queues = state.withLock { state in
            let queues = state.queues.filter { $0.device == nil }.compactMap(\.value)
            // Who has the speakers, or plays, comes first.
            let first = queues.first { $0 === state.holder } ?? queues.first { $0.isPlaying }
            (state.route, state.holder) = (nil, nil)
            return (first.map { [$0] } ?? []) + queues.filter { $0 !== first }
        }
        for queue in queues { place(queue) }
        holderDidChange()
    }

    // MARK: Speakers

    /// - Parameters:
    ///   - percent: 0 ... 100; 0 is silence.
    ///   - speaker: one speaker's name, or `nil` for all.
    public func setVolume(_ percent: Double, speaker: String? = nil) {
        state.withLock { $0.selection }?.group.setVolume(Volume(percent: percent), speaker: speaker)
    }

    /// How far ahead each speaker is filled.
    public func depths() async -> [SpeakerDepth] {
        await state.withLock { $0.selection }?.group.depths() ?? []
    }

    /// Ends every session in order, serves the clock until the speakers have let go of it, and closes this machine's
    /// device. What plays falls silent.
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

    public func search() -> RouteSearch {
        // The sound server may take its time to answer.
        DispatchQueue.global(qos: .utility).async { [weak self] in
            if self?.devices.refresh() == true { self?.optionsDidChange() }
        }
        return finder.search()
    }

    public func observe(_ body: @escaping @Sendable ([RouteOption]) -> Void) -> RouteObservation {
        observers.add(body)
    }

    func optionsDidChange() { observers.tell { [weak self] in self?.options ?? [] } }

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
