import TuttiMediaTime
import TuttiSystemIO

/// A command of one program to the shared clock.
enum ClockCommand: Hashable, Sendable {
    case addPeer(IPAddress, ClockPeerBehaviour, pathDelay: Duration, localAddress: IPAddress?)
    case removePeer(IPAddress)
    case setBehaviour(ClockPeerBehaviour, of: IPAddress)
    case restartServing(IPAddress)
    case setPathDelay(Duration, of: IPAddress)
    case follow(IPAddress, localAddress: IPAddress?, isOwn: Bool)
    case unfollow(IPAddress)
    /// Follows the clock at an address, and does not offer it ours.
    case yield(IPAddress, localAddress: IPAddress?, isOwn: Bool)
    case endYield(IPAddress)
    /// Restores a peer that a program which has ended served for this one.
    case restorePeer(ClockPeerRecord)
}

/// The reference-counted peers and followed addresses of one program, released when the program ends.
struct ClockLedger: Hashable, Sendable {
    /// The limits of peers and followed addresses per program.
    static let mostPeers = ClockServer.mostPeers
    static let mostFollowed = ClockFollower.mostFollowed
    /// The greatest number of a program's sessions with one address.
    static let mostUses = 4096

    private(set) var peers: [IPAddress: Int] = [:]
    /// The followed addresses, leaders among them.
    private(set) var followed: [IPAddress: Int] = [:]
    /// The uses of ``followed`` that follow a leader.
    private(set) var leaders: [IPAddress: Int] = [:]

    /// Notes what a command wants; returns `false` when a limit or the earlier commands do not allow it.
    mutating func admit(_ command: ClockCommand) -> Bool {
        switch command {
        case .addPeer(let address, _, _, _): addPeer(address)
        case .removePeer(let address): removePeer(address)
        case .setBehaviour(_, let address), .restartServing(let address), .setPathDelay(_, let address):
            peers[address] != nil
        case .follow(let address, _, _): follow(address)
        case .unfollow(let address): unfollow(address)
        case .yield(let address, _, _): yield(to: address)
        case .endYield(let address): endYield(to: address)
        case .restorePeer(let record): addPeer(record.address, uses: record.uses)
        }
    }

    /// Adds uses of a peer; returns `false` beyond a limit.
    mutating func addPeer(_ address: IPAddress, uses: Int = 1) -> Bool {
        Self.add(address, uses, to: &peers, limit: Self.mostPeers)
    }

    /// Removes one use of a peer; returns `false` when there was none.
    mutating func removePeer(_ address: IPAddress) -> Bool { Self.remove(address, from: &peers) }

    mutating func follow(_ address: IPAddress) -> Bool {
        Self.add(address, 1, to: &followed, limit: Self.mostFollowed)
    }

    mutating func unfollow(_ address: IPAddress) -> Bool {
        guard followed[address] ?? 0 > leaders[address] ?? 0 else { return false }
        return Self.remove(address, from: &followed)
    }

    mutating func yield(to address: IPAddress) -> Bool {
        guard follow(address) else { return false }
        leaders[address, default: 0] += 1
        return true
    }

    mutating func endYield(to address: IPAddress) -> Bool {
        Self.remove(address, from: &leaders) && Self.remove(address, from: &followed)
    }

    /// Returns whether messages from an address concern the program.
    func concerns(_ address: IPAddress) -> Bool { peers[address] != nil || followed[address] != nil }

    private static func add(
        _ address: IPAddress, _ uses: Int, to counts: inout [IPAddress: Int], limit: Int
    ) -> Bool {
        let count = counts[address] ?? 0
        guard count > 0 || counts.count < limit, count + uses <= mostUses else { return false }
        counts[address] = count + uses
        return true
    }

    private static func remove(_ address: IPAddress, from counts: inout [IPAddress: Int]) -> Bool {
        guard let count = counts[address] else { return false }
        counts[address] = count > 1 ? count - 1 : nil
        return true
    }
}
