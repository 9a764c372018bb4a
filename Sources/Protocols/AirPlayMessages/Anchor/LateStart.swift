/// The response of a Tutti speaker to an anchor whose first frame it can no longer play: status 412 with this
/// header.
///
/// Only for a ``RateAnchor`` that needs its beginning. The anchor then has no effect; send a later one.
package enum LateStart {
    /// The name of the header.
    package static let headerName = "Tutti-Late"

    /// Returns the value of the header: whole microseconds, always above the lateness.
    package static func headerValue(_ lateness: Duration) -> String {
        String(
            max(
                1,
                (lateness.components.seconds * 1_000_000)
                    + (lateness.components.attoseconds / 1_000_000_000_000) + 1))
    }

    /// - Returns: `nil` unless the value is a number of microseconds, at most a minute.
    package static func lateness(headerValue: String) -> Duration? {
        guard let microseconds = Int64(headerValue), (0...60_000_000).contains(microseconds) else {
            return nil
        }
        return .microseconds(microseconds)
    }
}
