/// The flag field of every PTP message.
///
/// Source: IEEE 1588-2019, 13.3.2.8.
public struct PTPFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let leap61 = PTPFlags(rawValue: 0x0001)
    public static let leap59 = PTPFlags(rawValue: 0x0002)
    public static let currentUTCOffsetValid = PTPFlags(rawValue: 0x0004)
    /// Times count from the PTP epoch, not from an arbitrary one.
    public static let ptpTimescale = PTPFlags(rawValue: 0x0008)
    public static let timeTraceable = PTPFlags(rawValue: 0x0010)
    public static let frequencyTraceable = PTPFlags(rawValue: 0x0020)
    public static let alternateTimeTransmitter = PTPFlags(rawValue: 0x0100)
    /// The exact time follows in a message of its own.
    public static let twoStep = PTPFlags(rawValue: 0x0200)
    public static let unicast = PTPFlags(rawValue: 0x0400)
}
