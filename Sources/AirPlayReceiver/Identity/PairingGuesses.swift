internal import HomeKitPairing
internal import MediaTime
internal import SystemIO

/// Counts wrong guesses at a speaker's password or PIN by the sender that made them, so that a guesser locks out itself.
///
/// Each address has a ``PairingAttempts`` of its own, of IPv6 each /64. Those that never gave the right secret also share a
/// budget, for somebody who has many addresses; those that did are theirs alone.
struct PairingGuesses: Sendable {
    /// Senders that are remembered; of those that never succeeded the one that guessed longest ago is forgotten first.
    static let senderLimit = 256
    /// Wrong guesses of all strangers: at once, and an hour in the long run.
    static let strangersBurst = 100
    static let strangersPerHour = 200

    private struct Sender: Sendable {
        var attempts = PairingAttempts()
        var last: Duration
        var hasSucceeded = false
    }

    private var senders: [IPAddress: Sender] = [:]
    private var strangers = TokenBucket(
        burst: Double(strangersBurst), perSecond: Double(strangersPerHour) / 3600,
        at: HostTime(nanoseconds: 0))

    var senderCount: Int { senders.count }

    /// Runs `body` with the counter of the guesses of one sender; `nil` is one without an address.
    mutating func count<Result>(
        of sender: IPAddress?, _ body: (inout CountedSender) -> Result
    ) -> Result {
        var counted = CountedSender(guesses: self, key: key(of: sender), address: sender ?? .anyV4)
        defer { self = counted.guesses }
        return body(&counted)
    }

    /// A sender that succeeded is told apart from its neighbours.
    private func key(of sender: IPAddress?) -> IPAddress {
        guard let sender else { return .anyV4 }
        return senders[sender]?.hasSucceeded == true ? sender : sender.block
    }

    /// One sender's view of all.
    struct CountedSender: PairingAttemptCounting {
        fileprivate var guesses: PairingGuesses
        fileprivate let key: IPAddress
        fileprivate let address: IPAddress

        private static func host(_ time: Duration) -> HostTime {
            HostTime(nanoseconds: time.wholeNanoseconds)
        }

        func refusal(at time: Duration) -> PairingError? {
            let sender = guesses.senders[key]
            if let refusal = sender?.attempts.refusal(at: time) { return refusal }
            guard sender?.hasSucceeded != true else { return nil }
            let wait = guesses.strangers.wait(at: Self.host(time))
            return wait > .zero ? .backOff(seconds: UInt64(max(0, wait.inSeconds.rounded(.up)))) : nil
        }

        mutating func fail(at time: Duration) {
            var sender = guesses.senders[key] ?? Sender(last: time)
            sender.attempts.fail(at: time)
            sender.last = time
            guesses.keep(sender, at: key)
            if !sender.hasSucceeded { _ = guesses.strangers.take(at: Self.host(time)) }
        }

        mutating func succeed(at time: Duration) {
            guesses.keep(Sender(last: time, hasSucceeded: true), at: address)
        }
    }

    private mutating func keep(_ sender: Sender, at key: IPAddress) {
        if senders[key] == nil, senders.count >= Self.senderLimit,
            let oldest = senders.min(by: {
                ($0.value.hasSucceeded ? 1 : 0, $0.value.last) < (
                    $1.value.hasSucceeded ? 1 : 0, $1.value.last
                )
            })?.key
        {
            senders.removeValue(forKey: oldest)
        }
        senders[key] = sender
    }
}
