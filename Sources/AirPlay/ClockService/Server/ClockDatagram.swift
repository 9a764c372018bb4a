import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO

/// One of the two PTP ports.
package enum ClockPort: Hashable, Sendable {
    /// UDP 319: messages whose departure and arrival times count.
    case event
    /// UDP 320: everything else.
    case general
}

/// One message that the server wants sent. A driver reuses one datagram for all messages.
package struct ClockDatagram: Sendable {
    /// The encoded message.
    package private(set) var bytes: [UInt8] = []
    /// The source and destination port.
    package private(set) var port = ClockPort.general
    /// The address of the peer.
    package private(set) var destination = IPAddress.anyV4
    /// The source address; `nil` leaves the choice to the routes.
    package private(set) var source: IPAddress?
    /// The use of the departure time.
    private var departureUse = DepartureUse.none
    /// The departure of the last loaded Sync, in network time; `nil` when that is not kept.
    private var syncDeparture: NetworkTime?

    private enum DepartureUse: Hashable {
        case none
        /// Kept for the Follow_Up that comes next.
        case keep
        /// Written into the message, plus `shift` nanoseconds.
        case write(shift: Int64)
        /// Reported to the follower, for a Delay_Req.
        case tell
    }

    /// Creates a buffer for one datagram.
    package init() { bytes.reserveCapacity(128) }

    /// Whether the message contains its departure time: call ``stamp(at:)`` immediately before sending.
    package var carriesDeparture: Bool {
        if case .write = departureUse { true } else { false }
    }

    /// Whether the next message contains this one's departure time: call ``stamp(at:)`` with it after sending.
    package var keepsDeparture: Bool { departureUse == .keep }

    /// Whether to call ``ClockFollower/questionLeft(_:at:)`` after sending: the message is a Delay_Req.
    package var isQuestion: Bool { departureUse == .tell }

    /// The sequence number in the message's header.
    var sequence: UInt16 {
        UInt16(bytes[PTPHeader.sequenceOffset]) << 8 | UInt16(bytes[PTPHeader.sequenceOffset + 1])
    }

    /// Writes or keeps the departure time.
    package mutating func stamp(at departure: NetworkTime) {
        switch departureUse {
        case .keep: syncDeparture = departure
        case .write(let shift): writeDeparture(departure, shift)
        case .none, .tell: break
        }
    }

    private mutating func writeDeparture(_ departure: NetworkTime, _ shift: Int64) {
        let shifted = NetworkTime(nanoseconds: departure.nanoseconds &+ shift)
        write(PTPTimestamp(shifted), at: PTPFollowUp.timestampOffset)
    }

    mutating func load(
        _ template: [UInt8], port: ClockPort, to destination: IPAddress, from source: IPAddress?,
        sequence: UInt16
    ) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: template)
        self.port = port
        self.destination = destination
        self.source = source
        departureUse = .none
        write(sequence, at: PTPHeader.sequenceOffset)
    }

    mutating func stampDeparture(adding shift: Int64) { departureUse = .write(shift: shift) }

    /// Sets whether the departure of this Sync is kept for ``stampSyncDeparture(adding:)``.
    mutating func keepDeparture(_ isKept: Bool) {
        syncDeparture = nil
        departureUse = isKept ? .keep : .none
    }

    /// Writes the departure of the preceding Sync or, if that was not kept, marks the message for its own departure.
    mutating func stampSyncDeparture(adding shift: Int64) {
        guard let syncDeparture else { return stampDeparture(adding: shift) }
        writeDeparture(syncDeparture, shift)
        self.syncDeparture = nil
    }

    mutating func markQuestion() { departureUse = .tell }

    mutating func write(_ timestamp: PTPTimestamp, at offset: Int) {
        write(UInt16(truncatingIfNeeded: timestamp.seconds >> 32), at: offset)
        write(UInt32(truncatingIfNeeded: timestamp.seconds), at: offset + 2)
        write(timestamp.nanoseconds, at: offset + 6)
    }

    mutating func write(_ port: PTPPortIdentity, at offset: Int) {
        write(port.clock.rawValue, at: offset)
        write(port.port, at: offset + 8)
    }

    /// Overwrites bytes of the template, big-endian.
    mutating func write<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value, at offset: Int) {
        let size = MemoryLayout<Value>.size
        for index in 0..<size {
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> Value((size - 1 - index) * 8))
        }
    }
}
