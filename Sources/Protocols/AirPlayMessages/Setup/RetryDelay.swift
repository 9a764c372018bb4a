/// The RTSP header that asks a sender to wait before its next attempt (RFC 2326, 12.33), in whole seconds.
package enum RetryDelay {
    /// The name of the header.
    package static let headerName = "Retry-After"

    /// Returns the value of the header, rounded up to at least a second.
    package static func headerValue(_ delay: Duration) -> String {
        let (seconds, attoseconds) = delay.components
        return String(max(1, seconds + (attoseconds > 0 ? 1 : 0)))
    }

    /// - Returns: `nil` unless the value is a number of seconds; a date is not.
    package static func seconds(headerValue: String) -> UInt64? {
        headerValue.utf8.count <= 9 && headerValue.utf8.allSatisfy { (0x30...0x39).contains($0) }
            ? UInt64(headerValue) : nil
    }
}
