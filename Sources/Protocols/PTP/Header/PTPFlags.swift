/// The flag field of every PTP message.
///
/// Source: IEEE 1588-2019, 13.3.2.8.
package struct PTPFlags: OptionSet, Hashable, Sendable {
    /// The bits on the wire.
    package let rawValue: UInt16

    /// Creates flags from their bits on the wire.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The last minute of the day has 61 seconds.
    package static let leap61 = PTPFlags(rawValue: 0x0001)
    /// The last minute of the day has 59 seconds.
    package static let leap59 = PTPFlags(rawValue: 0x0002)
    /// The UTC offset of the Announce is valid.
    package static let currentUTCOffsetValid = PTPFlags(rawValue: 0x0004)
    /// Times count from the PTP epoch, not from an arbitrary epoch.
    package static let ptpTimescale = PTPFlags(rawValue: 0x0008)
    /// The time is traceable to a primary reference.
    package static let timeTraceable = PTPFlags(rawValue: 0x0010)
    /// The frequency is traceable to a primary reference.
    package static let frequencyTraceable = PTPFlags(rawValue: 0x0020)
    /// The sender is an alternate time transmitter.
    package static let alternateTimeTransmitter = PTPFlags(rawValue: 0x0100)
    /// The exact time follows in a separate message.
    package static let twoStep = PTPFlags(rawValue: 0x0200)
    /// The message was sent by unicast.
    package static let unicast = PTPFlags(rawValue: 0x0400)
}
