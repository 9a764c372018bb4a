import Synchronization
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// The clocks that one session follows, from its SETUP to its end.
final class SessionTiming: ReceiverClock {
    private struct State {
        var followed: Set<IPAddress> = []
        var isEnded = false
        /// The timing of the session that has taken over the stream; resolves clocks first.
        var successor: SessionTiming?
    }

    /// Most addresses followed for one session. Only one speaker of a group, of up to 32, has the clock.
    private static let addressLimit = 16

    private let clock: any SpeakerClock
    private let localAddress: IPAddress
    private let source: (any TimingSource)?
    private let state = Mutex(State())

    /// - Parameter source: Measures the clock of a sender without PTP.
    init(clock: any SpeakerClock, localAddress: IPAddress, source: (any TimingSource)?) {
        self.clock = clock
        self.localAddress = localAddress
        self.source = source
    }

    deinit { end() }

    /// The port from which a sender without PTP is asked; `nil` without such a sender.
    var sourcePort: UInt16? { source?.localPort }

    /// Begins to ask a sender without PTP. Idempotent.
    func start() { source?.start() }

    /// - Parameter isNamed: Whether the sender named the address, instead of it being the sender's own.
    func follow(_ address: IPAddress, isNamed: Bool = false) {
        if isNamed, !clock.hasSparePlaces { return }
        let isNew = state.withLock { state in
            guard !state.isEnded, state.followed.count < Self.addressLimit else { return false }
            return state.followed.insert(address).inserted
        }
        if isNew { clock.follow(address, localAddress: localAddress) }
    }

    func end() {
        let followed = state.withLock { state in
            state.isEnded = true
            defer { state.followed = [] }
            return state.followed
        }
        for address in followed { clock.unfollow(address) }
        source?.close()
    }

    /// Forwards clock lookups to the session that has taken over the stream.
    func handOn(to successor: SessionTiming) {
        let old = state.withLock { state in
            defer { state.successor = successor === self ? nil : successor }
            return state.successor
        }
        withExtendedLifetime(old) {}
    }

    func mapping(of identity: ClockIdentity) -> ClockMapping? {
        if let source, identity == RealtimeLine.ntpIdentity { return source.mapping() }
        let (followed, successor) = state.withLock { ($0.followed, $0.successor) }
        return successor?.mapping(of: identity) ?? clock.mapping(of: identity, toldBy: followed)
    }
}
