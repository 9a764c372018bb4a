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
    ///   - asksForDelay: Whether the speaker measures the clock with Delay_Req; `nil` when not known yet.
    func addPeer(_ address: IPAddress, pathDelay: Duration?, asksForDelay: Bool?)
    func setAsksForDelay(_ asks: Bool, of address: IPAddress)

    /// The speaker has forgotten what it heard so far: serves it quickly, as at its beginning.
    func kick(_ address: IPAddress)
    func removePeer(_ address: IPAddress)

    /// From when on the speaker can be heard; `nil` while nothing is known of it.
    func readyTime(of address: IPAddress) -> HostTime?
    func state(of address: IPAddress) -> PeerClockState
}

extension ClockService: SenderClock {}
