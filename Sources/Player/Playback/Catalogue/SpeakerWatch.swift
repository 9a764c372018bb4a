import AirPlaySender
import TuttiMediaTime

/// The failures of a group's speakers, which tell whether any speaker may still play. A value.
struct SpeakerWatch {
    /// The consequence of an event for the whole group.
    enum Verdict: Equatable {
        /// No speaker is left: each is lost for a permanent reason.
        case hopeless
        /// Other senders took the speakers that the group had, and no other one may play. Nothing has been heard since
        /// this time.
        case taken(since: HostTime)
    }

    private struct Speaker {
        /// The failure that keeps the speaker silent; `nil` while it may play.
        var failure: SpeakerFailure?
        /// Whether it has had a session.
        var hasOpened = false
        /// The end of its last session; `nil` while it has one.
        var silentSince: HostTime?

        /// Whether another sender took the speaker, which stays with that sender until the user plays again.
        var isTaken: Bool { hasOpened && failure?.code == .busy }
        var isGone: Bool { failure.map { !$0.isWorthRetrying } ?? false }
    }

    /// The speakers by their keys.
    private var speakers: [String: Speaker]

    init(keys: [String]) {
        speakers = Dictionary(keys.map { ($0, Speaker()) }) { first, _ in first }
    }

    /// Takes an event of the group.
    ///
    /// - Returns: The consequence for the whole group; `nil` if the event has none.
    mutating func take(_ event: SpeakerGroupEvent, at now: HostTime) -> Verdict? {
        switch event {
        case .opened(let speaker, _, _, _):
            speakers[speaker.id, default: Speaker()].hasOpened = true
            speakers[speaker.id]?.silentSince = nil
            return nil
        case .state(let speaker, .closed): speakers[speaker.id] = nil
        case .state(let speaker, .lost(let failure)):
            var known = speakers[speaker.id] ?? Speaker()
            (known.failure, known.silentSince) = (failure, known.silentSince ?? now)
            speakers[speaker.id] = known
        case .state(let speaker, _):
            speakers[speaker.id, default: Speaker()].failure = nil
            return nil
        default: return nil
        }
        return verdict(now)
    }

    private func verdict(_ now: HostTime) -> Verdict? {
        let all = speakers.values
        guard !all.isEmpty, all.allSatisfy({ $0.isGone || $0.isTaken }) else { return nil }
        guard let end = all.filter(\.isTaken).map({ $0.silentSince ?? now }).max() else { return .hopeless }
        return .taken(since: end)
    }
}
