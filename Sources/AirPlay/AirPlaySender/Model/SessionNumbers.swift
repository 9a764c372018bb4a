import AirPlayMessages
import TuttiMediaTime
import TuttiRTP

/// The identifiers, keys and first numbers of one session, all chosen at random, so that concurrent sessions
/// differ.
struct SessionNumbers: Sendable {
    /// The number in the session's URL.
    var session: UInt32
    /// The UUID of our end of the clock.
    var timingPeerID: String
    /// The session's UUID. With ``key`` and ``streamConnection`` the same on a second connection that resumes
    /// the session.
    var sessionUUID: String
    /// The key of the sound.
    var key: AudioKey
    var streamConnection: UInt64
    /// The sequence number of the first packet: in the lower half, so that the sequence does not wrap within a
    /// session, which some receivers would not accept.
    var firstSequence: SequenceNumber
    /// The RTP time of the first packet.
    var firstTime: RTPTime
}
