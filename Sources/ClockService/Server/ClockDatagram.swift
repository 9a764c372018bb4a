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
    /// Nanoseconds to add to the departure time; `nil` when the message carries none.
    private var departureShift: Int64?

    public init() { bytes.reserveCapacity(128) }

    /// Whether ``stamp(at:)`` has something to write.
    public var needsStamp: Bool { departureShift != nil }

    /// Writes the time of departure. Read the clock for it immediately before sending.
    public mutating func stamp(at departure: NetworkTime) {
        guard let departureShift else { return }
        let shifted = NetworkTime(nanoseconds: departure.nanoseconds &+ departureShift)
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
        departureShift = nil
        write(sequence, at: PTPHeader.sequenceOffset)
    }

    mutating func stampDeparture(adding shift: Int64) { departureShift = shift }

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
