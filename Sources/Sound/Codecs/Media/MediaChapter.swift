/// A named section of a file's sound.
package struct MediaChapter: Hashable, Sendable {
    /// The most chapters that are read; no audio book has as many.
    static let countLimit = 4096
    /// The most characters of a title; longer titles are cut.
    static let textLimit = 1024

    /// Units of ``start`` and ``end`` per second.
    package static let timescale: Int32 = 1_000_000

    /// The start, in microseconds of the sound, at least 0.
    package let start: Int64
    /// The end, in microseconds, later than ``start``.
    package let end: Int64
    /// The chapter's name; `nil` if the file gives none.
    package let title: String?
    /// An ISO 639-2 code as written in the file; `nil` if the file gives none.
    package let language: String?

    /// Creates a chapter; times are in microseconds.
    package init(start: Int64, end: Int64, title: String?, language: String? = nil) {
        (self.start, self.end, self.title, self.language) = (start, end, title, language)
    }
}
