import Foundation
import Glibc

/// Texts without case and diacritics, as searches compare them.
enum FoldedText {
    static func fold(_ text: String) -> [UInt8] {
        var text = text
        let plain: [UInt8]? = text.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            return bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
        }
        if let plain { return plain }
        return Array(
            text.folding(
                options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil
            ).utf8)
    }

    /// Returns the place of the first occurrence of `needle`, which is not empty.
    static func find(_ needle: [UInt8], in hay: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
        guard let base = hay.baseAddress, let first = needle.first else { return nil }
        var place = start
        while place + needle.count <= hay.count {
            guard
                let found = memchr(base + place, Int32(first), hay.count - place - needle.count + 1)
            else { return nil }
            place = UnsafeRawPointer(found) - base
            if memcmp(base + place, needle, needle.count) == 0 { return place }
            place += 1
        }
        return nil
    }

    static func contains(_ hay: ArraySlice<UInt8>, _ needle: [UInt8]) -> Bool {
        needle.isEmpty || hay.withUnsafeBytes { find(needle, in: $0) != nil }
    }
}

/// The folded texts of all songs, in one block that a search runs through at the speed of memory.
struct FoldedTable: Sendable {
    /// The tags of the block, in its order.
    private static let columns: [Tag] = [.title, .artist, .album, .albumArtist, .genre, .date, .name]
    /// Ends each value.
    private static let end: UInt8 = 0x0A

    private var bytes: [UInt8] = []
    /// The start of each column of each song, then the end of all.
    private var starts: [UInt32] = []
    private var known: [String: [UInt8]] = [:]

    /// Appends a song. A block of 4 GB, which no library reaches, takes no more.
    mutating func append(_ song: Song) {
        for tag in Self.columns {
            starts.append(UInt32(clamping: bytes.count))
            guard bytes.count < Int(UInt32.max) - 65_536 else { continue }
            if tag == .title {
                if let title = song.title { append(FoldedText.fold(title)) }
            } else if tag != .albumArtist || song.albumArtist != nil {
                song.each(tag) { append(folded($0)) }
            }
        }
    }

    /// Ends the table.
    mutating func finish() {
        starts.append(UInt32(clamping: bytes.count))
        known = [:]
        // Without the room that growing leaves.
        (bytes, starts) = (Array(bytes[...]), Array(starts[...]))
    }

    private mutating func append(_ value: [UInt8]) {
        bytes += value.prefix(4096)
        bytes.append(Self.end)
    }

    private mutating func folded(_ text: String) -> [UInt8] {
        if let value = known[text] { return value }
        let value = FoldedText.fold(text)
        known[text] = value
        return value
    }

    /// Calls `body` with each folded value of a tag until it returns `true`; returns whether it did.
    ///
    /// - Returns: `nil` for a tag that is not in the table.
    func contains(_ song: Int, _ tag: Tag, where body: (ArraySlice<UInt8>) -> Bool) -> Bool? {
        guard let column = Self.columns.firstIndex(of: tag) else { return nil }
        var range = range(song, column)
        if range.isEmpty, tag == .albumArtist { range = self.range(song, 1) }
        var start = range.lowerBound
        while start < range.upperBound, let end = bytes[start..<range.upperBound].firstIndex(of: Self.end) {
            if body(bytes[start..<end]) { return true }
            start = end + 1
        }
        return false
    }

    private func range(_ song: Int, _ column: Int) -> Range<Int> {
        let place = song * Self.columns.count + column
        return Int(starts[place])..<Int(starts[place + 1])
    }

    /// Whether ``songs(with:in:)`` can look for a tag: one without a fallback.
    static func canSearch(_ tag: Tag) -> Bool { tag != .albumArtist && columns.contains(tag) }

    /// Returns the songs that have a text in one of their tags, or in a certain one, in order.
    func songs(with needle: [UInt8], in tag: Tag? = nil) -> [Int] {
        let column = tag.flatMap { Self.columns.firstIndex(of: $0) }
        var found: [Int] = []
        bytes.withUnsafeBytes { block in
            var place = 0
            while let hit = FoldedText.find(needle, in: block, from: place) {
                let song = song(at: hit)
                let own = column.map { range(song, $0) } ?? hit..<hit + 1
                if own.contains(hit) { found.append(song) }
                place = hit < own.lowerBound ? own.lowerBound : Int(starts[(song + 1) * Self.columns.count])
            }
        }
        return found
    }

    /// Returns the song whose texts are at a place of the block.
    private func song(at place: Int) -> Int {
        var (low, high) = (0, starts.count / Self.columns.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(starts[middle * Self.columns.count]) <= place { low = middle } else { high = middle }
        }
        return low
    }
}
