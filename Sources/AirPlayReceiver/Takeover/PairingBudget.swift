internal import MediaTime
internal import SystemIO

/// How often strangers may make the speaker calculate: each message of pairing costs milliseconds of a core.
///
/// An address's first two messages in a minute, which pair a sender, have a budget of their own, and so have the next
/// six, as many as a PIN needs. A flood from one address, or from two hundred, uses up its share within seconds and cannot
/// keep out a sender at another address.
struct PairingBudget: Sendable {
    /// Messages of one address up to which each budget is for, and for how long they count.
    static let firstMessages = 2
    static let nextMessages = 8
    static let window = Duration.seconds(60)
    /// Addresses that are remembered; the one that came first is forgotten for another.
    static let addressLimit = 1024

    /// A budget that fills up again with time.
    private struct Bucket: Sendable {
        let burst: Double
        let perSecond: Double
        private var left: Double
        private var last: HostTime

        init(burst: Double, perSecond: Double, at now: HostTime) {
            (self.burst, self.perSecond, left, last) = (burst, perSecond, burst, now)
        }

        /// Takes one; `false` when there is none.
        mutating func take(at now: HostTime) -> Bool {
            left = min(burst, left + max(0, now.since(last).inSeconds) * perSecond)
            last = now
            guard left >= 1 else { return false }
            left -= 1
            return true
        }
    }

    private struct Visitor: Sendable {
        var since: HostTime
        var count = 0
    }

    private var first: Bucket
    private var next: Bucket
    private var common: Bucket
    private var visitors: [IPAddress: Visitor] = [:]

    init(at now: HostTime) {
        first = Bucket(burst: 60, perSecond: 40, at: now)
        next = Bucket(burst: 20, perSecond: 10, at: now)
        common = Bucket(burst: 12, perSecond: 4, at: now)
    }

    var visitorCount: Int { visitors.count }

    /// Takes one for a message from this address; `false` when there is none.
    mutating func take(for address: IPAddress, at now: HostTime) -> Bool {
        var visitor = visitors[address] ?? Visitor(since: now)
        if now.since(visitor.since) >= Self.window { visitor = Visitor(since: now) }
        let isTaken =
            visitor.count < Self.firstMessages && first.take(at: now)
            || visitor.count < Self.nextMessages && next.take(at: now)
        if isTaken {
            visitor.count += 1
            remember(visitor, at: address)
            return true
        }
        return common.take(at: now)
    }

    private mutating func remember(_ visitor: Visitor, at address: IPAddress) {
        if visitors[address] == nil, visitors.count >= Self.addressLimit,
            let oldest = visitors.min(by: { $0.value.since < $1.value.since })?.key
        {
            visitors.removeValue(forKey: oldest)
        }
        visitors[address] = visitor
    }
}
