import TuttiMediaTime

/// The response of a Tutti speaker to rate 0: a header with the RTP time of the first frame that it has not played.
///
/// A speaker plays on while the message is on its way, and to the end of a period of its output. A sender that resumes
/// from there repeats nothing and loses nothing.
package enum SoundEnd {
    /// The name of the header.
    package static let headerName = "Tutti-Sound-End"

    /// Returns the value of the header.
    package static func headerValue(_ time: RTPTime) -> String { String(time.rawValue) }

    /// - Returns: `nil` unless the value is an RTP time.
    package static func time(headerValue: String) -> RTPTime? {
        UInt32(headerValue).map { RTPTime(rawValue: $0) }
    }
}
