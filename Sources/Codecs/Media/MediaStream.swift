import MediaTime

/// One of the streams of a file.
public struct MediaStream: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case audio, video, subtitle, other
    }

    /// A length or a time in units of the stream's own.
    public struct Length: Hashable, Sendable {
        public let value: Int64
        /// Units per second, at least 1.
        public let timescale: Int32
    }

    /// Longer names and languages are cut, in characters.
    static let textLimit = 256

    /// Its place in the file, 0...
    public let index: Int
    /// The number that the file has for it; where files have none, the place, counted from 1.
    public let trackID: Int32
    public let kind: Kind
    /// The library's short name, e.g. `aac`.
    public let codecName: String
    /// Four characters that the file has for the codec, the first in the lowest byte; 0 where it has none.
    public let codecTag: UInt32
    /// `nil` unless sound, and where rate or channels are beyond our limits.
    public let audio: AudioStreamParameters?
    /// `nil` where the file does not say.
    public let length: Length?
    /// ISO 639-2, as the file has it; `nil` where it does not say.
    public let language: String?
    /// Whether the file wants it played unless the user chooses another one.
    public let isDefault: Bool
    /// The track's own name; `nil` where the file gives it none.
    public let title: String?
    /// Whether somebody speaks about the programme in it.
    public let isCommentary: Bool
    /// Whether it tells in words what is to be seen.
    public let describesPictures: Bool
    /// Bits per second; 0 where not known.
    public let bitRate: Int64
    /// Of a picture, in pixels; 0 for other streams.
    public let width: Int
    /// Of a picture, in pixels; 0 for other streams.
    public let height: Int
    /// Pictures per second; 0 where not known.
    public let pictureRate: Double
}
