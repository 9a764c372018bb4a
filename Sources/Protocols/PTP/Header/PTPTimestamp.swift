import TuttiMediaTime
import TuttiWire

/// A time on the PTP timescale, in the form of PTP messages.
///
/// Layout, big-endian, 10 bytes: 48-bit seconds, then 32-bit nanoseconds.
///
/// Source: IEEE 1588-2019, 5.3.3.
package struct PTPTimestamp: WireFormat, Hashable {
    /// Whole seconds since the PTP epoch, 0 ..< 2⁴⁸.
    package let seconds: UInt64
    /// Nanoseconds within the second, 0 ..< 1,000,000,000.
    package let nanoseconds: UInt32

    /// The size in bytes.
    package static let byteCount = 10
    /// The PTP epoch.
    package static let zero = PTPTimestamp()

    private init() {
        seconds = 0
        nanoseconds = 0
    }

    /// - Throws: ``WireError/outOfRange(field:value:)`` when either part is outside its range.
    package init(seconds: UInt64, nanoseconds: UInt32) throws(WireError) {
        guard seconds < 1 << 48 else { throw .outOfRange(field: "seconds", value: seconds) }
        guard nanoseconds < 1_000_000_000 else {
            throw .outOfRange(field: "nanoseconds", value: UInt64(nanoseconds))
        }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// Converts a network time; times before the epoch become the epoch, because there is no earlier form.
    package init(_ time: NetworkTime) {
        let (seconds, rest) = max(0, time.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        self.seconds = UInt64(seconds)
        nanoseconds = UInt32(rest)
    }

    /// The same time in nanoseconds; clamped at 292 years.
    package var networkTime: NetworkTime {
        let (scaled, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = scaled.addingReportingOverflow(Int64(nanoseconds))
        return NetworkTime(nanoseconds: overflow || carried ? .max : sum)
    }

    package init(parsing input: inout ByteReader) throws(WireError) {
        let seconds = try input.integer(UInt64.self, byteCount: 6, field: "seconds")
        let nanoseconds = try input.integer(UInt32.self, field: "nanoseconds")
        try self.init(seconds: seconds, nanoseconds: nanoseconds)
    }

    package func encode(into output: inout ByteWriter) {
        output.integer(seconds, byteCount: 6)
        output.integer(nanoseconds)
    }
}
