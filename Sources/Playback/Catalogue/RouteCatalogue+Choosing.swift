import AirPlayMessages
import AirPlaySender
import ClockService
import Discovery
import Synchronization

// The options, and choices among them.
extension RouteCatalogue {
    /// The id of this machine's default device among ``options``.
    public static let localID = "local"

    public var options: [RouteOption] {
        let (selection, isSilent) = state.withLock { ($0.selection, $0.isSilent) }
        let usesDevice = selection == nil && !isSilent
        var options = devices.options.map { option in
            var option = option
            option.isSelected = option.isSelected && usesDevice
            return option
        }
        let chosen = selection?.targets ?? []
        let found = finder.speakers.map { Self.option(for: $0) }
        let absent = chosen.filter { one in !found.contains { $0.id == one.id } }.map { one in
            RouteOption(id: one.id, name: one.target.name, kind: .airPlay)
        }
        for var option in (found + absent).sorted(by: { ($0.name, $0.id) < ($1.name, $1.id) }) {
            option.isSelected = chosen.contains { $0.id == option.id }
            if option.isSelected {
                option.volume = selection?.volumes[option.id] ?? selection?.options.volume
            }
            options.append(option)
        }
        return options
    }

    private static func option(for speaker: DiscoveredSpeaker) -> RouteOption {
        RouteOption(
            id: speaker.id.description, name: speaker.name, kind: .airPlay,
            needsPassword: speaker.traits.needsPassword)
    }

    public func setVolume(_ percent: Double, of id: RouteOption.ID) {
        guard percent.isFinite else { return }
        let percent = min(100, max(0, percent))
        let chosen: (group: SpeakerGroup, name: String)? = state.withLock { state in
            guard let one = state.selection?.targets.first(where: { $0.id == id }) else { return nil }
            state.selection?.volumes[id] = percent
            return state.selection.map { ($0.group, one.target.name) }
        }
        guard let chosen else { return }
        chosen.group.setVolume(Volume(percent: percent), speaker: chosen.name)
        optionsDidChange()
    }

    /// Carries out ``choose(_:)``. One call at a time.
    func apply(_ ids: Set<RouteOption.ID>) async throws(RouteError) {
        guard !ids.isEmpty else { throw RouteError("choose at least one output") }
        let local = devices.options.filter { ids.contains($0.id) }
        if local.isEmpty { return try await applySpeakers(ids) }
        guard ids.count == 1, let device = local.first else {
            throw RouteError(
                "a device of this machine plays alone: choose it, or one or more speakers on the network")
        }
        useLocal(device.id, because: .chosen)
        remember([])
    }

    func useLocal(_ id: RouteOption.ID, because change: RouteChange) {
        changeRoute(change) {
            devices.select(id)
            let group = state.withLock { state in
                defer { (state.selection, state.isSilent, state.hasChosen) = (nil, false, true) }
                return state.selection?.group
            }
            moveQueues()
            if let group { Task { await group.close() } }
        }
    }

    private func applySpeakers(_ ids: Set<RouteOption.ID>) async throws(RouteError) {
        let (selection, options) = state.withLock { ($0.selection, $0.options) }
        var targets: [(id: RouteOption.ID, target: SpeakerTarget)] = []
        let found = finder.speakers
        for id in ids.sorted() {
            if let known = selection?.targets.first(where: { $0.id == id }) {
                targets.append(known)
            } else if let speaker = found.first(where: { $0.id.description == id }) {
                targets.append((id, try await target(of: speaker, options)))
            } else {
                throw RouteError("no output '\(id)' is there; search() finds speakers that are switched on")
            }
        }
        if let selection {
            changeRoute(.regrouped) {
                selection.group.setTargets(targets.map(\.target))
                state.withLock { $0.selection?.targets = targets }
            }
        } else {
            do throws(ClockServiceError) {
                try select(targets, options: options, fallsBack: true)
            } catch {
                throw RouteError("\(error)")
            }
        }
        remember(targets)
    }

    private func target(
        of speaker: DiscoveredSpeaker, _ options: Options
    ) async throws(RouteError) -> SpeakerTarget {
        var target = SpeakerTarget(
            name: speaker.name, addresses: speaker.endpoints, localAddress: options.localAddress,
            record: speaker.receiver.airPlay, raop: speaker.receiver.raop)
        guard speaker.traits.needsPassword else { return target }
        let prompt = state.withLock { $0.passwordPrompt }
        guard let password = await prompt?(Self.option(for: speaker)) else {
            throw RouteError("\(speaker.name) wants a password")
        }
        target.password = password
        return target
    }
}
