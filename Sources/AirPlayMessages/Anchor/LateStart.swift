/// The answer of a Tutti speaker to an anchor whose first frame it cannot play any more: status 412 with this header.
///
/// Only for a ``RateAnchor`` that needs its beginning; it has no effect then, and a later one is expected.
public enum LateStart {
    public static let headerName = "Tutti-Late"

    /// The value of the header: microseconds by which the anchor's instant was too early, rounded up.
    public static func headerValue(_ lateness: Duration) -> String {
        String(
            max(
                1,
                (lateness.components.seconds * 1_000_000)
                    + (lateness.components.attoseconds / 1_000_000_000_000) + 1))
    }

    /// - Returns: `nil` for what is no number of microseconds, or more than a minute.
    public static func lateness(headerValue: String) -> Duration? {
        guard let microseconds = Int64(headerValue), (0...60_000_000).contains(microseconds) else {
            return nil
        }
        return .microseconds(microseconds)
    }
}
