import AirPlaySender

/// The volumes of the speakers of a group, by their keys, in percent of each speaker's maximum.
///
/// A change for all keeps the proportions: the loudest speaker gets the new volume, the others the same share of it
/// as before. A speaker whose volume is unknown gets the new volume itself, as does one that joins later.
struct SpeakerVolumes: Sendable {
    /// The volume that was set for all last, for speakers without one of their own.
    private(set) var common: Double?
    private var own: [String: Double] = [:]
    /// The volumes before all speakers were silenced together, which have no proportions any more.
    private var beforeSilence: [String: Double] = [:]

    /// The most speakers whose volumes are remembered, far above the size of any group.
    private static let limit = 256

    init(common: Double? = nil) { self.common = common }

    /// Returns a speaker's volume; `nil` if it was never set.
    func volume(of key: String) -> Double? { own[key] ?? common }

    /// Returns the volume of the loudest speaker; `nil` if none is known.
    func loudest(of keys: [String]) -> Double? { keys.compactMap(volume(of:)).max() }

    /// Takes the volume that a member begins with, unless it had one before; returns the member as the group needs
    /// it.
    mutating func begin(_ target: SpeakerTarget) -> SpeakerTarget {
        if let percent = target.volume, own[target.key] == nil { set(percent, of: target.key) }
        var target = target
        target.volume = volume(of: target.key)
        return target
    }

    /// Sets one speaker's volume.
    mutating func set(_ percent: Double, of key: String) {
        if own.count >= Self.limit, own[key] == nil { own = [:] }
        own[key] = min(100, max(0, percent))
    }

    /// Sets the volume of all: of the loudest exactly, of the others in proportion.
    mutating func setAll(_ percent: Double, of keys: [String]) {
        let percent = min(100, max(0, percent))
        var known: [String: Double] = [:]
        for key in keys { known[key] = volume(of: key) }
        if known.values.allSatisfy({ $0 == 0 }) {
            known = beforeSilence.filter { known[$0.key] != nil }
        } else if percent == 0 {
            beforeSilence = known
        }
        let loudest = known.values.max() ?? 0
        common = percent
        for key in keys {
            let share = loudest > 0 ? known[key].map { $0 / loudest } : nil
            set(percent * (share ?? 1), of: key)
        }
    }
}
