import TuttiMediaTime

/// The playback position in a track, as three RTP times.
///
/// Text form: `progress: start/current/end` and CR LF, in `text/parameters`.
package struct Progress: Hashable, Sendable {
    /// RTP time of the track's first frame.
    package var start: RTPTime
    /// RTP time of the frame heard now.
    package var current: RTPTime
    /// RTP time after the track's last frame.
    package var end: RTPTime

    /// Creates a position from its RTP times.
    package init(start: RTPTime, current: RTPTime, end: RTPTime) {
        self.start = start
        self.current = current
        self.end = end
    }

    /// The media type.
    package static let contentType = TextParameters.contentType

    /// Reads a body with a line `progress: …`.
    ///
    /// - Throws: ``MessageError/malformedText(field:)`` unless there are three numbers.
    package init(body: [UInt8]) throws(MessageError) {
        let numbers =
            TextParameters.value(of: "progress", in: body)?
            .split(separator: "/", omittingEmptySubsequences: false).map { UInt32($0) } ?? []
        guard numbers.count == 3, let start = numbers[0], let current = numbers[1], let end = numbers[2]
        else {
            throw .malformedText(field: "progress")
        }
        self.init(
            start: RTPTime(rawValue: start), current: RTPTime(rawValue: current), end: RTPTime(rawValue: end))
    }

    /// Body of SET_PARAMETER.
    package var body: [UInt8] {
        Array("progress: \(start.rawValue)/\(current.rawValue)/\(end.rawValue)\r\n".utf8)
    }
}

/// The type of an artwork body. The raw value is the media type.
package enum ArtworkKind: String, Hashable, Sendable {
    /// A JPEG image.
    case jpeg = "image/jpeg"
    /// A PNG image.
    case png = "image/png"
    /// No body: removes the picture.
    case cleared = "image/none"

    /// Detects the type from the first bytes of a picture; `nil` for a type that receivers do not take.
    package init?(of picture: [UInt8]) {
        if picture.isEmpty {
            self = .cleared
        } else if picture.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if picture.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else {
            return nil
        }
    }
}

/// The header `RTP-Info`, which names the frame from which metadata or artwork applies. A Sonos answers 400
/// to metadata without it (*observed*).
package enum RTPInfo {
    /// The name of the header.
    package static let headerName = "RTP-Info"

    /// Returns the header value for an RTP time.
    package static func headerValue(_ time: RTPTime) -> String { "rtptime=\(time.rawValue)" }

    /// Returns the header value for a packet's number and RTP time: where a realtime stream begins, or begins again
    /// after a flush.
    package static func headerValue(sequenceNumber: UInt16, _ time: RTPTime) -> String {
        "seq=\(sequenceNumber);rtptime=\(time.rawValue)"
    }

    /// Returns the RTP time in a header value; skips other parts such as `seq=`.
    package static func rtpTime(headerValue: String) -> RTPTime? {
        number("rtptime=", in: headerValue).map { RTPTime(rawValue: $0) }
    }

    /// Returns the number of a packet in a header value; `nil` if there is none of 16 bits.
    package static func sequenceNumber(headerValue: String) -> UInt16? {
        number("seq=", in: headerValue).flatMap { UInt16(exactly: $0) }
    }

    private static func number(_ name: String, in headerValue: String) -> UInt32? {
        for part in headerValue.split(whereSeparator: { $0 == ";" || $0 == "," || $0 == " " }) {
            guard part.hasPrefix(name) else { continue }
            return UInt32(part.dropFirst(name.count))
        }
        return nil
    }
}
