import AirPlayMessages
import AirPlaySender
import ClockService
import CoreMedia
import MediaTime
import Synchronization
import SystemIO

/// What Apple's platforms leave to the system: which output a program's sound goes to, and how loud each
/// speaker is.
///
/// A program selects speakers before it makes its renderers. Any thread.
public final class RouteCatalogue: Sendable {
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
        public var senderName = "Tutti"
        /// Volume to begin with, 0 ... 100; `nil` leaves the speakers' own.
        public var volume: Double?

        public init() {}
    }

    /// What a route tells.
    public enum Event: Sendable {
        case speaker(SpeakerGroupEvent)
        /// The wire format of a source that begins.
        case format(WireChoice)
    }

    private struct Selection: Sendable {
        let group: SpeakerGroup
        let options: Options
    }

    private struct State {
        var selection: Selection?
        var clock: ClockService?
        weak var route: AirPlayRoute?
        var remote: SpeakerRemoteControl?
    }

    private let state = Mutex(State())
    /// Events of whatever is selected, in order.
    public let events: AsyncStream<Event>
    private let emit: AsyncStream<Event>.Continuation
    /// Shows what programs publish on the speakers, and takes their buttons.
    let speakers = SpeakerSurface()

    init() {
        (events, emit) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4096))
        speakers.start { [weak self] tracks in self?.show(tracks) }
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
        // The loopback network has addresses enough for a clock each.
        if let address = options.localAddress, address.isLoopback { configuration.addresses = [address] }
        let clock = try ClockService(configuration: configuration)
        state.withLock { $0.clock = clock }
    }

    /// Makes a group of speakers the route of every renderer made from now on, and begins to connect.
    public func select(_ targets: [SpeakerTarget], options: Options = Options()) throws(ClockServiceError) {
        try startClock(options)
        guard let clock = state.withLock({ $0.clock }) else { return }
        let identity = SenderIdentity(name: options.senderName, clock: clock.identity)
        let group = SpeakerGroup(targets: targets, store: PacketStore(), identity: identity, clock: clock)
        if let volume = options.volume { group.setVolume(Volume(percent: volume)) }
        state.withLock { $0.selection = Selection(group: group, options: options) }
        // Without a port for it the speakers still have their event channels.
        let remote = try? SpeakerRemoteControl(identity: identity, at: options.localAddress, for: speakers)
        state.withLock { state in
            defer { state.remote = remote }
            return state.remote
        }?.close()
        let (emit, speakers) = (emit, speakers)
        Task {
            for await event in group.events {
                emit.yield(.speaker(event))
                speakers.take(event)
            }
        }
    }

    /// The output for a new render queue.
    public func makeRoute() -> any OutputRoute {
        guard let selection = state.withLock({ $0.selection }) else { return SilentRoute() }
        let (emit, speakers) = (emit, speakers)
        let route = AirPlayRoute(
            group: selection.group, policy: WireFormatPolicy(preference: selection.options.preference)
        ) { choice in
            emit.yield(.format(choice))
            speakers.routeDidChange()
        }
        state.withLock { $0.route = route }
        speakers.routeDidChange()
        return route
    }

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

    /// What displays show from which presentation time on; replaces what was said before.
    public func show(_ tracks: [PresentedTrack]) {
        state.withLock { $0.route }?.show(tracks)
    }

    /// Ends every session in order, and serves the clock until the speakers have let go of it.
    public func deselect() async {
        let (selection, clock, remote) = state.withLock { state in
            defer { (state.selection, state.clock, state.remote) = (nil, nil, nil) }
            return (state.selection, state.clock, state.remote)
        }
        remote?.close()
        await selection?.group.close()
        await clock?.close()
    }
}

/// A track on the timeline, for the speakers' displays.
public struct PresentedTrack: Sendable {
    public var start: CMTime
    /// Invalid when not known.
    public var duration: CMTime
    public var metadata: TrackMetadata

    public init(start: CMTime, duration: CMTime, metadata: TrackMetadata) {
        self.start = start
        self.duration = duration
        self.metadata = metadata
    }
}
