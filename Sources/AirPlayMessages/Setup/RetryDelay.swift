/// How long a sender is asked to wait before its next attempt: the header of RTSP (RFC 2326, 12.33), in whole seconds.
public enum RetryDelay {
    public static let headerName = "Retry-After"

    /// The value of the header, rounded up; at least a second.
    public static func headerValue(_ delay: Duration) -> String {
        let (seconds, attoseconds) = delay.components
        return String(max(1, seconds + (attoseconds > 0 ? 1 : 0)))
    }

    /// - Returns: `nil` for what is no number of seconds, such as a date.
    public static func seconds(headerValue: String) -> UInt64? {
        headerValue.utf8.count <= 9 && headerValue.utf8.allSatisfy { (0x30...0x39).contains($0) }
            ? UInt64(headerValue) : nil
    }
}
