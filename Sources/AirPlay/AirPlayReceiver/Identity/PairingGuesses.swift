import HomeKitPairing
import TuttiMediaTime
import TuttiSystemIO

/// Counts wrong passwords and PINs per sender, so that an attacker locks out only itself.
///
/// Each address has its own ``PairingAttempts``; IPv6 addresses share one per /64. Senders that never
/// succeeded also share a budget, against an attacker with many addresses; senders that succeeded do not draw
/// on that budget.
struct PairingGuesses: Sendable {
    /// Most senders remembered. Evicts the sender with the oldest guess, unsuccessful senders first.
    static let senderLimit = 256
    /// The budget of wrong guesses that all strangers share: burst, and refill per hour.
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

    /// Runs `body` with the guess counter of one sender; `nil` stands for a sender without an address.
    mutating func count<Result>(
        of sender: IPAddress?, _ body: (inout CountedSender) -> Result
    ) -> Result {
        var counted = CountedSender(guesses: self, key: key(of: sender), address: sender ?? .anyV4)
        defer { self = counted.guesses }
        return body(&counted)
    }

    /// Returns the full address of a sender that succeeded, and the /64 of any other.
    private func key(of sender: IPAddress?) -> IPAddress {
        guard let sender else { return .anyV4 }
        return senders[sender]?.hasSucceeded == true ? sender : sender.block
    }

    /// The guesses as seen by one sender.
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
