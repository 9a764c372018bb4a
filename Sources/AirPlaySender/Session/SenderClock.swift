import ClockService
import MediaTime
import SystemIO

/// What a sender needs of the clock that it serves to its speakers; tests have one without sockets.
///
/// Every function may be called from any thread, and none waits for a speaker.
public protocol SenderClock: Sendable {
    /// The grandmaster identity that the speakers hear.
    var identity: ClockIdentity { get }

    /// The time of the served clock at a host time.
    func networkTime(at host: HostTime) -> NetworkTime

    /// Begins to serve a speaker.
    ///
    /// - Parameters:
    ///   - pathDelay: One way, as far as it is known.
    ///   - localAddress: Our end of the control connection; speakers listen to no other.
    func addPeer(_ address: IPAddress, pathDelay: Duration, localAddress: IPAddress) throws
    /// What has been learnt of how the speaker follows.
    func setBehaviour(_ behaviour: ClockPeerBehaviour, of address: IPAddress)

    /// The speaker has forgotten what it heard so far: serves it quickly, as at its beginning.
    func kick(_ address: IPAddress)
    func removePeer(_ address: IPAddress)

    /// From when on the speaker can be heard; `nil` while nothing is known of it.
    func readyTime(of address: IPAddress) -> HostTime?
    /// `nil` for an address that is not served.
    func state(of address: IPAddress) -> PeerClockState?
}

extension ClockService: SenderClock {
    public func addPeer(_ address: IPAddress, pathDelay: Duration, localAddress: IPAddress) throws {
        try addPeer(address, behaviour: .unknown, pathDelay: pathDelay, localAddress: localAddress)
    }
}
