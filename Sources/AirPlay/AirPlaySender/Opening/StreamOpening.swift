import AirPlayMessages
import TuttiRTP
import TuttiSystemIO

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
