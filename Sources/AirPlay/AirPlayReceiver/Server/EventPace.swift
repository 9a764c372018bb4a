import TuttiMediaTime

/// Rate limits for events that a sender can cause without limit, to protect displays and logs.
///
/// Passes a burst of each kind, and then a few per second. Coalesces the rest: the latest event waits for
/// ``due(at:)``, so that the final state is always reported.
struct EventPace: Sendable {
    static let burst = 16.0
    static let perSecond = 4.0

    private enum Kind: Hashable, CaseIterable {
        case source, playing, volume, metadata, artwork, progress

        init?(_ event: SpeakerEvent) {
            switch event {
            case .source: self = .source
            case .playing: self = .playing
            case .volume: self = .volume
            case .metadata: self = .metadata
            case .artwork: self = .artwork
            case .progress: self = .progress
            case .sessionStarted, .sessionEnded, .senderLost, .senderReturned, .pin, .warning: return nil
            }
        }
    }

    private var buckets: [Kind: TokenBucket]
    private var waiting: [Kind: SpeakerEvent] = [:]

    init(at now: HostTime) {
        let bucket = TokenBucket(burst: Self.burst, perSecond: Self.perSecond, at: now)
        buckets = Dictionary(uniqueKeysWithValues: Kind.allCases.map { ($0, bucket) })
    }

    /// Returns the event if it may be reported now, else holds it back.
    mutating func take(_ event: SpeakerEvent, at now: HostTime) -> SpeakerEvent? {
        guard let kind = Kind(event) else { return event }
        if buckets[kind]?.take(at: now) ?? true {
            waiting[kind] = nil
            return event
        }
        waiting[kind] = event
        return nil
    }

    /// Returns the events that were held back and are due now.
    mutating func due(at now: HostTime) -> [SpeakerEvent] {
        Kind.allCases.compactMap { kind in
            guard let event = waiting[kind], buckets[kind]?.take(at: now) ?? true else { return nil }
            waiting[kind] = nil
            return event
        }
    }

    /// Drops held-back events: their session is over.
    mutating func forgetWhatWaits() { waiting = [:] }
}
