/// The way in which one kind of receiver follows a clock, and the time at which it is ready.
package enum ClockPeerBehaviour: Hashable, Sendable {
    /// Asks for its path delay (Delay_Req), and is ready `then` after its exchange number `exchanges`.
    case asks(exchanges: Int, then: Duration)
    /// Never asks; is ready this long after the last restart, if it follows at all: only
    /// ``PeerClockStatus/isHeard`` shows that.
    case neverAsks(readyAfter: Duration)
    /// Unknown. Treated like ``thirdParty`` from its first request on; a receiver that does not ask counts as
    /// ready ``unknownReadyAfter`` after its first Sync.
    case unknown

    /// *Observed* (Sonos Era 100): locks 1.7 to 2.3 s after its first request.
    package static let thirdParty = ClockPeerBehaviour.asks(exchanges: 1, then: .milliseconds(2300))
    /// *Observed* (Apple TV): ready 250 ms after the third exchange.
    package static let apple = ClockPeerBehaviour.asks(exchanges: 3, then: .milliseconds(250))
    /// *Observed*: the clock is usable 0.56 to 0.6 s after the stream SETUP, and the output needs 0.4 s more:
    /// with less, PulseAudio has not reported its delay when the first frame is placed, and rooms start up to
    /// 20 ms apart; with it they started within 70 µs.
    package static let shairportSync = ClockPeerBehaviour.neverAsks(readyAfter: .milliseconds(1000))

    /// Our own speakers need one exchange and the Sync that follows it.
    package static let tutti = ClockPeerBehaviour.asks(exchanges: 1, then: .milliseconds(5))

    /// The time until an unknown peer that does not ask counts as ready.
    package static let unknownReadyAfter = Duration.milliseconds(2500)

    /// The rule for a peer that asks; `nil` where requests do not matter.
    var exchangeRule: (exchanges: Int, then: Duration)? {
        switch self {
        case .asks(let exchanges, let then): (max(1, exchanges), then)
        case .unknown: (1, .milliseconds(2300))
        case .neverAsks: nil
        }
    }

    /// Whether the peer is known to measure the path itself, so that it gets plain times from the start.
    var isKnownToMeasure: Bool {
        if case .asks = self { true } else { false }
    }

    /// Whether the peer uses a Sync at once, so that the server sends a Sync behind the answer to its first request.
    var isQuick: Bool {
        if case .asks(_, let then) = self { then < Self.quickLimit } else { false }
    }

    private static let quickLimit = Duration.milliseconds(100)

    var neverAsks: Bool {
        if case .neverAsks = self { true } else { false }
    }
}
