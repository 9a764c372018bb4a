import AirPlayMessages
import AirPlaySender
import ClockService
import Discovery
import Synchronization
import SystemIO

/// The choice among the speakers on the network, and the services that the chosen ones use: our clock, which they
/// follow, and the endpoint of their remote commands. Any thread.
final class SpeakerChooser: Sendable {
    private struct State {
        var options = RouteCatalogue.Options()
        var passwordPrompt: (@Sendable (RouteOption) async -> String?)?
        var clock: MachineClock?
        var remote: SpeakerRemoteControl?
    }

    private let state = Mutex(State())
    private let finder: SpeakerFinder
    private let memory: RouteMemory
    private let surface: SpeakerSurface
    private let routing: QueueRouting
    private let notifier: RouteNotifier
    private let members: SpeakerMembers
    private let settings: SpeakerSettingsStore

    init(
        finder: SpeakerFinder, memory: RouteMemory, surface: SpeakerSurface, routing: QueueRouting,
        notifier: RouteNotifier, members: SpeakerMembers, settings: SpeakerSettingsStore
    ) {
        (self.finder, self.memory, self.surface) = (finder, memory, surface)
        (self.routing, self.notifier, self.members, self.settings) = (routing, notifier, members, settings)
    }

    func setOptions(_ options: RouteCatalogue.Options) { state.withLock { $0.options = options } }

    func setPasswordPrompt(_ prompt: (@Sendable (RouteOption) async -> String?)?) {
        state.withLock { $0.passwordPrompt = prompt }
    }

    /// Makes these speakers the output: the members of the chosen group, or of a new one. One call at a time.
    func choose(_ ids: Set<RouteOption.ID>) async throws(RouteError) {
        let (chosen, options) = (routing.speakers, state.withLock { $0.options })
        var members: [ChosenSpeaker] = []
        for id in ids.sorted() {
            if let known = chosen?.members.filter({ $0.id == id }), !known.isEmpty {
                members += known
            } else if let speaker = await finder.completed(id) {
                for player in speaker.players {
                    members.append(
                        ChosenSpeaker(id: id, target: try await target(of: player, in: speaker, options)))
                }
            } else {
                throw RouteError("no output '\(id)' is there; search() finds speakers that are switched on")
            }
        }
        if chosen != nil {
            self.members.regroup(members)
        } else {
            select(members, options: options, fallsBack: true)
        }
        remember(members)
    }

    private func target(
        of speaker: DiscoveredSpeaker, in entry: DiscoveredSpeaker, _ options: RouteCatalogue.Options
    ) async throws(RouteError) -> SpeakerTarget {
        var target = SpeakerTarget(speaker, of: entry, localAddress: options.localAddress)
        settings.current.apply(to: &target)
        let prompt = state.withLock { $0.passwordPrompt }
        if SpeakerPairings.shared.isNeeded(by: speaker) {
            try await SpeakerPairings.shared.pair(
                with: target, option: RouteOption(speaker), senderName: options.senderName, prompt: prompt)
            return target
        }
        guard speaker.traits.needsPassword, target.password == nil else { return target }
        guard let password = await prompt?(RouteOption(speaker)) else {
            throw RouteError("\(speaker.name) wants a password")
        }
        target.password = password
        return target
    }

    /// Makes a group of speakers the output and begins to connect.
    ///
    /// - Parameter fallsBack: whether this machine's device replaces speakers that are lost for good.
    func select(_ members: [ChosenSpeaker], options: RouteCatalogue.Options, fallsBack: Bool) {
        let clock = clock(options)
        // The speakers that need a clock that cannot start say why.
        try? clock.start()
        var volumes = SpeakerVolumes(common: options.volume)
        let targets = members.map { volumes.begin($0.target) }
        var identity = SenderIdentity(name: options.senderName, clock: clock.identity)
        identity.usePairings(.shared)
        // Another program of this machine serves the clock under the same identity; the speakers' buttons
        // must find this program.
        if !clock.isServing { identity.useOwnRemoteID() }
        let group = SpeakerGroup(targets: targets, store: PacketStore(), identity: identity, clock: clock)
        // Without a port for DACP, the speakers still have their event channels.
        let remote = try? SpeakerRemoteControl(
            identity: identity, at: options.localAddress,
            speakers: Set(targets.flatMap { $0.addresses.map(\.address) }), for: surface)
        state.withLock { state in
            defer { state.remote = remote }
            return state.remote
        }?.close()
        notifier.changeRoute(.chosen) {
            let speakers = ChosenSpeakers(group: group, options: options, members: members, volumes: volumes)
            let old = routing.choose(.speakers(speakers))
            self.members.tellSurface()
            follow(group, of: targets.map(\.name), fallsBack: fallsBack)
            if let old { Task { await old.close() } }
        }
    }

    /// Passes the events of a group on, until the group is closed.
    private func follow(_ group: SpeakerGroup, of names: [String], fallsBack: Bool) {
        Task { [notifier, surface, weak routing] in
            var watch = SpeakerWatch(names: names)
            for await event in group.events {
                notifier.emit(.speaker(event))
                surface.take(event)
                if fallsBack, watch.isHopeless(after: event) { routing?.fallBack(from: group) }
            }
        }
    }

    // MARK: Services

    /// Returns our clock, which may not have started; one that has keeps the options with which it did.
    func clock(_ options: RouteCatalogue.Options) -> MachineClock {
        let configuration = Self.clockConfiguration(options)
        return state.withLock { state in
            if let clock = state.clock, clock.hasStarted || clock.configuration == configuration {
                return clock
            }
            let clock = MachineClock(configuration)
            state.clock = clock
            return clock
        }
    }

    private static func clockConfiguration(_ options: RouteCatalogue.Options) -> ClockService.Configuration {
        var configuration = ClockService.Configuration()
        if let identity = options.clockIdentity { configuration.identity = identity }
        if let ports = options.clockPorts {
            (configuration.eventPort, configuration.generalPort) = ports
        }
        // Binds only this loopback address, so that other programs can have clocks at other loopback
        // addresses.
        if let address = options.localAddress, address.isLoopback { configuration.exactAddresses = [address] }
        return configuration
    }

    /// Closes the endpoint, then `group`, and serves the clock until the group's speakers have disconnected.
    func close(with group: SpeakerGroup?) async {
        let (clock, remote) = state.withLock { state in
            defer { (state.clock, state.remote) = (nil, nil) }
            return (state.clock, state.remote)
        }
        remote?.close()
        await group?.close()
        await clock?.close()
    }

    // MARK: Memory

    /// Stores a long-form choice of speakers; empty for a device of this machine.
    func remember(_ members: [ChosenSpeaker]) {
        if routing.isDeep { memory.write(members.map(RouteMemory.Speaker.init)) }
    }

    /// Selects the stored speakers.
    func recall() {
        let options = state.withLock { $0.options }
        let members = memory.read().compactMap { speaker in
            speaker.chosen(localAddress: options.localAddress).map { member in
                var target = member.target
                settings.current.apply(to: &target)
                return ChosenSpeaker(id: member.id, target: target)
            }
        }
        if !members.isEmpty { select(members, options: options, fallsBack: true) }
    }
}
