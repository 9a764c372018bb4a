/// Text of a peer, cut to what displays and logs take.
///
/// It is counted in bytes: one character may have any number of marks on it.
public enum ReceivedText {
    /// Whole Unicode scalars of the text, up to so many bytes of UTF-8.
    public static func cut(_ text: String, toBytes limit: Int) -> String {
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

    /// The same of bytes; what is no UTF-8 becomes U+FFFD.
    public static func cut(_ bytes: ArraySlice<UInt8>, toBytes limit: Int) -> String {
        // A replaced byte is three: what is decoded is cut once more.
        cut(String(decoding: bytes.prefix(limit), as: UTF8.self), toBytes: limit)
    }
}
