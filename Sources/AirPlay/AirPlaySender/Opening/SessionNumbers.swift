import AirPlayMessages
import TuttiMediaTime
import TuttiRTP
import TuttiSystemIO

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

/// The local UDP ports of a session with a realtime stream; `nil` where it needs none.
struct BoundPorts: Equatable, Sendable {
    /// The port of requests for lost packets.
    var control: UInt16?
    /// The port of NTP timing.
    var timing: UInt16?
}

/// The parameters of a realtime stream.
struct RealtimeOpening: Sendable {
    var traits: RealtimeTraits
    var clock: SessionChoice.Clock
    /// The local address.
    var own: IPAddress
    /// The receiver's control port.
    var control: SocketAddress?
}

/// The speaker's answer to a stream SETUP, and the parameters of the stream that follow from it.
struct StreamOpening: Sendable {
    /// The address of the data connection.
    var address: SocketAddress
    var streamID: Int64?
    /// The size of the speaker's buffer, bytes.
    var bufferBytes: Int
    /// The rest of a realtime stream; `nil` for a buffered one.
    var realtime: RealtimeOpening?
    /// The first packet that the speaker lacks, if it continues an interrupted stream.
    var continuesAt: SequenceNumber?
    var quirks: DeviceQuirks
    var numbers: SessionNumbers
}

/// The result of a successful handshake.
struct OpenedSession: Sendable {
    /// The target of all requests.
    var url: String
    var peer: IPAddress
    var receiver: ReceiverDescription
    var choice: SessionChoice
    var streamID: Int64?
    /// The size of the speaker's buffer, bytes.
    var bufferBytes: Int
    var numbers: SessionNumbers
    /// Whether the session resumes another one, and the speaker plays already.
    var isContinuing: Bool
}
