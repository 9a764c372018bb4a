internal import MediaTime
internal import SystemIO

/// How often senders may make the speaker calculate: each message of pairing costs milliseconds of a core.
///
/// An address's first two messages in a minute, which pair a sender, have a budget of their own, and so have the next
/// six, as many as a PIN needs. All addresses of an IPv6 network together have ``blockFactor`` times as many. So a flood
/// from one host, or from two hundred, uses up its share within seconds and cannot keep out a sender at another address.
/// Senders that have had the speaker before, and the one that has it, have budgets that no stranger can use up.
struct PairingBudget: Sendable {
    /// Messages of one address up to which each budget is for, and for how long they count.
    static let firstMessages = 2
    static let nextMessages = 8
    static let window = Duration.seconds(60)
    /// By how much more a whole IPv6 network may send: hosts of one house share it, and one host can take any of it.
    static let blockFactor = 8
    /// Addresses that are remembered; the one that came first is forgotten for another.
    static let addressLimit = 1024
    /// How long a sender is asked to wait when there is nothing left.
    static let retryDelay = Duration.seconds(1)

    /// The budget that a message counts against first.
    enum Sender: Hashable, Sendable {
        case stranger
        /// It has had the speaker before.
        case known
        /// It has the speaker, or had it when its link broke.
        case owner
    }

    private struct Visitor: Sendable {
        var since: HostTime
        var count = 0
    }

    private var first: TokenBucket
    private var next: TokenBucket
    private var common: TokenBucket
    private var known: TokenBucket
    private var owner: TokenBucket
    private var visitors: [IPAddress: Visitor] = [:]

    init(at now: HostTime) {
        first = TokenBucket(burst: 60, perSecond: 40, at: now)
        next = TokenBucket(burst: 20, perSecond: 10, at: now)
        common = TokenBucket(burst: 12, perSecond: 4, at: now)
        known = TokenBucket(burst: 16, perSecond: 8, at: now)
        owner = TokenBucket(burst: 8, perSecond: 4, at: now)
    }

    var visitorCount: Int { visitors.count }

    /// Takes one for a message from this address; `false` when there is none.
    mutating func take(
        for address: IPAddress, _ sender: Sender = .stranger, at now: HostTime
    ) -> Bool {
        switch sender {
        case .owner where owner.take(at: now): return true
        // Each of the known ones has its share, so that one of them cannot take it from the others.
        case .known where count(of: address, at: now) < Self.nextMessages && known.take(at: now):
            add(to: address, at: now)
            return true
        default: return takeAsStranger(address, at: now)
        }
    }

    private mutating func takeAsStranger(_ address: IPAddress, at now: HostTime) -> Bool {
        let block = address.block
        let own = count(of: address, at: now)
        let all = block == address ? 0 : count(of: block, at: now)
        let isTaken =
            own < Self.firstMessages && all < Self.firstMessages * Self.blockFactor && first.take(at: now)
            || own < Self.nextMessages && all < Self.nextMessages * Self.blockFactor && next.take(at: now)
        guard isTaken else { return common.take(at: now) }
        add(to: address, at: now)
        if block != address { add(to: block, at: now) }
        return true
    }

    private func count(of address: IPAddress, at now: HostTime) -> Int {
        guard let visitor = visitors[address], now.since(visitor.since) < Self.window else { return 0 }
        return visitor.count
    }

    private mutating func add(to address: IPAddress, at now: HostTime) {
        var visitor = visitors[address] ?? Visitor(since: now)
        if now.since(visitor.since) >= Self.window { visitor = Visitor(since: now) }
        visitor.count += 1
        if visitors[address] == nil, visitors.count >= Self.addressLimit,
            let oldest = visitors.min(by: { $0.value.since < $1.value.since })?.key
        {
            visitors.removeValue(forKey: oldest)
        }
        visitors[address] = visitor
    }
}
