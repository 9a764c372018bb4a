import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// The clock that a sender serves to its speakers; tests have one without sockets.
///
/// Any thread may call every function; none waits for a speaker.
package protocol SenderClock: Sendable {
    /// The grandmaster identity that speakers receive.
    var identity: ClockIdentity { get }

    /// Whether the clock is at UDP 319 and 320, where every speaker looks for it.
    var hasUsualPorts: Bool { get }

    /// Returns the time of the served clock at a host time.
    func networkTime(at host: HostTime) -> NetworkTime

    /// Serves a speaker from now on, without a path delay until ``setPathDelay(_:of:)``.
    ///
    /// - Parameter localAddress: The local end of the control connection; speakers accept no other.
    /// - Throws: An error if the clock cannot serve another speaker.
    func addPeer(_ address: IPAddress, localAddress: IPAddress) throws
    /// Replaces the known behaviour of a speaker.
    func setBehaviour(_ behaviour: ClockPeerBehaviour, of address: IPAddress)

    /// Sets a measurement of the one-way delay to a speaker, which takes full effect in the first second, and at the next
    /// ``restartServing(_:)``. No effect on a speaker that measures the path itself.
    func setPathDelay(_ delay: Duration, of address: IPAddress)
    /// Restarts the dense schedule, because the speaker has forgotten the earlier messages.
    func restartServing(_ address: IPAddress)
    /// Ends one ``addPeer(_:localAddress:)``.
    func removePeer(_ address: IPAddress)

    /// Returns everything known of the speaker's clock; `nil` for an address that is not served.
    func status(of address: IPAddress) -> PeerClockStatus?

    // MARK: Speakers that lead

    /// Follows a speaker's clock from now on, and offers it ours no longer. Call it before ``addPeer(_:localAddress:)``
    /// where that is possible.
    ///
    /// - Throws: An error if the clock cannot follow another speaker.
    func yield(to address: IPAddress, localAddress: IPAddress) throws
    /// Ends one ``yield(to:localAddress:)``.
    func endYield(to address: IPAddress)
    /// Returns the clock of a speaker that leads, near now; `nil` while it is not measured.
    func leader(at address: IPAddress) -> LeaderClock?
}

extension SenderClock {
    /// Returns true.
    package var hasUsualPorts: Bool { true }

    /// Returns the time of the served clock at a host time, with its identity.
    func stamp(at host: HostTime) -> ClockStamp {
        ClockStamp(time: networkTime(at: host), clock: identity)
    }
}

extension ClockService: SenderClock {
    package func yield(to address: IPAddress, localAddress: IPAddress) throws {
        try yield(to: address, localAddress: Optional(localAddress))
    }

    package func addPeer(_ address: IPAddress, localAddress: IPAddress) throws {
        try addPeer(address, behaviour: .unknown, localAddress: localAddress)
    }
}
