/// The type of a PTP message, the lower half of its first byte.
///
/// Source: IEEE 1588-2019, table 36.
package enum PTPMessageType: UInt8, Hashable, Sendable, CaseIterable {
    /// An event message with the sender's time, or the reference for its Follow_Up.
    case sync = 0x0
    /// A follower's event message that measures the path.
    case delayRequest = 0x1
    /// An event message that measures the delay of one link.
    case peerDelayRequest = 0x2
    /// The answer to a link delay request.
    case peerDelayResponse = 0x3
    /// The exact departure time of a Sync.
    case followUp = 0x8
    /// The arrival time of a Delay_Req.
    case delayResponse = 0x9
    /// The exact departure time of a link delay response.
    case peerDelayResponseFollowUp = 0xA
    /// The properties of a port's grandmaster.
    case announce = 0xB
    /// Requests between ports, such as unicast negotiation.
    case signaling = 0xC
    /// Management of a port; not used here.
    case management = 0xD

    /// Whether the message uses the event port, 319, on which receive times count, and not port 320.
    package var isEvent: Bool { rawValue < 0x8 }
}
