import TuttiSystemIO

/// A search that decides when the requested speakers are found, while services still arrive.
///
/// A pure value; times count from the start of the search. An exact name is accepted as soon as its speaker
/// is completely known. Any other match waits until ``decisionTime``, because a better or a second match may
/// still appear.
package struct SpeakerSearch: Sendable {
    /// The state of a search at one time.
    package enum Answer: Equatable, Sendable {
        /// Ask again after the next event, or at this time.
        case wait(until: Duration)
        /// The speakers, in the order of the names.
        case found([DiscoveredSpeaker])
        /// The search failed.
        case failed(SpeakerLookupError)
    }

    private let names: [String]
    private let limit: Duration
    private var directory = SpeakerDirectory()
    private var firstSeen: [SpeakerID: Duration] = [:]

    /// The time that a name without an exact match waits for a better match. Most speakers answer within 150
    /// ms; a lost question is repeated after one second (RFC 6762, 5.2).
    package static let decisionTime = Duration.milliseconds(1300)
    /// The time that a speaker with one record, or without an IPv4 address, may wait for the rest.
    package static let completionTime = Duration.milliseconds(400)
    /// The time that a speaker whose AirPlay 1 record names AirPlay 2 may wait for the record of that, without which it is played to by
    /// AirPlay 1. A record that was sent a moment ago, to another program, is not sent again within a second (RFC 6762, 6), and
    /// neither are its addresses.
    package static let airPlay2Time = Duration.milliseconds(2500)

    /// - Parameter limit: The deadline, at which the search accepts what is known, or fails.
    package init(names: [String], limit: Duration) {
        self.names = names
        self.limit = limit
    }

    /// Applies an event that arrived at `time`, counted from the start of the search.
    package mutating func apply(_ event: DiscoveryEvent, at time: Duration) {
        for change in directory.apply(event) {
            switch change {
            case .appeared(let speaker): firstSeen[speaker.id] = time
            case .updated: break
            case .vanished(let speaker): firstSeen[speaker.id] = nil
            }
        }
    }

    /// Returns the state of the search at `time`, which must not run backwards.
    package func answer(at time: Duration) -> Answer {
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
        // At the limit, accept what is known.
        guard let wait, time < limit else { return .found(found) }
        return .wait(until: min(wait, limit))
    }

    /// Returns the time at which to accept this speaker; `nil` for at once.
    private func readyTime(_ speaker: DiscoveredSpeaker, named name: String) -> Duration? {
        if speaker.name != name { return Self.decisionTime }
        // The other half of the pair may still answer.
        if speaker.pair != nil { return Self.decisionTime }
        if isComplete(speaker) { return nil }
        return firstSeen[speaker.id].map {
            $0 + (speaker.receiver.lacksAirPlay2Record ? Self.airPlay2Time : Self.completionTime)
        }
    }

    private func isComplete(_ speaker: DiscoveredSpeaker) -> Bool {
        speaker.airplay != nil && speaker.raop != nil && speaker.addresses.first?.family == .v4
    }
}
