import TuttiMediaTime
import TuttiSystemIO

/// The admission policy for control connections.
///
/// Strangers can take every place but cannot hold it: when there is no room, a newcomer evicts the oldest
/// stranger. A connection with a session that may have the speaker is never evicted. A sender that has had
/// the speaker before ranks as paired, so that thousands of newcomers a second do not evict it before its
/// first message.
struct Admission: Sendable {
    typealias ConnectionID = UInt64

    /// The progress of a connection; never decreases.
    enum Standing: Int, Sendable, Comparable {
        case stranger
        /// The connection has sent a pairing message.
        case pairing
        case paired
        /// A session that never takes the speaker.
        case remoteControl
        case inSession

        static func < (left: Standing, right: Standing) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Guest: Sendable {
        var address: IPAddress
        var since: HostTime
        var standing = Standing.stranger
        /// Whether a session from this address has had the speaker.
        var isKnown: Bool

        /// The eviction rank, lowest first. A pairing message alone does not raise it.
        var rank: Int { max(standing, isKnown ? .paired : .pairing).rawValue }

        func isStranger(of block: IPAddress) -> Bool {
            rank <= Standing.pairing.rawValue && address.block == block
        }
    }

    enum Decision: Hashable, Sendable {
        case admitted
        /// Admitted; close this connection first.
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
        // Hosts of one household share an IPv6 network, and one host can take any address of it.
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

    /// Advancing resets the deadline; a lower standing is ignored.
    mutating func set(_ standing: Standing, of id: ConnectionID, at now: HostTime) {
        guard let guest = guests[id], guest.standing < standing else { return }
        guests[id]?.standing = standing
        guests[id]?.since = now
    }

    mutating func remove(_ id: ConnectionID) { guests.removeValue(forKey: id) }

    /// Returns the connections past their deadline.
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
