/// The entries of a queue that a person names: by numbers from 1, as `tutti queue` lists them, or by titles.
enum EntryNumbers {
    /// Returns the places of some words, from 0, each once, in the order of the words.
    ///
    /// - Parameters:
    ///   - words: `3`, `3-5`, `3-` or the beginning of a title.
    ///   - titles: Those of the whole queue.
    static func places(_ words: [String], titles: [String]) throws(RemoteFailure) -> [Int] {
        guard !titles.isEmpty else { throw RemoteFailure(.notFound, "The queue is empty.") }
        var places: [Int] = []
        for word in words {
            for place in try range(word, titles) where !places.contains(place) { places.append(place) }
        }
        return places
    }

    /// Returns the place of one entry, from 0.
    static func place(_ word: String, titles: [String]) throws(RemoteFailure) -> Int {
        let places = try places([word], titles: titles)
        guard places.count == 1 else {
            throw RemoteFailure(
                .usage,
                "\(NameMatch.quoted(word)) matches more than one entry. Type more of the title, or its number."
            )
        }
        return places[0]
    }

    private static func range(_ word: String, _ titles: [String]) throws(RemoteFailure) -> Range<Int> {
        let parts = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let isNumeric =
            word.first?.isNumber == true && word.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "-") }
        guard isNumeric, let first = Int(parts[0]) else {
            let places = Array(titles.indices)
            let place = try NameMatch.find(
                word, kind: "entry", among: places, id: { "\($0 + 1)" }, name: { titles[$0] })
            return place..<place + 1
        }
        let last = parts.count == 1 ? first : parts[1].isEmpty ? titles.count : Int(parts[1]) ?? 0
        guard first >= 1, first <= last, last <= titles.count else {
            let entries = titles.count == 1 ? "one entry" : "\(titles.count) entries"
            throw RemoteFailure(
                .notFound, "There is no entry \(NameMatch.quoted(word)): the queue has \(entries).")
        }
        return first - 1..<last
    }
}
