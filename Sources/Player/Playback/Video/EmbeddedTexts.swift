import TuttiCodecs

/// The texts of a stream that is read along with pictures, in the order of their starts. A value.
struct EmbeddedTexts {
    /// The most texts.
    static let countLimit = 20_000
    /// The most bytes of all texts; later ones are left out. Animated typesetting of a film takes some 20 MiB.
    static let byteLimit = 32 << 20

    /// The script's header: resolution and styles.
    var header = ""
    private(set) var table = SubtitleTable()
    private var byteCount = 0
    /// Hashes of the texts, because a place is read again after a seek.
    private var known: Set<Int> = []

    /// Adds texts, except those that an earlier reading of the same place has found.
    mutating func keep(_ texts: [SubtitleCue]) {
        for text in texts where table.cues.count < Self.countLimit {
            // The first number of an event counts what was read.
            let words = text.event.drop { $0 != "," }
            let size = text.event.utf8.count
            guard byteCount + size <= Self.byteLimit else { continue }
            var hasher = Hasher()
            hasher.combine(text.start)
            hasher.combine(text.end)
            hasher.combine(words)
            guard known.insert(hasher.finalize()).inserted else { continue }
            byteCount += size
            table.insert(text)
        }
    }

    /// Forgets all texts.
    mutating func removeAll() { self = EmbeddedTexts() }
}
