/// Limits a peer's text to a length that displays and logs can take.
///
/// Counts bytes, because one character may carry any number of combining marks.
package enum ReceivedText {
    /// Cuts a text to whole Unicode scalars within `limit` bytes of UTF-8.
    package static func cut(_ text: String, toBytes limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var kept = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= limit else { break }
            kept.append(scalar)
        }
        return String(kept)
    }

    /// Decodes UTF-8, replaces malformed bytes by U+FFFD, and cuts to `limit` bytes.
    package static func cut(_ bytes: ArraySlice<UInt8>, toBytes limit: Int) -> String {
        // Cut again after decoding: U+FFFD takes three bytes for one.
        cut(String(decoding: bytes.prefix(limit), as: UTF8.self), toBytes: limit)
    }
}
