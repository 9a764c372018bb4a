import AirPlaySender
import TuttiHouse

/// The volumes of a sink's speakers, a value: kept while the speakers are free, for the next sound. In percent.
struct SinkVolumes: Sendable {
    /// The volume that was set for all last; `nil` if none was.
    private(set) var common: Double?
    private let keys: [String]
    /// The volumes of speakers by their keys.
    private var own: [String: Double] = [:]

    init(_ targets: [SpeakerTarget], common: Double?) {
        (self.common, keys) = (common, targets.map(\.key))
        for target in targets { own[target.key] = target.volume }
    }

    /// The volume for the slider: that of the loudest speaker, or a low one while none is known.
    var shown: Double { keys.compactMap { own[$0] ?? common }.max() ?? House.cautiousVolume }

    /// Sets the volume of the loudest speaker; the others keep their proportions.
    mutating func setAll(_ percent: Double) {
        let loudest = keys.compactMap { own[$0] ?? common }.max() ?? 0
        for key in keys {
            // Speakers that are all silent have no proportions.
            let share = loudest > 0 ? (own[key] ?? common).map { $0 / loudest } : nil
            own[key] = percent * (share ?? 1)
        }
        common = percent
    }

    /// Takes what the speaker of a key has now.
    mutating func note(_ percent: Double, of key: String) {
        if keys.contains(key) { own[key] = percent }
    }

    /// Returns the speakers with the volumes at which they begin; those without begin at ``common``.
    func applied(to targets: [SpeakerTarget]) -> [SpeakerTarget] {
        targets.map { target in
            var target = target
            target.volume = own[target.key]
            return target
        }
    }
}
