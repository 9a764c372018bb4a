import AirPlayMessages
import AirPlaySender
import Synchronization
import TuttiClockService
import TuttiDiscovery
import TuttiSystemIO

/// The choice among the speakers on the network, and the endpoint of the chosen ones' remote commands. Any thread.
final class SpeakerChooser: Sendable {
    private struct State {
        var options = RouteCatalogue.Options()
        var passwordPrompt: (@Sendable (RouteOption) async -> String?)?
        var usesClock = false
        var remote: SpeakerRemoteControl?
    }

    private let state = Mutex(State())
    private let services: RouteServices
    /// The stored choice; `nil` for a further selection of a program, which is not the user's route.
    private let memory: RouteMemory?
    private let surface: SpeakerSurface
    private let routing: QueueRouting
    private let notifier: RouteNotifier
    private let members: SpeakerMembers

    init(
        services: RouteServices, memory: RouteMemory?, surface: SpeakerSurface, routing: QueueRouting,
        notifier: RouteNotifier, members: SpeakerMembers
    ) {
        (self.services, self.memory, self.surface) = (services, memory, surface)
        (self.routing, self.notifier, self.members) = (routing, notifier, members)
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
            } else {
                members += try await targets(of: id, options).map { ChosenSpeaker(id: id, target: $0) }
            }
        }
        if chosen != nil {
            self.members.regroup(members)
        } else {
            select(members, options: options, fallsBack: true)
        }
        remember(members)
    }

    /// Returns a speaker that the search has found: two targets for a stereo pair.
    ///
    /// - Throws: If it is not there, or needs a password or a PIN that nobody gives.
    func targets(of id: RouteOption.ID) async throws(RouteError) -> [SpeakerTarget] {
        try await targets(of: id, state.withLock { $0.options })
    }

    private func targets(
        of id: RouteOption.ID, _ options: RouteCatalogue.Options
    ) async throws(RouteError) -> [SpeakerTarget] {
        guard let speaker = await services.finder.completed(id) else {
            throw RouteError("there is no output '\(id)'; search() finds speakers that are switched on")
        }
        var targets: [SpeakerTarget] = []
        for player in speaker.players { targets.append(try await target(of: player, in: speaker, options)) }
        return targets
    }

    private func target(
        of speaker: DiscoveredSpeaker, in entry: DiscoveredSpeaker, _ options: RouteCatalogue.Options
    ) async throws(RouteError) -> SpeakerTarget {
        var target = SpeakerTarget(speaker, of: entry, localAddress: options.localAddress)
        services.settings.current.apply(to: &target)
        let prompt = state.withLock { $0.passwordPrompt }
        let option = RouteOption(entry, pairings: services.pairings)
        if services.pairings.isNeeded(by: speaker) {
            try await services.pairings.pair(
                with: target, option: option, senderName: options.senderName, prompt: prompt)
            return target
        }
        guard speaker.traits.needsPassword, target.password == nil else { return target }
        guard let password = await prompt?(option) else {
            throw RouteError("\(speaker.name) needs a password")
        }
        target.password = password
        return target
    }

    /// Makes a group of speakers the output and begins to connect.
    ///
    /// - Parameter fallsBack: Whether this machine's device replaces speakers that are permanently lost.
    func select(_ members: [ChosenSpeaker], options: RouteCatalogue.Options, fallsBack: Bool) {
        let (clock, machine) = (clock(options), services.machine)
        // The speakers that need a clock that cannot start say why.
        try? clock.start()
        var volumes = SpeakerVolumes(common: options.volume)
        let targets = members.map { $0.begin(&volumes, options) }
        var identity = SenderIdentity(name: options.senderName, clock: clock.identity, machine: machine)
        identity.usePairings(services.pairings)
        // Another program of this machine serves the clock under the same identity, or another selection of this
        // program uses it; the speakers' buttons must find this selection.
        if memory == nil || !clock.isServing { identity.useOwnRemoteID(machine: machine) }
        let group = SpeakerGroup(
            targets: targets, store: PacketStore(machine: machine), identity: identity, clock: clock,
            machine: machine)
        // Without a port for DACP, the speakers still have their event channels.
        let remote = try? SpeakerRemoteControl(
            identity: identity, at: options.localAddress,
            speakers: Set(targets.flatMap { $0.addresses.map(\.address) }), for: surface,
            machine: machine)
        state.withLock { state in
            defer { state.remote = remote }
            return state.remote
        }?.close()
        notifier.changeRoute(.chosen) {
            let speakers = ChosenSpeakers(group: group, options: options, members: members, volumes: volumes)
            let old = routing.choose(.speakers(speakers))
            self.members.tellSurface()
            follow(group, of: targets.map(\.key), fallsBack: fallsBack)
            if let old { Task { await old.close() } }
        }
    }

    /// Passes the events of a group on, until the group is closed.
    ///
    /// - Parameter keys: The keys of its speakers.
    private func follow(_ group: SpeakerGroup, of keys: [String], fallsBack: Bool) {
        Task { [notifier, surface, machine = services.machine, weak routing] in
            var watch = SpeakerWatch(keys: keys)
            for await event in group.events {
                notifier.emit(.speaker(event))
                surface.take(event)
                switch watch.take(event, at: machine.now) {
                case .hopeless: if fallsBack { routing?.fallBack(from: group) }
                case .taken(let time): routing?.pause(on: group, silentSince: time)
                case nil: break
                }
            }
        }
    }

    // MARK: Services

    /// Returns our clock, which may not have started; see ``RouteServices/clock(_:)``.
    func clock(_ options: RouteCatalogue.Options) -> MachineClock {
        state.withLock { state in
            let isNew = !state.usesClock
            state.usesClock = true
            return services.clock(options, isNewUser: isNew)
        }
    }

    /// Closes the endpoint, then `group`. Without another selection that uses the clock, serves it until the group's
    /// speakers have disconnected.
    func close(with group: SpeakerGroup?) async {
        let usesClock = state.withLock { state in
            defer { state.usesClock = false }
            return state.usesClock
        }
        await leave(group)
        if usesClock { await services.endClockUse()?.close() }
    }

    /// Closes the endpoint, then `group`; the clock stays.
    func leave(_ group: SpeakerGroup?) async {
        state.withLock { state in
            defer { state.remote = nil }
            return state.remote
        }?.close()
        await group?.close()
    }

    // MARK: Memory

    /// Stores a long-form choice of speakers; empty for a device of this machine.
    func remember(_ members: [ChosenSpeaker]) {
        if routing.isDeep { memory?.write(members.map(RouteMemory.Speaker.init)) }
    }

    /// Selects the stored speakers.
    func recall() {
        let options = state.withLock { $0.options }
        let members = (memory?.read() ?? []).compactMap { speaker in
            speaker.chosen(localAddress: options.localAddress).map { member in
                var target = member.target
                services.settings.current.apply(to: &target)
                return ChosenSpeaker(id: member.id, target: target)
            }
        }
        if !members.isEmpty { select(members, options: options, fallsBack: true) }
    }
}
