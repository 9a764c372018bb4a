import AirPlayMessages
import TuttiMediaTime
import TuttiRTP

/// The ways of one receiver with a realtime stream, as data.
struct RealtimeTraits: Hashable, Sendable {
    /// The clock in the sync packets.
    enum Clock: Hashable, Sendable {
        /// PTP; each time comes with the identity of its clock.
        case ptp
        case ntp
    }

    var format: AudioWireFormat
    var clock: Clock
    /// The SSRC of every packet.
    var source: UInt32 = 0
    /// The time before it is heard at which a packet is sent. Receivers drop what comes more than two seconds early
    /// (*reported*).
    var lead = Duration.milliseconds(1750)
    /// The frames that the receiver adds to the line of the sync packets.
    var addedFrames: Int64 = 11_025
    /// Whether the receiver's RTP time runs on from the first packet to the last: it is never flushed, and gets
    /// silence while nothing plays.
    var keepsLine = false

    /// The packets of silence with which each run of packets begins, see ``DeviceQuirks/realtimeSilentPackets``.
    var silentPackets = 0

    /// The frames of that silence.
    var silentFrames: Int64 { Int64(silentPackets * format.framesPerPacket) }

    /// The least time before it is heard at which sending a packet makes sense.
    static let latest = Duration.milliseconds(10)
}

extension RealtimeTraits {
    /// Creates the traits of a receiver's stream from its quirks; the caller sets what depends on the session.
    ///
    /// - Parameter depth: The time before it is heard at which sound is sent; `nil` for the usual one of the receiver.
    init(_ format: AudioWireFormat, _ clock: Clock, _ quirks: DeviceQuirks, depth: Duration?) {
        self.init(format: format, clock: clock)
        lead = depth ?? quirks.realtimeQueue
        keepsLine = quirks.mustNotBeFlushed
        silentPackets = quirks.realtimeSilentPackets
    }
}
