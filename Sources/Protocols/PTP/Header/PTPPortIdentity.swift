import TuttiMediaTime
import TuttiWire

/// One port of one clock: 8 bytes of clock identity, 2 bytes of port number.
///
/// Source: IEEE 1588-2019, 5.3.5.
package struct PTPPortIdentity: WireFormat, Hashable {
    /// The identity of the clock.
    package var clock: ClockIdentity
    /// The number of the port.
    package var port: UInt16

    /// The size in bytes.
    package static let byteCount = 10
    /// All zero: no particular port, as in the Signaling target of this profile.
    package static let zero = PTPPortIdentity(clock: ClockIdentity(rawValue: 0), port: 0)

    /// Creates the identity of one port of a clock.
    package init(clock: ClockIdentity, port: UInt16) {
        self.clock = clock
        self.port = port
    }

    package init(parsing input: inout ByteReader) throws(WireError) {
        clock = ClockIdentity(rawValue: try input.integer(UInt64.self, field: "clockIdentity"))
        port = try input.integer(UInt16.self, field: "portNumber")
    }

    package func encode(into output: inout ByteWriter) {
        output.integer(clock.rawValue)
        output.integer(port)
    }
}
