/// The name of a speaker as part of an instance name, which is one DNS label.
struct ServiceName: Hashable, Sendable {
    /// The maximum number of bytes in a label (RFC 1035, 2.3.4).
    static let labelLimit = 63

    /// The given name, truncated if it does not fit.
    let base: String
    /// 1 for the name itself, 2 for `Kitchen #2` and so on.
    private(set) var number = 1
    private let limit: Int

    /// - Parameter prefixByteCount: The size of the longest ``AdvertisedService/namePrefix`` in bytes.
    init(_ name: String, prefixByteCount: Int) {
        limit = max(1, Self.labelLimit - prefixByteCount)
        let cut = Self.cut(name, to: limit)
        base = cut.isEmpty ? "Tutti" : cut
    }

    /// The name to announce.
    var text: String {
        guard number > 1 else { return base }
        let suffix = " #\(number)"
        return Self.cut(base, to: limit - suffix.utf8.count) + suffix
    }

    /// Moves on to the next name, because another device has ``text``.
    mutating func next() { number += 1 }

    /// Returns as many whole characters as fit, without control characters, which avahi refuses.
    private static func cut(_ text: String, to limit: Int) -> String {
        var result = ""
        var count = 0
        for character in text
        where !character.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            count += character.utf8.count
            guard count <= limit else { break }
            result.append(character)
        }
        return result
    }
}
