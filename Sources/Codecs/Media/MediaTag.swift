/// One thing that a file says about itself, under the library's name for it.
///
/// The library has one name for what the formats call `©nam`, `TIT2` and `TITLE`; what it has no name for
/// keeps the file's.
public struct MediaTag: Hashable, Sendable {
    /// Of all entries of a file no more than these are kept.
    static let countLimit = 512
    /// Longer texts are left out; whole books of lyrics fit.
    static let byteLimit = 256 * 1024
    /// All texts of a file together; what comes after is left out.
    static let totalByteLimit = 2 * 1024 * 1024

    /// As the file or the library spells it, in either case.
    public let key: String
    public let value: String

    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}
