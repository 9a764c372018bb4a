public import MediaTime
public import SystemIO

// The clocks of others: for speakers, which play along a sender's clock.
extension ClockService {
    /// Follows the clock of a sender from now on. Call it when its session SETUP has named PTP; each call
    /// wants one ``unfollow(_:)``.
    ///
    /// Beyond ``ClockFollower/mostFollowed`` addresses nothing is followed, and
    /// ``followStatus(of:)`` has nothing to tell.
    /// - Parameters:
    ///   - address: The other end of its control connection.
    ///   - localAddress: Our end of it: the sender answers no other.
    public func follow(_ address: IPAddress, localAddress: IPAddress? = nil) {
        loop.perform(.follow(address, localAddress: localAddress, isOwn: isOwnAddress(address)))
    }

    /// Whether there are places beyond those that are kept for senders (``ClockFollower/reservedForSenders``).
    public var hasSparePlaces: Bool {
        loop.state.withLock { $0.clock.follower.hasSparePlaces }
    }

    /// Ends one ``follow(_:localAddress:)``. After the last one its clock is known for 10 s more.
    public func unfollow(_ address: IPAddress) {
        loop.perform(.unfollow(address))
    }

    /// How the network time of a clock, as anchors name it, relates to host time now.
    ///
    /// Its reference is the present, and it is right near there: ask again for each use, and compute
    /// with distances of network time as far as possible. Successive lines do not step; while nothing comes
    /// from the clock, they go on. Cheap, from any thread; never waits for the clock's thread.
    /// - Returns: `nil` as long as nobody that is followed has told of this clock. The service's own
    ///   identity is always known.
    public func mapping(of identity: ClockIdentity) -> ClockMapping? {
        loop.mapping(of: identity, toldBy: nil, at: SystemClock.now)
    }

    /// As ``mapping(of:)``, from the messages of these addresses alone.
    ///
    /// Any followed address can say that it is any clock. A session that names where its clock is does not hear
    /// those of other sessions.
    public func mapping(of identity: ClockIdentity, toldBy addresses: Set<IPAddress>) -> ClockMapping? {
        loop.mapping(of: identity, toldBy: addresses, at: SystemClock.now)
    }

    /// `nil` for an address that is not followed.
    public func followStatus(of address: IPAddress) -> FollowedClockStatus? {
        loop.state.withLock { state in
            guard state.clock.isFollowedHere(address) else { return nil }
            return state.clock.follower.status(of: address, at: SystemClock.now)
        }
    }

    /// Of all followed addresses.
    public func followStatuses() -> [FollowedClockStatus] {
        loop.state.withLock { state in
            let all = state.clock.follower.statuses(at: SystemClock.now)
            return all.filter { state.clock.isFollowedHere($0.address) }
        }
    }

    /// Whether this service itself speaks from an address, so that it would follow itself.
    private func isOwnAddress(_ address: IPAddress) -> Bool {
        if addresses.contains(address) { return true }
        // Bound everywhere, the ports of all of the machine's addresses are ours.
        let all: IPAddress = address.family == .v4 ? .anyV4 : .anyV6
        guard addresses.contains(all) else { return false }
        return address.isLoopback || NetworkInterfaces.addresses().contains { $0.address == address }
    }
}
