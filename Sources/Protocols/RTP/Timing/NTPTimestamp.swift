import TuttiMediaTime
import TuttiWire

/// A point in time in timing and sync packets: seconds since 1900, or since any other epoch of the sender,
/// and a binary fraction.
///
/// Layout, big-endian, 8 bytes: 32-bit seconds, 32-bit fraction in units of 2⁻³² s. The seconds wrap every
/// 136 years, next on 7 February 2036; a nearby reference time resolves the era.
///
/// Source: RFC 5905, 6.
package struct NTPTimestamp: WireFormat, Hashable {
    /// Seconds in the high 32 bits, the fraction in the low.
    package var rawValue: UInt64

    /// Creates a timestamp from its wire form: seconds, then the fraction of 2³².
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Converts a network time that counts from the sender's epoch; rounds nanoseconds to the nearest
    /// fraction.
    package init(_ time: NetworkTime) {
        let (seconds, rest) = Self.divided(time.nanoseconds)
        let fraction = (UInt64(rest) << 32 + 500_000_000) / 1_000_000_000
        rawValue = UInt64(truncatingIfNeeded: seconds) << 32 &+ fraction
    }

    /// Seconds since the epoch, modulo 2³².
    package var seconds: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }
    /// The fraction in units of 2⁻³² s.
    package var fraction: UInt32 { UInt32(truncatingIfNeeded: rawValue) }

    /// Nanoseconds since the epoch in the first era, rounded to the nearest.
    package var networkTime: NetworkTime {
        let rest = (UInt64(fraction) * 1_000_000_000 + 1 << 31) >> 32
        return NetworkTime(nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(rest))
    }

    /// Returns the network time in the era that brings it nearest to `reference`.
    package func networkTime(near reference: NetworkTime) -> NetworkTime {
        let time = networkTime.nanoseconds
        let distance = reference.nanoseconds.subtractingReportingOverflow(time)
        guard !distance.overflow else { return NetworkTime(nanoseconds: time) }
        let turns = (Double(distance.partialValue) / Double(Self.turn)).rounded()
        let (shift, overflow) = Int64(turns).multipliedReportingOverflow(by: Self.turn)
        let (moved, beyond) = time.addingReportingOverflow(shift)
        return NetworkTime(nanoseconds: overflow || beyond ? time : moved)
    }

    package init(parsing input: inout ByteReader) throws(WireError) {
        rawValue = try input.integer(UInt64.self, field: "NTP time")
    }

    package func encode(into output: inout ByteWriter) { output.integer(rawValue) }

    /// The length of an era, 2³² seconds, in nanoseconds.
    private static let turn: Int64 = 4_294_967_296_000_000_000

    /// Returns the seconds rounded down, and the remaining nanoseconds.
    private static func divided(_ nanoseconds: Int64) -> (seconds: Int64, rest: Int64) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest < 0 ? (seconds - 1, rest + 1_000_000_000) : (seconds, rest)
    }
}
