/// The type of a PTP message, the lower half of its first byte.
///
/// Source: IEEE 1588-2019, table 36.
public enum PTPMessageType: UInt8, Hashable, Sendable, CaseIterable {
    case sync = 0x0
    case delayRequest = 0x1
    case peerDelayRequest = 0x2
    case peerDelayResponse = 0x3
    case followUp = 0x8
    case delayResponse = 0x9
    case peerDelayResponseFollowUp = 0xA
    case announce = 0xB
    case signaling = 0xC
    case management = 0xD

    /// Whether the message uses the event port, 319, on which receive times count, and not port 320.
    public var isEvent: Bool { rawValue < 0x8 }
}
