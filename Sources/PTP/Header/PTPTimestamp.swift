import MediaTime
import Wire

/// A point on the PTP timescale, as it travels in PTP messages.
///
/// Layout, big-endian, 10 bytes: 48-bit seconds, then 32-bit nanoseconds.
///
/// Source: IEEE 1588-2019, 5.3.3.
public struct PTPTimestamp: WireFormat, Hashable {
    /// Seconds since the PTP epoch, 0 ..< 2⁴⁸.
    public let seconds: UInt64
    /// Nanoseconds inside the second, 0 ..< 1,000,000,000.
    public let nanoseconds: UInt32

    public static let byteCount = 10
    public static let zero = PTPTimestamp()

    private init() {
        seconds = 0
        nanoseconds = 0
    }

    /// - Throws: ``WireError/outOfRange(field:value:)`` when either part is outside its range.
    public init(seconds: UInt64, nanoseconds: UInt32) throws(WireError) {
        guard seconds < 1 << 48 else { throw .outOfRange(field: "seconds", value: seconds) }
        guard nanoseconds < 1_000_000_000 else {
            throw .outOfRange(field: "nanoseconds", value: UInt64(nanoseconds))
        }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// A network time; times before the epoch become the epoch, which has no earlier form.
    public init(_ time: NetworkTime) {
        let (seconds, rest) = max(0, time.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        self.seconds = UInt64(seconds)
        nanoseconds = UInt32(rest)
    }

    /// The same point in nanoseconds; later than 292 years is held there.
    public var networkTime: NetworkTime {
        let (scaled, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = scaled.addingReportingOverflow(Int64(nanoseconds))
        return NetworkTime(nanoseconds: overflow || carried ? .max : sum)
    }

    public init(parsing input: inout ByteReader) throws(WireError) {
        let seconds = try input.integer(UInt64.self, byteCount: 6, field: "seconds")
        let nanoseconds = try input.integer(UInt32.self, field: "nanoseconds")
        try self.init(seconds: seconds, nanoseconds: nanoseconds)
    }

    public func encode(into output: inout ByteWriter) {
        output.integer(seconds, byteCount: 6)
        output.integer(nanoseconds)
    }
}
