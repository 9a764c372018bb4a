/// An HLS master playlist, reduced to the variants and renditions worth probing.
///
/// Before it delivers any sound, FFmpeg requests every variant and rendition in the list, and the first
/// segment of each. Source: RFC 8216, 4.3.4.
struct VariantList: Hashable {
    /// The most variants kept: audio-only variants first, then those with the highest bandwidth. Lists for
    /// all screen sizes have some ten variants that share the same few audio streams.
    static let variantLimit = 8
    /// The most renditions kept, e.g. languages.
    static let renditionLimit = 32

    /// The reduced playlist.
    let text: String

    /// - Returns: `nil` if the text is not a master playlist.
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
        // Audio renditions come first.
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
        /// Line indices of the tag and of the address.
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

/// The attributes of a tag: `NAME=VALUE,NAME="VALUE, WITH COMMAS"`. Source: RFC 8216, 4.2.
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
