/// The announcement of a speaker that it is a half of a stereo pair.
///
/// *Reported*, HomePod: both halves announce the same `tsid`, `gid` and `gpn`, and play as two speakers.
struct StereoPair: Hashable, Sendable {
    /// `tsid`, the identity of the pair.
    let id: String
    /// `gid`, the group in which the halves play.
    let group: String
    /// `gpn`, the name that users gave the pair.
    let name: String

    /// - Returns: `nil` for a service that is not of a pair.
    init?(_ service: DiscoveredService) {
        guard let id = service.txt.value(of: "tsid"), !id.isEmpty,
            let group = service.txt.value(of: "gid"), !group.isEmpty,
            let name = service.txt.value(of: "gpn"), !name.isEmpty
        else { return nil }
        (self.id, self.group, self.name) = (id, group, name)
    }
}

/// An index of the speakers that announce a pair, and of the pairs that are complete.
struct StereoPairs: Sendable {
    private var members: [String: Set<SpeakerID>] = [:]
    private var pairs: [SpeakerID: String] = [:]

    /// The number of halves of a pair. More speakers with one `tsid` are no pair, and stay single.
    static let size = 2

    /// Notes the pair that a speaker announces; `nil` if it announces none.
    mutating func note(_ speaker: SpeakerID, as pair: StereoPair?) {
        if let old = pairs[speaker], old != pair?.id {
            members[old]?.remove(speaker)
            if members[old]?.isEmpty == true { members[old] = nil }
        }
        pairs[speaker] = pair?.id
        if let pair { members[pair.id, default: []].insert(speaker) }
    }

    /// Returns the speakers whose entries change if one more speaker announces this pair.
    func neighbours(in pair: StereoPair?) -> [SpeakerID] {
        guard let pair, let all = members[pair.id], all.count <= Self.size else { return [] }
        return Array(all)
    }

    /// Returns the speakers whose entries a change of `speaker` can change, itself included.
    func neighbours(of speaker: SpeakerID) -> [SpeakerID] {
        guard let id = pairs[speaker], let all = members[id], all.count <= Self.size + 1 else {
            return [speaker]
        }
        return Array(all)
    }

    /// Returns the halves of a complete pair; `nil` for any other number of speakers.
    func halves(of pair: String) -> [SpeakerID]? {
        guard let all = members[pair], all.count == Self.size else { return nil }
        return all.sorted { $0.description < $1.description }
    }
}
