import SystemIO

/// Decides when the speakers someone named have been found, while services are still coming in.
///
/// A pure value; times are counted from the start of the search. A name that fits exactly is taken as
/// soon as its speaker is completely known. Anything else waits until ``decisionTime``, because a better
/// or a second fit may still appear.
public struct SpeakerSearch: Sendable {
    public enum Answer: Equatable, Sendable {
        /// Ask again after the next event, or at this time.
        case wait(until: Duration)
        /// The speakers, in the order of the names.
        case found([DiscoveredSpeaker])
        case failed(SpeakerLookupError)
    }

    private let names: [String]
    private let limit: Duration
    private var directory = SpeakerDirectory()
    private var firstSeen: [SpeakerID: Duration] = [:]

    /// How long a name that does not fit exactly waits for a better fit. Most speakers answer within
    /// 150 ms; a lost question is repeated after one second (RFC 6762, 5.2).
    public static let decisionTime = Duration.milliseconds(1300)
    /// How long a speaker with one record, or without an IPv4 address, may wait for the other.
    public static let completionTime = Duration.milliseconds(400)

    /// - Parameter limit: when to give up.
    public init(names: [String], limit: Duration) {
        self.names = names
        self.limit = limit
    }

    public mutating func apply(_ event: DiscoveryEvent, at time: Duration) {
        for change in directory.apply(event) {
            switch change {
            case .appeared(let speaker): firstSeen[speaker.id] = time
            case .updated: break
            case .vanished(let speaker): firstSeen[speaker.id] = nil
            }
        }
    }

    /// What is known at a time, which must not run backwards.
    public func answer(at time: Duration) -> Answer {
        var found: [DiscoveredSpeaker] = []
        var wait: Duration?
        for name in names {
            do {
                let speaker = try directory.speaker(named: name)
                found.append(speaker)
                if let ready = readyTime(speaker, named: name), ready > time {
                    wait = max(wait ?? ready, ready)
                }
            } catch {
                guard time < limit else { return .failed(error) }
                wait = limit
            }
        }
        // At the limit, what is known has to do.
        guard let wait, time < limit else { return .found(found) }
        return .wait(until: min(wait, limit))
    }

    /// When to believe that this is the one; `nil` for at once.
    private func readyTime(_ speaker: DiscoveredSpeaker, named name: String) -> Duration? {
        if speaker.name != name { return Self.decisionTime }
        return isComplete(speaker) ? nil : firstSeen[speaker.id].map { $0 + Self.completionTime }
    }

    private func isComplete(_ speaker: DiscoveredSpeaker) -> Bool {
        speaker.airplay != nil && speaker.raop != nil && speaker.addresses.first?.family == .v4
    }
}
