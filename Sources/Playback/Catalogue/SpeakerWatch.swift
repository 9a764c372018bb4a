import AirPlaySender

/// The failures of a group's speakers, which tell whether any speaker may still play.
struct SpeakerWatch {
    private var failures: [String: SpeakerFailure?]

    init(names: [String]) { failures = Dictionary(names.map { ($0, nil) }) { first, _ in first } }

    /// - Returns: `true` if no speaker is left: each is lost for a permanent reason.
    mutating func isHopeless(after event: SpeakerGroupEvent) -> Bool {
        guard case .state(let name, let state) = event else { return false }
        switch state {
        case .lost(let failure): failures[name] = .some(failure)
        case .closed: failures[name] = nil
        default: failures[name] = .some(nil)
        }
        return !failures.isEmpty
            && failures.values.allSatisfy { failure in failure.map { !$0.isWorthRetrying } ?? false }
    }
}
