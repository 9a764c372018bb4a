/// The name of a speaker as part of an instance name, which is one label of the DNS.
struct ServiceName: Hashable, Sendable {
    /// Most bytes of a label (RFC 1035, 2.3.4).
    static let labelLimit = 63

    /// The name as it was given, cut when it does not fit.
    let base: String
    /// 1 for the name itself, 2 for `Kitchen #2` and so on.
    private(set) var number = 1
    private let limit: Int

    /// - Parameter prefixByteCount: Bytes of the longest ``AdvertisedService/namePrefix``.
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

    /// Another device has ``text``.
    mutating func next() { number += 1 }

    /// Whole characters, as many as fit; control characters are left out, for avahi refuses them.
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
