import TuttiMediaTime

/// Body of FLUSHBUFFERED: drops packets before a point, at once or between two points.
package struct FlushBuffered: PropertyListMessage, Hashable {
    /// A packet, by its sequence number and the RTP time of its first frame.
    package struct Point: Hashable, Sendable {
        /// The sequence number, 0 ..< 2²³; the setter drops higher bits.
        package var sequenceNumber: UInt32 {
            didSet { sequenceNumber &= FlushBuffered.sequenceMask }
        }
        /// RTP time of the first frame in the packet.
        package var rtpTime: RTPTime

        /// - Parameter sequenceNumber: With or without the marker bit, which is dropped.
        package init(sequenceNumber: UInt32, rtpTime: RTPTime) {
            self.sequenceNumber = sequenceNumber & FlushBuffered.sequenceMask
            self.rtpTime = rtpTime
        }
    }

    /// The first packet to drop. `nil` flushes at once: playback stops and the anchor is forgotten. Otherwise
    /// playback continues and skips the packets between the points.
    package var from: Point?
    /// The first packet to keep.
    package var until: Point

    static let sequenceMask: UInt32 = 0x7F_FFFF
    /// The marker bit of packet headers, bit 23. Flushes include it, as Apple's do (*observed*); receivers
    /// that mask with 23 bits ignore it.
    private static let markerBit: UInt32 = 0x80_0000

    /// Creates an immediate flush.
    package init(until: Point) {
        from = nil
        self.until = until
    }

    /// Creates a flush of a range that has not been played yet.
    package init(from: Point, until: Point) {
        self.from = from
        self.until = until
    }

    /// Whether playback stops and the anchor is forgotten.
    package var isImmediate: Bool { from == nil }

    package init(propertyList: PropertyList) throws(MessageError) {
        let fields = try PropertyListFields(propertyList)
        let range: ClosedRange<Int64> = 0...0xFF_FFFF
        let untilNumber = try fields.required(fields.integer("flushUntilSeq", in: range), "flushUntilSeq")
        until = Point(
            sequenceNumber: UInt32(untilNumber),
            rtpTime: RTPTime(rawValue: try fields.required(fields.rtpTime("flushUntilTS"), "flushUntilTS")))
        from = nil
        guard let fromNumber = try fields.integer("flushFromSeq", in: range) else { return }
        from = Point(
            sequenceNumber: UInt32(fromNumber),
            rtpTime: RTPTime(rawValue: try fields.required(fields.rtpTime("flushFromTS"), "flushFromTS")))
    }

    package var propertyList: PropertyList {
        dictionary([
            "flushFromSeq": from.map { .integer(Int64($0.sequenceNumber | Self.markerBit)) },
            "flushFromTS": from.map { .integer(Int64($0.rtpTime.rawValue)) },
            "flushUntilSeq": .integer(Int64(until.sequenceNumber | Self.markerBit)),
            "flushUntilTS": .integer(Int64(until.rtpTime.rawValue)),
        ])
    }
}
