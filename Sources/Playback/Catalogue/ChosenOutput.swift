import AirPlayMessages
import AirPlaySender
import Discovery

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
    /// The volumes set for members, 0 ... 100.
    var volumes: [RouteOption.ID: Double] = [:]

    func member(_ id: RouteOption.ID) -> ChosenSpeaker? { members.first { $0.id == id } }
}

/// A member of a group of speakers.
struct ChosenSpeaker: Sendable {
    let id: RouteOption.ID
    let target: SpeakerTarget
}

extension RouteOption {
    init(_ speaker: DiscoveredSpeaker) {
        self.init(
            id: speaker.id.description, name: speaker.name, kind: .airPlay,
            needsPassword: speaker.traits.needsPassword || SpeakerPairings.shared.isNeeded(by: speaker))
    }

    /// Returns the speakers on the network and the chosen ones, which may have left it, sorted by name.
    static func speakers(_ found: [DiscoveredSpeaker], chosen: ChosenSpeakers?) -> [RouteOption] {
        let found = found.map { RouteOption($0) }
        let absent = (chosen?.members ?? []).filter { member in !found.contains { $0.id == member.id } }
            .map { RouteOption(id: $0.id, name: $0.target.name, kind: .airPlay) }
        return (found + absent).sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map { option in
            guard let chosen, chosen.member(option.id) != nil else { return option }
            var option = option
            (option.isSelected, option.volume) = (true, chosen.volumes[option.id] ?? chosen.options.volume)
            return option
        }
    }
}
