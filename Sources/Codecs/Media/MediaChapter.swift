/// A named part of a file's sound.
public struct MediaChapter: Hashable, Sendable {
    /// Chapters beyond this count are left out; no audio book has as many.
    static let countLimit = 4096
    /// Longer titles are cut, in characters.
    static let textLimit = 1024

    /// Units of ``start`` and ``end`` per second.
    public static let timescale: Int32 = 1_000_000

    /// Where it begins, in microseconds of the sound, 0 or later.
    public let start: Int64
    /// Where it ends, in microseconds, later than ``start``.
    public let end: Int64
    /// `nil` where the file gives none.
    public let title: String?
    /// ISO 639-2, as the file has it; `nil` where the file does not say.
    public let language: String?

    public init(start: Int64, end: Int64, title: String?, language: String? = nil) {
        (self.start, self.end, self.title, self.language) = (start, end, title, language)
    }
}
