/// A condition with an order and a part of its results: the arguments of `find` and similar commands.
struct SongSelection: Sendable {
    /// The order of results.
    enum Order: Sendable, Hashable {
        case tag(Tag)
        case modified
        /// A tag that no song has: the order stays.
        case none
    }

    var filter: SongFilter
    var order: Order?
    var isDescending = false
    var window: Range<Int>?
    var position: QueuePosition?

    /// Reads arguments: a condition, then `sort TAG`, `window START:END` and `position N`, in this order.
    ///
    /// - Parameter takesPosition: Whether the command inserts into a queue.
    init(_ arguments: [String], isFolded: Bool, takesPosition: Bool = false) throws(CommandError) {
        var rest = arguments
        if takesPosition, let value = Self.option("position", &rest) { position = try QueuePosition(value) }
        if let value = Self.option("window", &rest) { window = try Argument.range(value, count: .max) }
        if let value = Self.option("sort", &rest) {
            let name = value.hasPrefix("-") ? String(value.dropFirst()) : value
            isDescending = value.hasPrefix("-")
            switch (name.lowercased(), Tag.Named(name)) {
            case ("last-modified", _), ("added", _): order = .modified
            case (_, .known(let tag)): order = .tag(tag)
            case (_, .absent): order = Order.none
            default: throw CommandError(.argument, "Unknown sort tag")
            }
        }
        filter = try FilterParser.filter(rest, isFolded: isFolded)
    }

    /// Takes the last two arguments if the first of them is this word, and a condition is left before them.
    private static func option(_ name: String, _ arguments: inout [String]) -> String? {
        guard arguments.count >= 3, arguments[arguments.count - 2] == name else { return nil }
        defer { arguments.removeLast(2) }
        return arguments.last
    }

    /// Returns the places of the songs, in the wanted order.
    func songs(in catalogue: SongCatalogue) -> [Int] {
        arranged(filter.songs(in: catalogue), catalogue)
    }

    /// Returns places in the wanted order, and of these the wanted part.
    func arranged(_ places: [Int], _ catalogue: SongCatalogue) -> [Int] {
        var found = places
        sort(&found, catalogue)
        guard let window else { return found }
        return Array(found[window.clamped(to: 0..<found.count)])
    }

    private func sort(_ places: inout [Int], _ catalogue: SongCatalogue) {
        switch order {
        case nil, .some(.none): return
        case .modified: sort(&places) { Key(text: [], number: catalogue.songs.modified(at: $0) ?? 0) }
        case .tag(.track): sort(&places) { Key(text: [], number: Int64(catalogue.songs[$0].track ?? 0)) }
        case .tag(.disc): sort(&places) { Key(text: [], number: Int64(catalogue.songs[$0].disc ?? 0)) }
        case .tag(let tag):
            sort(&places) { place in
                let value = catalogue.songs[place].values(tag).first
                return Key(text: value.map(FoldedText.fold) ?? [], number: 0)
            }
        }
    }

    private struct Key: Comparable {
        var text: [UInt8]
        var number: Int64

        static func < (left: Key, right: Key) -> Bool {
            left.text == right.text
                ? left.number < right.number : left.text.lexicographicallyPrecedes(right.text)
        }
    }

    /// Sorts by keys, each made once; equal ones keep their order.
    private func sort(_ places: inout [Int], _ key: (Int) -> Key) {
        let keyed = places.enumerated().map { (offset: $0, key: key($1), place: $1) }
        places = keyed.sorted { left, right in
            if left.key != right.key { return isDescending ? right.key < left.key : left.key < right.key }
            return left.offset < right.offset
        }.map(\.place)
    }
}
