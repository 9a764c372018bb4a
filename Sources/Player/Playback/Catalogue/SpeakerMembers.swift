import AirPlayMessages
import AirPlaySender

/// Changes of the chosen group of speakers while it plays: its members, their volumes and their delays. Any thread;
/// one change of the members at a time.
final class SpeakerMembers: Sendable {
    private let routing: QueueRouting
    private let surface: SpeakerSurface
    private let notifier: RouteNotifier

    init(routing: QueueRouting, surface: SpeakerSurface, notifier: RouteNotifier) {
        (self.routing, self.surface, self.notifier) = (routing, surface, notifier)
    }

    // MARK: Members

    /// Lets speakers join the group.
    ///
    /// - Throws: If no group is chosen, or every one of the speakers is in it already.
    func join(_ targets: [SpeakerTarget]) throws(RouteError) {
        guard let chosen = routing.speakers else { throw Self.noGroup }
        let new = targets.filter { target in !chosen.members.contains { $0.target == target } }
        guard !new.isEmpty else {
            let names = targets.map(\.name).joined(separator: " and ")
            throw RouteError(targets.isEmpty ? "name a speaker to join" : "\(names) already plays")
        }
        regroup(chosen.members + new.map { ChosenSpeaker($0) })
    }

    /// Lets speakers leave the group.
    ///
    /// - Throws: If no such speaker is in the group, or no other one would be left.
    func leave(_ name: String) throws(RouteError) {
        guard let chosen = routing.speakers else { throw Self.noGroup }
        let leaving = try Self.members(called: name, of: chosen.members)
        let rest = chosen.members.filter { member in !leaving.contains { $0.target == member.target } }
        guard !rest.isEmpty else {
            throw RouteError(
                "\(name) is the only speaker left, so it cannot leave; let another one join first, or pause or quit"
            )
        }
        regroup(rest)
    }

    /// Makes these the members of the chosen group.
    ///
    /// - Parameter closed: Called once when the sessions of those that leave are closed.
    func regroup(_ members: [ChosenSpeaker], closed: @escaping @Sendable () -> Void = {}) {
        notifier.changeRoute(.regrouped) {
            // Those that leave get their own volume back: an announcement may have changed it.
            let staying = Set(members.map(\.target.key))
            sendVolumes(
                of: (routing.speakers?.members ?? []).map(\.target.key).filter { !staying.contains($0) })
            var targets: [SpeakerTarget] = []
            let chosen = routing.changeSpeakers { speakers in
                speakers.members = members
                targets = speakers.begin()
            }
            if let group = chosen?.group { group.setTargets(targets, closed: closed) } else { closed() }
            tellSurface()
        }
    }

    /// Sets the volumes that new members name, instead of those that they had in this group before.
    func setVolumes(ofNew targets: [SpeakerTarget]) {
        routing.changeSpeakers { speakers in
            for target in targets where !speakers.members.contains(where: { $0.target == target }) {
                if let volume = target.volume { speakers.volumes.set(volume, of: target.key) }
            }
        }
    }

    /// Tells the speakers' buttons who the members are.
    func tellSurface() {
        let members = (routing.speakers?.members ?? []).map { member in
            (
                member.target.key,
                SpeakerSurface.Member(option: member.id, maximumVolume: member.target.maximumVolume)
            )
        }
        surface.setMembers(Dictionary(members, uniquingKeysWith: { $1 }))
    }

    // MARK: Settings of one member, or all

    /// The volume of the loudest member; `nil` if none was set.
    var volume: Double? {
        routing.speakers.flatMap { speakers in
            speakers.volumes.loudest(of: speakers.members.map(\.target.key))
        }
    }

    /// Sets the volume of every member, and keeps their proportions.
    func setVolume(_ percent: Double) {
        change(where: { _ in true }) { speakers, _ in
            speakers.volumes.setAll(percent, of: speakers.members.map(\.target.key))
        }
    }

    /// Sets the volume of the members with this id.
    func setVolume(_ percent: Double, of id: RouteOption.ID) {
        change(where: { $0.id == id }) { $0.volumes.set(percent, of: $1) }
    }

