import MediaTime
import PTP
import SystemIO

/// Which of the two PTP ports.
public enum ClockPort: Hashable, Sendable {
    /// UDP 319: messages whose departure and arrival times count.
    case event
    /// UDP 320: everything else.
    case general
}

/// One message that the server wants sent. A driver keeps one and has it filled again and again.
public struct ClockDatagram: Sendable {
    public private(set) var bytes: [UInt8] = []
    /// The port it leaves from and goes to.
    public private(set) var port = ClockPort.general
    public private(set) var destination = IPAddress.anyV4
    /// The local address that it should come from; `nil` leaves it to the routes.
    public private(set) var source: IPAddress?
    /// What has to be done with the time of departure.
    private var departureUse = DepartureUse.none
    /// When the Sync that was loaded last has left, in network time; `nil` when that is not kept.
    private var syncDeparture: NetworkTime?

    private enum DepartureUse: Hashable {
        case none
        /// Kept for the Follow_Up that comes next.
        case keep
        /// Written into the message, with nanoseconds added to it.
        case write(shift: Int64)
        /// Of a question: told to the follower.
        case tell
    }

    public init() { bytes.reserveCapacity(128) }

    /// Whether the time of departure is written into it: call ``stamp(at:)`` immediately before sending.
    public var carriesDeparture: Bool {
        if case .write = departureUse { true } else { false }
    }

    /// Whether the next message tells of its departure: call ``stamp(at:)`` with the time at which it left.
    public var keepsDeparture: Bool { departureUse == .keep }

    /// Whether its departure is to be told to ``ClockFollower/questionLeft(_:at:)`` when it has left.
    public var isQuestion: Bool { departureUse == .tell }

    /// The number in the message's header.
    var sequence: UInt16 {
        UInt16(bytes[PTPHeader.sequenceOffset]) << 8 | UInt16(bytes[PTPHeader.sequenceOffset + 1])
    }

    /// Writes or keeps the time of departure.
    public mutating func stamp(at departure: NetworkTime) {
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

    /// Of a Sync: whether its own departure is kept for ``stampSyncDeparture(adding:)``.
    mutating func keepDeparture(_ isKept: Bool) {
        syncDeparture = nil
        departureUse = isKept ? .keep : .none
    }

    /// Writes the departure of the Sync before it, or, if that was not kept, this one's own.
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
