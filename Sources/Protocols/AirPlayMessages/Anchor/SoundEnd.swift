import TuttiMediaTime

/// The response of a Tutti speaker to rate 0: a header with the RTP time of the first frame that it has not played.
///
/// A speaker plays on while the message is on its way, and to the end of a period of its output. A sender that resumes
/// from there repeats nothing and loses nothing.
public enum SoundEnd {
    /// The name of the header.
    public static let headerName = "Tutti-Sound-End"

    /// Returns the value of the header.
    public static func headerValue(_ time: RTPTime) -> String { String(time.rawValue) }

    /// - Returns: `nil` unless the value is an RTP time.
    public static func time(headerValue: String) -> RTPTime? {
        UInt32(headerValue).map { RTPTime(rawValue: $0) }
    }
}
