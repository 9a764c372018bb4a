import TuttiMediaTime
import TuttiSystemIO

/// Rate limits for pairing messages, each of which costs milliseconds of a core.
///
/// The first two messages of an address in a minute, enough to pair a sender, draw on one budget, and the
/// next six, enough for a PIN, on another. All addresses of an IPv6 network together may send ``blockFactor``
/// times as many. A flood from one host, or from two hundred, therefore exhausts its share within seconds and
/// cannot lock out a sender at another address. Known senders and the current owner have budgets that
/// strangers cannot exhaust.
struct PairingBudget: Sendable {
    /// Messages per address and ``window`` that may draw on each budget.
    static let firstMessages = 2
    static let nextMessages = 8
    static let window = Duration.seconds(60)
    /// Factor for a whole IPv6 network: the hosts of a household share it, and one host can take any address
    /// of it.
    static let blockFactor = 8
    /// Most addresses remembered. Evicts the oldest.
    static let addressLimit = 1024
    /// The time after which a refused sender may retry.
    static let retryDelay = Duration.seconds(1)

    /// The relation of a sender to the speaker; selects the budget.
    enum Sender: Hashable, Sendable {
        case stranger
        /// The sender has had the speaker before.
        case known
        /// The sender has the speaker, or had it when its link broke.
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

    /// Takes a token for a message from this address; returns `false` if there is none.
    mutating func take(
        for address: IPAddress, _ sender: Sender = .stranger, at now: HostTime
    ) -> Bool {
        switch sender {
        case .owner where owner.take(at: now): return true
        // Limit each known sender, so that one cannot take the others' share.
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
