/// A condition on songs. A value; made by ``FilterParser``.
indirect enum SongFilter: Sendable {
    case all([SongFilter])
    case not(SongFilter)
    case tag(Tag.Named, TextCondition)
    /// Any tag.
    case any(TextCondition)
    case file(TextCondition)
    /// Songs below an address.
    case base(String)
    /// Files that changed at or after a Unix time, in seconds.
    case modifiedSince(Int64)
    /// The format of the sound, which the library does not know in full.
    case format

    /// Returns whether a song of a catalogue meets the condition.
    func matches(_ place: Int, _ catalogue: SongCatalogue) -> Bool {
        // Made only where it is needed: the table of texts answers most conditions.
        var song: Song { catalogue.songs[place] }
        switch self {
        case .all(let parts): return parts.allSatisfy { $0.matches(place, catalogue) }
        case .not(let part): return !part.matches(place, catalogue)
        case .tag(.absent, let condition): return condition.wanted.isEmpty
        case .tag(.known(let tag), let condition):
            if let text = condition.folded {
                // The table has no missing tags, which an empty text finds.
                if text.isEmpty { return condition.matches(song.values(tag)) }
                let isHit = catalogue.texts.contains(place, tag) { condition.matches(folded: $0) }
                if let isHit { return isHit }
            }
            return condition.matches(song.values(tag))
        case .any(let condition):
            return Tag.allCases.contains { tag in
                guard tag != .track, tag != .disc else { return false }
                if condition.folded != nil,
                    let isHit = catalogue.texts.contains(place, tag, where: { condition.matches(folded: $0) })
                {
                    return isHit
                }
                return !condition.wanted.isEmpty && condition.matches(song.values(tag))
            }
        case .file(let condition): return condition.matches([song.uri])
        case .base(let uri):
            let own = song.uri
            return uri.isEmpty || own == uri
                || own.hasPrefix(uri) && own.utf8.dropFirst(uri.utf8.count).first == 0x2F
        case .modifiedSince(let time): return catalogue.songs.modified(at: place).map { $0 >= time } ?? false
        case .format: return false
        }
    }

    /// The number of conditions in it.
    var conditionCount: Int {
        switch self {
        case .all(let parts): parts.reduce(0) { $0 + $1.conditionCount }
        case .not(let part): part.conditionCount
        case .tag, .any, .file, .base, .modifiedSince, .format: 1
        }
    }

    /// Begins to look for the songs of a catalogue that meet the condition.
    func search(_ catalogue: SongCatalogue) -> SongSearch {
        var candidates: [Int]?
        var parts = [self]
        if case .all(let several) = self { parts = several }
        for case .base(let uri) in parts where !catalogue.folders.isEmpty {
            candidates = Array(catalogue.songs(below: uri) ?? 0..<0)
        }
        // The block of all texts is faster than the songs one by one.
        var blocks: [SongSearch.Block] = []
        parts.removeAll { part in
            guard let block = part.block else { return false }
            blocks.append(block)
            return true
        }
        return SongSearch(candidates: candidates, blocks: blocks, parts: parts, catalogue: catalogue)
    }

    /// The condition as a search of the block of all texts; `nil` if the songs must be looked at one by one.
    private var block: SongSearch.Block? {
        if case .not(let part) = self {
            return part.needle.map { SongSearch.Block(text: $0.text, tag: $0.tag, isNegated: true) }
        }
        return needle.map { SongSearch.Block(text: $0.text, tag: $0.tag, isNegated: false) }
    }

    /// Returns the songs of a catalogue that meet the condition, in its order.
    func songs(in catalogue: SongCatalogue) -> [Int] {
        var search = search(catalogue)
        while !search.isDone { search.step(.max) }
        return search.found
    }

    /// The text, and the tag of it or `nil` for any, if the block of all texts can be searched for it.
    private var needle: (tag: Tag?, text: [UInt8])? {
        let (tag, condition): (Tag?, TextCondition)
        switch self {
        case .any(let wanted): (tag, condition) = (nil, wanted)
        case .tag(.known(let known), let wanted) where FoldedTable.canSearch(known):
            (tag, condition) = (known, wanted)
        default: return nil
        }
        guard condition.comparison == .contains, let text = condition.folded, !text.isEmpty,
            !text.contains(0x0A)
        else { return nil }
        return (tag, text)
    }
}

/// A condition on a text.
struct TextCondition: Sendable, Hashable {
    /// The relation of a song's text to the wanted one.
    enum Comparison: Sendable, Hashable { case equal, contains, startsWith }

    let comparison: Comparison
    let wanted: String
    /// The wanted text without case and diacritics; `nil` if those count.
    let folded: [UInt8]?

    init(_ comparison: Comparison, _ wanted: String, isFolded: Bool) {
        (self.comparison, self.wanted) = (comparison, wanted)
        folded = isFolded ? FoldedText.fold(wanted) : nil
    }

    /// Returns whether one of a tag's values is as wanted. No value counts as an empty one.
    func matches(_ values: [String]) -> Bool {
        if values.isEmpty { return wanted.isEmpty }
        return values.contains { value in
            if folded != nil { return matches(folded: FoldedText.fold(value)[...]) }
            switch comparison {
            case .equal: return value == wanted
            case .contains: return FoldedText.contains(Array(value.utf8)[...], Array(wanted.utf8))
            case .startsWith: return value.hasPrefix(wanted)
            }
        }
    }

    /// Returns whether a folded value is as wanted.
    func matches(folded value: ArraySlice<UInt8>) -> Bool {
        guard let folded else { return false }
        switch comparison {
        case .equal: return value.elementsEqual(folded)
        case .contains: return FoldedText.contains(value, folded)
        case .startsWith: return value.starts(with: folded)
        }
    }
}
