import TuttiMediaTime
import TuttiSystemIO

/// One clock and the programs that share it, without its own sockets, threads and clock.
///
/// Every program has one. In the serving program it holds the peers and followed addresses of all programs.
/// In a member it holds the member's own, processes every message that concerns them, and sends nothing. So
/// each program has the full state of its own peers and lines at any time, and can begin to serve without
/// asking another program.
struct SharedClock: Sendable {
    /// The key of this program in ``ledgers``.
    static let here = 0
    /// The greatest number of programs besides the serving one.
    static let mostPrograms = 64

    var server: ClockServer
    var follower: ClockFollower
    private(set) var ledgers: [Int: ClockLedger] = [here: ClockLedger()]

    init(identity: ClockIdentity) {
        var configuration = ClockServer.Configuration(identity: identity)
        configuration.peerLimit = ClockLedger.mostPeers * (Self.mostPrograms + 1)
        server = ClockServer(configuration: configuration)
        follower = ClockFollower(
            identity: identity, limit: ClockLedger.mostFollowed * (Self.mostPrograms + 1))
    }

    /// Applies a command of a program.
    ///
    /// - Returns: `false` when a limit, or the program's own earlier commands, do not allow it.
    mutating func apply(_ command: ClockCommand, of program: Int, at now: HostTime) -> Bool {
        var ledger = ledgers[program] ?? ClockLedger()
        defer { ledgers[program] = ledger }
        guard ledger.admit(command) else { return false }
        if perform(command, at: now) { return true }
        if case .addPeer(let address, _, _, _) = command { _ = ledger.removePeer(address) }
        return false
    }

    private mutating func perform(_ command: ClockCommand, at now: HostTime) -> Bool {
        switch command {
        case .addPeer(let address, let behaviour, let pathDelay, let localAddress):
            return server.addPeer(
                address, behaviour: behaviour, pathDelay: pathDelay, localAddress: localAddress, at: now)
        case .removePeer(let address): server.removePeer(address, at: now)
        case .setBehaviour(let behaviour, let address): server.setBehaviour(behaviour, of: address, at: now)
        case .restartServing(let address): server.restartServing(address, at: now)
        case .setPathDelay(let delay, let address): server.setPathDelay(delay, of: address, at: now)
        case .follow(let address, let localAddress, let isOwn):
            return follower.follow(address, localAddress: localAddress, isOwn: isOwn, at: now)
        case .unfollow(let address): follower.unfollow(address, at: now)
        case .yield(let address, let localAddress, let isOwn):
            server.yield(to: address)
            return follower.follow(address, localAddress: localAddress, isOwn: isOwn, at: now)
        case .endYield(let address):
            server.endYield(to: address, at: now)
            follower.unfollow(address, at: now)
        case .restorePeer(let record): return server.restore(record, at: now)
        }
        return true
    }

    /// Releases everything that a program wanted, because the program has ended.
    mutating func leave(_ program: Int, at now: HostTime) {
        guard let ledger = ledgers.removeValue(forKey: program) else { return }
        for (address, uses) in ledger.peers {
            for _ in 0..<uses { server.removePeer(address, at: now) }
        }
        for (address, uses) in ledger.followed {
            for _ in 0..<uses { follower.unfollow(address, at: now) }
        }
        for (address, uses) in ledger.leaders {
            for _ in 0..<uses { server.endYield(to: address, at: now) }
        }
        if program == Self.here { ledgers[program] = ClockLedger() }
    }

    /// Drops all other programs, because another program serves them from now on.
    mutating func removeOtherPrograms(at now: HostTime) {
        for program in ledgers.keys where program != Self.here { leave(program, at: now) }
    }

    /// Returns the commands with which another program can serve this program's peers and follow for it.
    func restoration(at now: HostTime) -> [ClockCommand] {
        let own = ledgers[Self.here] ?? ClockLedger()
        let peers = own.peers.compactMap { address, uses in
            server.record(of: address, uses: uses, at: now).map { ClockCommand.restorePeer($0) }
        }
        let followed = own.followed.flatMap { address, uses in
            let peer = follower.followed.first { $0.address == address }
            let (locals, isOwn) = (peer?.localAddresses ?? [nil], peer?.isOwn ?? false)
            let yields = own.leaders[address] ?? 0
            return (0..<uses).map { use in
                let local = locals[(max(0, locals.count - uses) + use) % locals.count]
                return use < yields
                    ? ClockCommand.yield(address, localAddress: local, isOwn: isOwn)
                    : ClockCommand.follow(address, localAddress: local, isOwn: isOwn)
            }
        }
        // Leaders come first: our clock must not be offered to them.
        return followed + peers
    }

    /// Whether this program itself wants an address served.
    func isOwnPeer(_ address: IPAddress) -> Bool { ledgers[Self.here]?.peers[address] != nil }

    /// Whether this program itself wants an address followed.
    func isFollowedHere(_ address: IPAddress) -> Bool { ledgers[Self.here]?.followed[address] != nil }

    /// Returns the other programs that want the messages from or to an address.
    func programs(concernedBy address: IPAddress) -> [Int] {
        guard ledgers.count > 1 else { return [] }
        return ledgers.filter { $0.key != Self.here && $0.value.concerns(address) }.map(\.key)
    }

    /// Processes one datagram, from the network or from the serving program.
    mutating func receive(
        _ bytes: ArraySlice<UInt8>, from address: IPAddress, on port: ClockPort, at receivedAt: HostTime
    ) {
        let isFollowed = follower.follows(address)
        let isPeer = server.serves(address)
        if isFollowed {
            follower.receive(bytes, from: address, on: port, at: receivedAt, answersPeerDelay: !isPeer)
        }
        if isPeer || !isFollowed { server.receive(bytes, from: address, on: port, at: receivedAt) }
    }

    /// Fills `datagram` with the next message to send or, in a program that does not serve, to discard.
    mutating func nextDatagram(into datagram: inout ClockDatagram, at now: HostTime) -> Bool {
        server.nextDatagram(into: &datagram, at: now) || follower.nextDatagram(into: &datagram, at: now)
    }

    var nextDeadline: HostTime? {
        guard let serving = server.nextDeadline else { return follower.nextDeadline }
        return follower.nextDeadline.map { min($0, serving) } ?? serving
    }
}
