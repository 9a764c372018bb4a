import CTuttiFFmpeg
import TuttiMediaTime

/// A stream inside a file.
package struct MediaStream: Hashable, Sendable {
    /// The kind of a stream's content.
    package enum Kind: Hashable, Sendable {
        /// The kind of the stream's content.
        case audio, video, subtitle, other
    }

    /// A length or time in the stream's own unit.
    package struct Length: Hashable, Sendable {
        /// The number of units.
        package let value: Int64
        /// Units per second, at least 1.
        package let timescale: Int32

        /// Creates a length of FFmpeg's units; `nil` if the unit is unknown or the number implausible.
        init?(_ value: Int64, unit: AVRational) {
            guard value > -(1 << 56), value < 1 << 56, unit.num > 0, unit.den > 0 else { return nil }
            let (scaled, overflow) = value.multipliedReportingOverflow(by: Int64(unit.num))
            guard !overflow else { return nil }
            (self.value, timescale) = (scaled, unit.den)
        }
    }

    /// The most characters of a name or language; longer texts are cut.
    static let textLimit = 256

    /// The stream's position in the file, from 0.
    package let index: Int
    /// The file's track number; if the file has none, the position counted from 1.
    package let trackID: Int32
    /// The kind of content.
    package let kind: Kind
    /// FFmpeg's short name, e.g. `aac`.
    package let codecName: String
    /// The file's four-character code for the codec, the first in the lowest byte; 0 if there is none.
    package let codecTag: UInt32
    /// The audio parameters; `nil` for other kinds, or if rate or channels exceed the limits.
    package let audio: AudioStreamParameters?
    /// The parameters of pictures; `nil` for other kinds, or if the size exceeds the limits.
    package let video: VideoStreamParameters?
    /// Whether the texts of a subtitle stream can be shown; other subtitles are pictures.
    package let isText: Bool
    /// The length; `nil` if the file declares none.
    package let length: Length?
    /// The container's time at which the stream begins; `nil` if the file does not say.
    package let start: Length?
    /// An ISO 639-2 code as written in the file; `nil` if the file gives none.
    package let language: String?
    /// Whether the file marks the stream as the one to play by default.
    package let isDefault: Bool
    /// The track's own name; `nil` if the file gives none.
    package let title: String?
    /// Whether the stream is a commentary on the programme.
    package let isCommentary: Bool
    /// Whether the stream describes the pictures in words.
    package let describesPictures: Bool
    /// Bits per second; 0 if unknown.
    package let bitRate: Int64
    /// The width of a picture in pixels; 0 for other streams.
    package let width: Int
    /// The height of a picture in pixels; 0 for other streams.
    package let height: Int
    /// Pictures per second; 0 if unknown.
    package let pictureRate: Double
}
