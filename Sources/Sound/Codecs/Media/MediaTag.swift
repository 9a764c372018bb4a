/// A metadata entry of a file, under FFmpeg's name for the key.
///
/// FFmpeg has one name for `©nam`, `TIT2` and `TITLE`; keys that FFmpeg does not know keep the file's name.
package struct MediaTag: Hashable, Sendable {
    /// The most entries kept for a file.
    static let countLimit = 512
    /// The most bytes of one text; longer texts are ignored. Whole books of lyrics fit.
    static let byteLimit = 256 * 1024
    /// The most bytes of all texts of a file; later texts that exceed the total are ignored.
    static let totalByteLimit = 2 * 1024 * 1024

    /// The key as spelled by the file or FFmpeg, in any case.
    package let key: String
    /// The text.
    package let value: String

    /// Creates an entry.
    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}
