import CTuttiFFmpeg
import TuttiMediaTime

/// A stream inside a file.
public struct MediaStream: Hashable, Sendable {
    /// The kind of a stream's content.
    public enum Kind: Hashable, Sendable {
        /// The kind of the stream's content.
        case audio, video, subtitle, other
    }

    /// A length or time in the stream's own unit.
    public struct Length: Hashable, Sendable {
        /// The number of units.
        public let value: Int64
        /// Units per second, at least 1.
        public let timescale: Int32

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
    public let index: Int
    /// The file's track number; if the file has none, the position counted from 1.
    public let trackID: Int32
    /// The kind of content.
    public let kind: Kind
    /// FFmpeg's short name, e.g. `aac`.
    public let codecName: String
    /// The file's four-character code for the codec, the first in the lowest byte; 0 if there is none.
    public let codecTag: UInt32
    /// The audio parameters; `nil` for other kinds, or if rate or channels exceed the limits.
    public let audio: AudioStreamParameters?
    /// The parameters of pictures; `nil` for other kinds, or if the size exceeds the limits.
    public let video: VideoStreamParameters?
    /// Whether the texts of a subtitle stream can be shown; other subtitles are pictures.
    public let isText: Bool
    /// The length; `nil` if the file declares none.
    public let length: Length?
    /// The container's time at which the stream begins; `nil` if the file does not say.
    public let start: Length?
    /// An ISO 639-2 code as written in the file; `nil` if the file gives none.
    public let language: String?
    /// Whether the file marks the stream as the one to play by default.
    public let isDefault: Bool
    /// The track's own name; `nil` if the file gives none.
    public let title: String?
    /// Whether the stream is a commentary on the programme.
    public let isCommentary: Bool
    /// Whether the stream describes the pictures in words.
    public let describesPictures: Bool
    /// Bits per second; 0 if unknown.
    public let bitRate: Int64
    /// The width of a picture in pixels; 0 for other streams.
    public let width: Int
    /// The height of a picture in pixels; 0 for other streams.
    public let height: Int
    /// Pictures per second; 0 if unknown.
    public let pictureRate: Double
}