    /// Sets the volume of the members that a user calls so.
    func setVolume(_ percent: Double, called name: String) throws(RouteError) {
        guard let chosen = routing.speakers else { throw Self.noGroup }
        let named = try Self.members(called: name, of: chosen.members).map(\.target)
        change(where: { named.contains($0.target) }) { $0.volumes.set(percent, of: $1) }
    }

    /// Sets the volume 100 of the members with this id, in percent of their own scale; they keep their volumes in percent.
    func setMaximumVolume(_ percent: Double, of id: RouteOption.ID) {
        let percent = min(100, max(1, percent))
        let speakers = routing.changeSpeakers { speakers in
            speakers.members = speakers.members.map { member in
                guard member.id == id else { return member }
                var target = member.target
                target.maximumVolume = percent
                return ChosenSpeaker(id: member.id, target: target)
            }
        }
        guard let speakers else { return }
        tellSurface()
        for member in speakers.members where member.id == id { send(speakers, to: member.target) }
    }

    /// Sets the delay of the members that a user calls so.
    func setDelay(_ delay: SpeakerDelay, called name: String) throws(RouteError) {
        guard let chosen = routing.speakers else { throw Self.noGroup }
        for member in try Self.members(called: name, of: chosen.members) {
            chosen.group.setDelay(delay, speaker: member.target.key)
        }
    }

    /// Sets the delay of the members with this id.
    func setDelay(_ delay: SpeakerDelay, of id: RouteOption.ID) {
        guard let chosen = routing.speakers else { return }
        for member in chosen.members where member.id == id {
            chosen.group.setDelay(delay, speaker: member.target.key)
        }
    }

    /// Changes volumes, and tells the group, the observers and the reader of events what has changed.
    private func change(
        where isConcerned: (ChosenSpeaker) -> Bool, _ body: (inout ChosenSpeakers, String) -> Void
    ) {
        var before: [String: Double] = [:]
        let speakers = routing.changeSpeakers { speakers in
            for member in speakers.members {
                before[member.target.key] = speakers.volumes.volume(of: member.target.key)
            }
            for member in speakers.members.filter(isConcerned) { body(&speakers, member.target.key) }
        }
        guard let speakers else { return }
        for member in speakers.members.filter(isConcerned) {
            let speaker = member.target.named
            send(speakers, to: member.target)
            guard let percent = speakers.volumes.volume(of: speaker.id), percent != before[speaker.id] else {
                continue
            }
            notifier.emit(.volume(speaker: speaker, percent: percent))
        }
        notifier.optionsDidChange()
    }

    /// Sets the volumes that members with these keys have, after a time with another one.
    func sendVolumes(of keys: [String]) {
        guard let chosen = routing.speakers else { return }
        for member in chosen.members where keys.contains(member.target.key) {
            send(chosen, to: member.target)
        }
    }

    private func send(_ speakers: ChosenSpeakers, to target: SpeakerTarget) {
        guard let percent = speakers.volumes.volume(of: target.key) else { return }
        let scaled = percent * target.maximumVolume / 100
        speakers.group.setVolume(Volume(percent: scaled), speaker: target.key)
    }

    // MARK: Names

    private static let noGroup = RouteError("no speakers are chosen")

    /// Returns the one speaker, or the two halves of one stereo pair, that a user calls so: by
    /// ``SpeakerTarget/isCalled(_:)``, else by the beginning of one name.
    static func members(
        called name: String, of members: [ChosenSpeaker]
    ) throws(RouteError) -> [ChosenSpeaker] {
        let exact = members.filter { $0.target.isCalled(name) }
        if let words = SpeakerTarget.ambiguity(of: name, among: exact.map(\.target)) {
            throw RouteError(words)
        }
        if !exact.isEmpty { return exact }
        let folded = name.lowercased()
        let begun = members.filter { !folded.isEmpty && $0.target.name.lowercased().hasPrefix(folded) }
        if begun.count == 1 { return begun }
        let names = members.map(\.target.name).joined(separator: ", ")
        throw RouteError(
            begun.isEmpty
                ? "\(name) is not playing; the speakers are: \(names)"
                : "\(name) is ambiguous; the speakers are: \(names)")
    }
}
