/// A search through a catalogue, step by step. A value.
struct SongSearch: Sendable {
    /// A condition that the block of all texts answers.
    struct Block: Sendable {
        /// The folded text to look for, which is not empty.
        var text: [UInt8]
        /// The tag to look in; `nil` for any.
        var tag: Tag?
        /// Whether songs with the text are left out.
        var isNegated: Bool
    }

    /// The places of the songs that meet all conditions, in the order of the catalogue.
    private(set) var found: [Int] = []
    /// The number of conditions that are tried on each song, from 1.
    let conditionCount: Int
    /// The places of the songs to look at; `nil` for all.
    private var candidates: [Int]?
    private var blocks: [Block]
    private let parts: [SongFilter]
    private let catalogue: SongCatalogue
    private var next = 0

    /// - Parameters:
    ///   - candidates: The places of the songs to look at, in order; `nil` for all.
    ///   - blocks: The conditions that the block of all texts answers.
    ///   - parts: The other conditions. All of both must be met.
    init(candidates: [Int]?, blocks: [Block], parts: [SongFilter], catalogue: SongCatalogue) {
        (self.candidates, self.parts, self.catalogue) = (candidates, parts, catalogue)
        // Taken from the end; those that find songs leave fewer to the others.
        self.blocks = blocks.filter(\.isNegated) + blocks.filter { !$0.isNegated }
        conditionCount = max(1, parts.reduce(0) { $0 + $1.conditionCount })
    }

    private var count: Int { candidates?.count ?? catalogue.songs.count }

    /// Whether all songs have been looked at.
    var isDone: Bool { blocks.isEmpty && next >= count }

    /// Looks for one text, or at the next songs, at most `count`.
    mutating func step(_ count: Int) {
        if let block = blocks.popLast() { return narrow(by: block) }
        let end = next + min(count, self.count - next)
        for place in next..<end {
            let song = candidates?[place] ?? place
            if parts.allSatisfy({ $0.matches(song, catalogue) }) { found.append(song) }
        }
        next = end
    }

    private mutating func narrow(by block: Block) {
        let hits = catalogue.texts.songs(with: block.text, in: block.tag)
        if candidates == nil, !block.isNegated {
            candidates = hits
            return
        }
        var isHit = Array(repeating: false, count: catalogue.songs.count)
        for song in hits { isHit[song] = true }
        candidates = (candidates ?? Array(catalogue.songs.indices)).filter { isHit[$0] != block.isNegated }
    }
}
