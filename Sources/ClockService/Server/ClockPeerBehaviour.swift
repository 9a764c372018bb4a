/// How one kind of receiver follows a clock, and so when it may be relied on.
public enum ClockPeerBehaviour: Hashable, Sendable {
    /// It asks for its path delay (Delay_Req), and is ready `then` after its exchange number `exchanges`.
    case asks(exchanges: Int, then: Duration)
    /// It never asks; it is ready this long after the last kick.
    case neverAsks(readyAfter: Duration)
    /// Nothing is known. Like ``thirdParty`` from the moment it asks; one that does not ask counts as
    /// ready ``unknownReadyAfter`` after its first Sync.
    case unknown

    /// *Observed* (Sonos Era 100): locks 1.7 to 2.3 s after its first question.
    public static let thirdParty = ClockPeerBehaviour.asks(exchanges: 1, then: .milliseconds(2300))
    /// *Observed* (Apple TV): the third exchange and 250 ms.
    public static let apple = ClockPeerBehaviour.asks(exchanges: 3, then: .milliseconds(250))
    /// *Observed*: the clock is usable 0.56 to 0.6 s after the stream SETUP, and the output wants 0.4 s more:
    /// with less, PulseAudio has not told its delay when the first frame is placed, and rooms begin up to
    /// 20 ms apart; with it they were within 70 µs.
    public static let shairportSync = ClockPeerBehaviour.neverAsks(readyAfter: .milliseconds(1000))

    /// Our own speakers: one exchange and the Sync that is sent behind it are all they need.
    public static let tutti = ClockPeerBehaviour.asks(exchanges: 1, then: .milliseconds(5))

    /// For peers of which nothing is known and that do not ask.
    public static let unknownReadyAfter = Duration.milliseconds(2500)

    /// The rule for a peer that asks; `nil` where its questions change nothing.
    var exchangeRule: (exchanges: Int, then: Duration)? {
        switch self {
        case .asks(let exchanges, let then): (max(1, exchanges), then)
        case .unknown: (1, .milliseconds(2300))
        case .neverAsks: nil
        }
    }

    /// Whether it is known to measure the path itself, so that it gets plain times from the start.
    var isKnownToMeasure: Bool {
        if case .asks = self { true } else { false }
    }

    /// Whether it makes use of a Sync at once, so that one is sent behind the answer to its first question.
    var isQuick: Bool {
        if case .asks(_, let then) = self { then < Self.quickLimit } else { false }
    }

    private static let quickLimit = Duration.milliseconds(100)

    var neverAsks: Bool {
        if case .neverAsks = self { true } else { false }
    }
}
