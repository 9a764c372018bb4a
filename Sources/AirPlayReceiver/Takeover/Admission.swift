internal import MediaTime
internal import SystemIO

/// Which connections a speaker keeps when there are many.
///
/// Strangers can fill every place but cannot keep it: where there is no room, the stranger who has been there
/// longest goes for the newcomer. Who has paired and opened a session stays, and a sender that has had the speaker before
/// counts as paired: thousands of newcomers a second do not push it out before it has said its first word.
struct Admission: Sendable {
    typealias ConnectionID = UInt64

    /// How far a connection has come; it never goes back.
    enum Standing: Int, Sendable, Comparable {
        case stranger
        /// It has sent a pairing message.
        case pairing
        case paired
        /// A session that never has the speaker.
        case remoteControl
        case inSession

        static func < (left: Standing, right: Standing) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Guest: Sendable {
        var address: IPAddress
        var since: HostTime
        var standing = Standing.stranger
        /// A session from this address has had the speaker.
        var isKnown: Bool

        /// Who has come further stays longer; a message of pairing alone proves nothing.
        var rank: Int { max(standing, isKnown ? .paired : .pairing).rawValue }

        func isStranger(of block: IPAddress) -> Bool {
            rank <= Standing.pairing.rawValue && address.block == block
        }
    }

    enum Decision: Hashable, Sendable {
        case admitted
        /// This one has to go first.
        case admittedInsteadOf(ConnectionID)
        case refused
    }

    private let limits: SessionLimits
    private var guests: [ConnectionID: Guest] = [:]

    init(limits: SessionLimits) { self.limits = limits }

    var count: Int { guests.count }

    mutating func admit(
        _ id: ConnectionID, from address: IPAddress, isKnown: Bool = false, at now: HostTime
    ) -> Decision {
        let block = address.block
        let neighbours = guests.filter { $0.value.address == address }
        // Hosts of one house share an IPv6 network, and one host can take any address of it.
        let strangersOfBlock = guests.filter { $0.value.isStranger(of: block) }
        var dropped: ConnectionID?
        if neighbours.count >= limits.connectionsPerAddress {
            dropped = Self.oldestWithoutSession(neighbours)
            if dropped == nil { return .refused }
        } else if !isKnown, block != address, strangersOfBlock.count >= 2 * limits.connectionsPerAddress {
            dropped = Self.oldestWithoutSession(strangersOfBlock)
        } else if guests.count >= limits.connections {
            dropped = Self.oldestWithoutSession(guests)
            if dropped == nil { return .refused }
        }
        if let dropped { guests.removeValue(forKey: dropped) }
        guests[id] = Guest(address: address, since: now, isKnown: isKnown)
        return dropped.map { .admittedInsteadOf($0) } ?? .admitted
    }

    /// A step forward gives new time; a step back is none.
    mutating func set(_ standing: Standing, of id: ConnectionID, at now: HostTime) {
        guard let guest = guests[id], guest.standing < standing else { return }
        guests[id]?.standing = standing
        guests[id]?.since = now
    }

    mutating func remove(_ id: ConnectionID) { guests.removeValue(forKey: id) }

    /// Those whose time is over.
    func expired(at now: HostTime) -> [ConnectionID] {
        guests.filter { _, guest in
            switch guest.standing {
            case .stranger: now.since(guest.since) >= limits.timeToBeginPairing
            case .pairing: now.since(guest.since) >= limits.timeToPair
            case .paired: now.since(guest.since) >= limits.timeToOpenSession
            case .remoteControl, .inSession: false
            }
        }.map(\.key).sorted()
    }

    private static func oldestWithoutSession(_ guests: [ConnectionID: Guest]) -> ConnectionID? {
        guests.filter { $0.value.standing != .inSession }
            .min { ($0.value.rank, $0.value.since, $0.key) < ($1.value.rank, $1.value.since, $1.key) }?.key
    }
}
