import TuttiMediaTime
import TuttiWire

/// The quality of a clock in an Announce.
///
/// Source: IEEE 1588-2019, 5.3.7 and 7.6.2.
package struct PTPClockQuality: Hashable, Sendable {
    /// The clock class; lower is better.
    package var clockClass: UInt8
    /// The accuracy code; lower is better.
    package var accuracy: UInt8
    /// The scaled logarithm of the clock's variance; lower is better.
    package var variance: UInt16

    /// Creates a quality from its three fields.
    package init(clockClass: UInt8, accuracy: UInt8, variance: UInt16) {
        self.clockClass = clockClass
        self.accuracy = accuracy
        self.variance = variance
    }

    /// A quality better than that of any known receiver (*observed*), so that all follow.
    package static let sender = PTPClockQuality(clockClass: 6, accuracy: 0x21, variance: 0x436A)
}

/// Announce: the clock that the sender of the message follows, and its quality.
///
/// Layout after the header: 10 origin timestamp, 2 UTC offset, 1 reserved, 1 priority1, 4 quality,
/// 1 priority2, 8 grandmaster, 2 steps removed, 1 time source, TLVs.
///
/// Source: IEEE 1588-2019, 13.5.
package struct PTPAnnounce: Hashable, Sendable {
    /// The common header.
    package var header: PTPHeader
    /// The approximate time of sending; zero in our messages.
    package var originTimestamp = PTPTimestamp.zero
    /// TAI minus UTC, seconds.
    package var utcOffset: Int16 = 0
    /// The first priority in the best-master election; lower wins.
    package var priority1: UInt8 = 128
    /// The quality of the grandmaster.
    package var quality = PTPClockQuality.sender
    /// The second priority in the best-master election; lower wins.
    package var priority2: UInt8 = 128
    /// The clock that the sender follows; its own identity for a grandmaster.
    package var grandmaster: ClockIdentity
    /// The number of clocks between the sender and the grandmaster.
    package var stepsRemoved: UInt16 = 0
    /// The kind of time source: 0x20 is GNSS, 0xA0 an internal oscillator.
    package var timeSource: UInt8 = 0x20
    /// The TLVs at the end of the message.
    package var tlvs: [PTPTLV]

    /// Creates the Announce of a sender that is grandmaster itself.
    package init(source: PTPPortIdentity, sequence: UInt16) {
        header = PTPHeader(
            type: .announce, flags: [.unicast, .ptpTimescale], source: source, sequence: sequence, control: 5,
            logInterval: 0)
        grandmaster = source.clock
        tlvs = [.pathTrace([source.clock])]
    }
}

extension PTPAnnounce: PTPMessageBody {
    init(header: PTPHeader, parsing input: inout ByteReader) throws(WireError) {
        self.header = header
        originTimestamp = try PTPTimestamp(parsing: &input)
        utcOffset = Int16(bitPattern: try input.integer(UInt16.self, field: "currentUtcOffset"))
        try input.skip(1, field: "reserved")
        priority1 = try input.byte(field: "grandmasterPriority1")
        quality = PTPClockQuality(
            clockClass: try input.byte(field: "clockClass"), accuracy: try input.byte(field: "clockAccuracy"),
            variance: try input.integer(UInt16.self, field: "offsetScaledLogVariance"))
        priority2 = try input.byte(field: "grandmasterPriority2")
        grandmaster = ClockIdentity(rawValue: try input.integer(UInt64.self, field: "grandmasterIdentity"))
        stepsRemoved = try input.integer(UInt16.self, field: "stepsRemoved")
        timeSource = try input.byte(field: "timeSource")
        tlvs = try PTPTLV.all(in: &input)
    }

    func encodeBody(into output: inout ByteWriter) {
        originTimestamp.encode(into: &output)
        output.integer(UInt16(bitPattern: utcOffset))
        output.integer(UInt8(0))
        output.integer(priority1)
        output.integer(quality.clockClass)
        output.integer(quality.accuracy)
        output.integer(quality.variance)
        output.integer(priority2)
        output.integer(grandmaster.rawValue)
        output.integer(stepsRemoved)
        output.integer(timeSource)
        for tlv in tlvs { tlv.encode(into: &output) }
    }
}
