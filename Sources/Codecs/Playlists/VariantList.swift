/// The playlist of a stream's variants (HLS, a master playlist), with no more of them than are looked at.
///
/// The library asks for each variant and each rendition that a list names, and for the first piece of each, before it gives
/// any sound. Source: RFC 8216, 4.3.4.
struct VariantList: Hashable {
    /// Most variants that are looked at: those of sound alone first, then those of most bits a second. Lists for all screens
    /// from a watch to a wall have some ten, with the same few kinds of sound in them.
    static let variantLimit = 8
    /// Most renditions, as of languages, that are looked at.
    static let renditionLimit = 32

    /// The list that is left.
    let text: String

    /// - Returns: `nil` where it is no list of variants.
    init?(_ text: String) {
        let lines = text.split(omittingEmptySubsequences: true) { $0.isNewline }
        guard lines.contains(where: { $0.hasPrefix(Self.variantTag) }) else { return nil }
        var variants: [Variant] = []
        var renditions: [Int] = []
        var tag: Int?
        for (index, line) in lines.enumerated() {
            if line.hasPrefix(Self.variantTag) {
                tag = index
            } else if line.hasPrefix(Self.renditionTag) {
                renditions.append(index)
            } else if !line.hasPrefix("#"), let first = tag {
                variants.append(Variant(first, index, lines[first].dropFirst(Self.variantTag.count)))
                tag = nil
            }
        }
        guard variants.count > Self.variantLimit || renditions.count > Self.renditionLimit else {
            self.text = text
            return
        }
        let best = variants.sorted { $0.isBetter(than: $1) }.prefix(Self.variantLimit)
        // Of renditions those of sound come first.
        let sounds = renditions.filter { Self.isOfSound(lines[$0]) }
        let others = renditions.filter { !Self.isOfSound(lines[$0]) }
        let kept = Set(best.flatMap { [$0.tag, $0.address] } + (sounds + others).prefix(Self.renditionLimit))
        let named = Set(variants.flatMap { [$0.tag, $0.address] } + renditions)
        let left = lines.indices.filter { kept.contains($0) || !named.contains($0) }
        self.text = left.map { String(lines[$0]) }.joined(separator: "\n") + "\n"
    }

    private static let variantTag = "#EXT-X-STREAM-INF:"
    private static let renditionTag = "#EXT-X-MEDIA:"

    private static func isOfSound(_ line: Substring) -> Bool {
        Attributes(line.dropFirst(renditionTag.count))["TYPE"] == "AUDIO"
    }

    private struct Variant {
        /// Where its tag and its address stand.
        let tag: Int
        let address: Int
        private let isSound: Bool
        private let bandwidth: Int

        init(_ tag: Int, _ address: Int, _ text: Substring) {
            (self.tag, self.address) = (tag, address)
            let attributes = Attributes(text)
            isSound = attributes["RESOLUTION"] == nil && attributes["VIDEO"] == nil
            bandwidth = attributes["BANDWIDTH"].flatMap { Int($0) } ?? 0
        }

        func isBetter(than other: Variant) -> Bool {
            if isSound != other.isSound { return isSound }
            return bandwidth != other.bandwidth ? bandwidth > other.bandwidth : tag < other.tag
        }
    }
}

/// The values behind a tag: `NAME=VALUE,NAME="VALUE, WITH COMMAS"`. Source: RFC 8216, 4.2.
private struct Attributes {
    private var values: [Substring: Substring] = [:]

    init(_ text: Substring) {
        var rest = text
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].drop { $0 == "," || $0 == " " }
            rest = rest[rest.index(after: equals)...]
            let isQuoted = rest.first == "\""
            if isQuoted { rest = rest.dropFirst() }
            let end = rest.firstIndex(of: isQuoted ? "\"" : ",") ?? rest.endIndex
            values[name] = rest[..<end]
            rest = rest[end...].dropFirst()
        }
    }

    subscript(_ name: Substring) -> Substring? { values[name] }
}
