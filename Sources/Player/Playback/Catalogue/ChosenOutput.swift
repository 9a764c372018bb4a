import AirPlayMessages
import AirPlaySender
import TuttiDiscovery

/// The output that the program's queues follow.
enum ChosenOutput: Sendable {
    /// This machine's device.
    case device
    /// No output, not even the device: time runs, nothing is heard.
    case nothing
    case speakers(ChosenSpeakers)

    var isDevice: Bool { if case .device = self { true } else { false } }
    var speakers: ChosenSpeakers? { if case .speakers(let speakers) = self { speakers } else { nil } }
}

/// A group of speakers, chosen together, and its members by the ids of their options.
struct ChosenSpeakers: Sendable {
    let group: SpeakerGroup
    let options: RouteCatalogue.Options
    var members: [ChosenSpeaker]
    var volumes: SpeakerVolumes

    /// Returns the members as the group needs them, see ``ChosenSpeaker/begin(_:_:)``.
    mutating func begin() -> [SpeakerTarget] { members.map { $0.begin(&volumes, options) } }

    func member(_ id: RouteOption.ID) -> ChosenSpeaker? { members.first { $0.id == id } }
}

/// A member of a group of speakers.
struct ChosenSpeaker: Sendable {
    let id: RouteOption.ID
    let target: SpeakerTarget
}

extension ChosenSpeaker {
    /// Creates a member with the id that the speaker has among the options, if it is found there.
    init(_ target: SpeakerTarget) { self.init(id: target.id ?? target.name, target: target) }

    /// Returns the member as a group needs it: with its volume, and the program's preference.
    func begin(_ volumes: inout SpeakerVolumes, _ options: RouteCatalogue.Options) -> SpeakerTarget {
        var target = volumes.begin(target)
        target.override.prefersDepth = options.preference == .depth
        return target
    }
}

extension RouteOption {
    init(
        _ speaker: DiscoveredSpeaker, settings: SpeakerSettingsBook = SpeakerSettingsBook(),
        pairings: SpeakerPairings
    ) {
        let own = settings.settings(of: speaker.name, id: speaker.id.description)
        let needsPassword = speaker.traits.needsPassword && own?.password == nil
        let needsPIN = speaker.players.contains { pairings.isNeeded(by: $0) }
        self.init(
            id: speaker.id.description, name: own?.name ?? speaker.name, kind: .airPlay,
            needsPassword: needsPassword || needsPIN)
        model = speaker.model.isEmpty ? nil : speaker.model
    }

    /// Returns the speakers on the network and the chosen ones, which may have left it, sorted by name.
    static func speakers(
        _ found: [DiscoveredSpeaker], chosen: ChosenSpeakers?, settings: SpeakerSettingsBook,
        pairings: SpeakerPairings
    ) -> [RouteOption] {
        let found = found.map { RouteOption($0, settings: settings, pairings: pairings) }
        let absent = (chosen?.members ?? []).filter { member in !found.contains { $0.id == member.id } }
            .reduce(into: [RouteOption]()) { options, member in
                guard !options.contains(where: { $0.id == member.id }) else { return }
                let name = member.target.pair ?? member.target.name
                options.append(RouteOption(id: member.id, name: name, kind: .airPlay))
            }
        return (found + absent).sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map { option in
            guard let chosen, let member = chosen.member(option.id) else { return option }
            var option = option
            (option.isSelected, option.volume) = (true, chosen.volumes.volume(of: member.target.key))
            return option
        }
    }
}
