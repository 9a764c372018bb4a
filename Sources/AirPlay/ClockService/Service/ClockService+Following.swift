import TuttiMediaTime
import TuttiSystemIO

// Following other machines' clocks: for speakers, which play along a sender's clock.
extension ClockService {
    /// Follows the clock of a sender from now on. Call it when the session SETUP has named PTP; balance each
    /// call with one ``unfollow(_:)``.
    ///
    /// Beyond ``ClockFollower/mostFollowed`` addresses the call has no effect, and ``followStatus(of:)``
    /// returns `nil`.
    /// - Parameters:
    ///   - address: The remote end of the control connection.
    ///   - localAddress: The local end of the control connection: the sender answers no other.
    package func follow(_ address: IPAddress, localAddress: IPAddress? = nil) {
        loop.perform(.follow(address, localAddress: localAddress, isOwn: isOwnAddress(address)))
    }

    /// Whether there are places beyond those reserved for senders (``ClockFollower/reservedForSenders``).
    package var hasSparePlaces: Bool {
        loop.state.withLock { $0.clock.follower.hasSparePlaces }
    }

    /// Ends one ``follow(_:localAddress:)``. After the last one the clock's line is kept for 10 s more.
    package func unfollow(_ address: IPAddress) {
        loop.perform(.unfollow(address))
    }

    // MARK: Leaders

    /// Follows a receiver's clock from now on, and offers it ours no longer: for a receiver that plays along its own
    /// clock only. Its requests are answered while it is a peer. Balance each call with one ``endYield(to:)``.
    ///
    /// Call it before ``addPeer(_:behaviour:pathDelay:localAddress:)`` where that is possible: a receiver that has heard of
    /// our clock takes longer to lead.
    /// - Parameter localAddress: The local end of the control connection: receivers answer no other.
    /// - Throws: ``ClockServiceError/tooManyPeers(limit:)`` beyond ``ClockFollower/mostFollowed`` addresses.
    package func yield(
        to address: IPAddress, localAddress: IPAddress? = nil
    ) throws(ClockServiceError) {
        let isFollowed = loop.perform(
            .yield(address, localAddress: localAddress, isOwn: isOwnAddress(address)))
        guard isFollowed else { throw .tooManyPeers(limit: ClockFollower.mostFollowed) }
    }

    /// Ends one ``yield(to:localAddress:)``; after the last one a peer is offered our clock again.
    package func endYield(to address: IPAddress) { loop.perform(.endYield(address)) }

    /// Returns the clock of a followed address near now; `nil` while none is measured.
    ///
    /// Request it again for each use. Without messages the mapping is extrapolated. A new clock at the address, such as
    /// that of a restarted receiver, has another identity or another epoch, and no mapping at first. Cheap, from any
    /// thread; never waits for the clock's thread.
    package func leader(at address: IPAddress) -> LeaderClock? {
        loop.leader(at: address, at: machine.now)
    }

    // MARK: Mappings and status

    /// Returns the mapping between a clock's network time and host time; anchors name clocks by this identity.
    ///
    /// The mapping's reference is the present, and the mapping holds near it: call this again for each use,
    /// and compute with differences of network time as far as possible. Successive mappings step only if the line is 5 ms off;
    /// while the clock is silent, its line is extrapolated. Cheap, from any thread; never waits for the
    /// clock's thread.
    /// - Returns: `nil` until a followed address has sent messages of this clock. The service's own identity
    ///   always has a mapping.
    package func mapping(of identity: ClockIdentity) -> ClockMapping? {
        loop.mapping(of: identity, toldBy: nil, at: machine.now)
    }

    /// Returns the mapping like ``mapping(of:)``, but from the messages of these addresses alone.
    ///
    /// Any followed address can claim to be any clock. A session that names its clock's addresses is not
    /// affected by those of other sessions.
    package func mapping(of identity: ClockIdentity, toldBy addresses: Set<IPAddress>) -> ClockMapping? {
        loop.mapping(of: identity, toldBy: addresses, at: machine.now)
    }

    /// Returns the status of a followed address; `nil` for an address that is not followed.
    package func followStatus(of address: IPAddress) -> FollowedClockStatus? {
        loop.state.withLock { state in
            guard state.clock.isFollowedHere(address) else { return nil }
            return state.clock.follower.status(of: address, at: machine.now)
        }
    }

    /// Returns whether this service itself sends from an address, and so would follow itself.
    private func isOwnAddress(_ address: IPAddress) -> Bool {
        if addresses.contains(address) { return true }
        // A socket bound to the wildcard address owns the ports of every address of this machine.
        let all: IPAddress = address.family == .v4 ? .anyV4 : .anyV6
        guard addresses.contains(all) else { return false }
        return address.isLoopback || machine.addresses().contains { $0.address == address }
    }
}
