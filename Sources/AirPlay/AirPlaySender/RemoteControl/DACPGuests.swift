import TuttiMediaTime
import TuttiSystemIO

/// The limits of each speaker at a ``DACPServer``: connections, requests and commands.
struct DACPGuests: Sendable {
    /// The limit of connections: a speaker has one, and for a moment the next.
    static let connectionsPerSpeaker = 4
    /// The number of speakers with counters; the oldest without a connection is evicted for another.
    static let speakerLimit = 64
    /// The burst of requests, and the rate per second. More requests end the connection.
    static let requestBurst = 40.0
    static let requestsPerSecond = 20.0

    private struct Guest: Sendable {
        var since: HostTime
        var connections = 0
        var requests: TokenBucket
        var buttons: ButtonBudget
    }

    private var guests: [IPAddress: Guest] = [:]

    var count: Int { guests.count }

    /// Counts a connection; returns `false` when this speaker has reached its limit.
    mutating func connect(_ speaker: IPAddress, at now: HostTime) -> Bool {
        var guest = guest(speaker, at: now)
        guard guest.connections < Self.connectionsPerSpeaker else { return false }
        guest.connections += 1
        guests[speaker] = guest
        return true
    }

    mutating func disconnect(_ speaker: IPAddress) {
        guard let guest = guests[speaker] else { return }
        guests[speaker]?.connections = max(0, guest.connections - 1)
    }

    /// Returns whether to process another request of this speaker.
    mutating func ask(_ speaker: IPAddress, at now: HostTime) -> Bool {
        var guest = guest(speaker, at: now)
        defer { guests[speaker] = guest }
        return guest.requests.take(at: now)
    }

    /// Returns whether to execute a command of this speaker.
    mutating func press(_ change: (inout ButtonBudget) -> Bool, by speaker: IPAddress, at now: HostTime)
        -> Bool
    {
        var guest = guest(speaker, at: now)
        defer { guests[speaker] = guest }
        return change(&guest.buttons)
    }

    private mutating func guest(_ speaker: IPAddress, at now: HostTime) -> Guest {
        if let guest = guests[speaker] { return guest }
        if guests.count >= Self.speakerLimit,
            let oldest = guests.filter({ $0.value.connections == 0 }).min(by: {
                $0.value.since < $1.value.since
            })?
            .key
        {
            guests.removeValue(forKey: oldest)
        }
        return Guest(
            since: now,
            requests: TokenBucket(
                burst: Self.requestBurst, perSecond: Self.requestsPerSecond, penalty: Self.requestBurst,
                at: now),
            buttons: ButtonBudget(at: now))
    }
}
