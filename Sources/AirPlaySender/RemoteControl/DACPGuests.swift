import MediaTime
import SystemIO

/// How much of a ``DACPServer`` each speaker has: places for connections, and commands.
struct DACPGuests: Sendable {
    /// A speaker has one connection, and for a moment the next.
    static let connectionsPerSpeaker = 4
    /// Speakers whose commands are counted; the one that came first is forgotten for another.
    static let speakerLimit = 64
    /// Requests that are looked at: at once, and a second in the long run. More end the connection.
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

    /// Takes a place; `false` when this speaker has all of its own.
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

    /// Whether another request of this speaker is looked at.
    mutating func ask(_ speaker: IPAddress, at now: HostTime) -> Bool {
        var guest = guest(speaker, at: now)
        defer { guests[speaker] = guest }
        return guest.requests.take(at: now)
    }

    /// Whether a command of this speaker is carried out.
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
