internal import ClockService
internal import MediaTime
internal import Synchronization
internal import SystemIO

/// The clocks that one session follows, from its SETUP to its end.
final class SessionTiming: ReceiverClock {
    private struct State {
        var followed: Set<IPAddress> = []
        var isEnded = false
        /// Follows the clock for a stream that goes on in another session.
        var successor: SessionTiming?
    }

    /// Addresses followed for one session. Of a group of 32 speakers only one has the clock.
    private static let addressLimit = 16

    private let clock: any SpeakerClock
    private let localAddress: IPAddress
    private let source: (any TimingSource)?
    private let state = Mutex(State())

    /// - Parameter source: The clock of a sender without PTP.
    init(clock: any SpeakerClock, localAddress: IPAddress, source: (any TimingSource)?) {
        self.clock = clock
        self.localAddress = localAddress
        self.source = source
    }

    deinit { end() }

    /// - Parameter isNamed: The sender has named it; the address is not the sender's own.
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

    /// The stream that began with this session goes on in another one, whose clocks count from now on.
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
