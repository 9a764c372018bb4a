/// Songs in little room: a row of numbers each, texts that no two songs share in one block, and the others once.
///
/// 50,000 songs take some 7 MB, and 26 MB as values of ``Song``, which are made as they are asked for.
struct SongTable: RandomAccessCollection, Sendable {
    /// A song. Texts are numbers of ``NameTable`` and of ``folders``, or lie in the block.
    private struct Row: Sendable {
        var id: Int64
        var modified: Int64
        var duration: Double
        /// The start of the file's name in the block; the title follows it.
        var start: UInt32
        var fileLength: UInt32
        var titleLength: UInt32
        /// The address up to the last `/`.
        var folder: UInt32
        var name: UInt32
        var artists: UInt32
        var album: UInt32
        var albumArtist: UInt32
        var genre: UInt32
        var date: UInt32
        var picture: UInt32
        var track: Int32
        var disc: Int32
    }

    /// Stands for a text that a song does not have.
    private static let none = UInt32.max

    private var rows: [Row] = []
    private var block: [UInt8] = []
    private var names = NameTable()
    private var folders: [String] = []
    /// Names of files are equal only byte for byte.
    private var folderNumbers: [[UInt8]: UInt32] = [:]

    var startIndex: Int { 0 }
    var endIndex: Int { rows.count }

    subscript(place: Int) -> Song {
        let row = rows[place]
        let title = Int(row.start) + Int(row.fileLength)
        return Song(
            id: row.id, uri: folders[Int(row.folder)] + text(Int(row.start)..<title),
            title: row.titleLength == Self.none ? nil : text(title..<title + Int(row.titleLength)),
            name: name(row.name), artists: names.list(row.artists), album: name(row.album),
            albumArtist: name(row.albumArtist), genre: name(row.genre),
            track: row.track == .min ? nil : Int(row.track), disc: row.disc == .min ? nil : Int(row.disc),
            date: name(row.date), duration: row.duration.isNaN ? nil : row.duration,
            modified: row.modified == .min ? nil : row.modified, picture: name(row.picture))
    }

    /// Returns the track in the library of the song at a place; 0 for none.
    func id(at place: Int) -> Int64 { rows[place].id }

    /// Returns the Unix time of the last change of the file at a place, in seconds.
    func modified(at place: Int) -> Int64? { rows[place].modified == .min ? nil : rows[place].modified }

    private func text(_ range: Range<Int>) -> String { String(decoding: block[range], as: UTF8.self) }

    private func name(_ number: UInt32) -> String? { number == Self.none ? nil : names[number] }

    // MARK: Making

    /// Appends a song. A block of 4 GB, which no library reaches, takes no further texts.
    mutating func append(_ song: Song) {
        let (uri, title) = (song.uri.utf8, song.title?.utf8)
        let file = uri.lastIndex(of: 0x2F).map { uri.index(after: $0) } ?? uri.startIndex
        let hasRoom = block.count + uri.count + (title?.count ?? 0) < Int(Self.none)
        rows.append(
            Row(
                id: song.id, modified: song.modified ?? .min, duration: song.duration ?? .nan,
                start: UInt32(clamping: block.count),
                fileLength: hasRoom ? UInt32(uri[file...].count) : 0,
                titleLength: title.map { hasRoom ? UInt32($0.count) : 0 } ?? Self.none,
                folder: number(folder: song.uri[..<file]), name: number(song.name),
                artists: names.number(song.artists), album: number(song.album),
                albumArtist: number(song.albumArtist), genre: number(song.genre), date: number(song.date),
                picture: number(song.picture), track: song.track.map { Int32(clamping: $0) } ?? .min,
                disc: song.disc.map { Int32(clamping: $0) } ?? .min))
        guard hasRoom else { return }
        block += uri[file...]
        if let title { block += title }
    }

    private mutating func number(folder: Substring) -> UInt32 {
        let key = Array(folder.utf8)
        if let number = folderNumbers[key] { return number }
        let number = UInt32(folders.count)
        folders.append(String(folder))
        folderNumbers[key] = number
        return number
    }

    private mutating func number(_ name: String?) -> UInt32 { name.map { names.number($0) } ?? Self.none }

    /// Puts the songs in the order of their old places, and gives back what only the making needs.
    mutating func finish(order: [Int]? = nil) {
        // Arrays of exactly this size, without the room that growing leaves.
        rows = order.map { $0.map { rows[$0] } } ?? Array(rows[...])
        block = Array(block[...])
        (folders, folderNumbers) = (Array(folders[...]), [:])
        names.finish()
    }

    /// Whether the song at one place comes before another of its folder.
    func isBefore(_ left: Int, _ right: Int) -> Bool {
        let (one, other) = (rows[left], rows[right])
        if one.album != other.album { return name(one.album) ?? "" < name(other.album) ?? "" }
        if one.disc != other.disc { return Self.order(one.disc) < Self.order(other.disc) }
        if one.track != other.track { return Self.order(one.track) < Self.order(other.track) }
        return self[left].uri < self[right].uri
    }

    /// Songs without a number come where those with 0 are.
    private static func order(_ number: Int32) -> Int32 { number == .min ? 0 : number }
}

/// Texts and lists of texts that many songs share, each kept once and known by a number.
struct NameTable: Sendable {
    private var names: [String] = []
    private var lists: [[String]] = []
    private var numbers: [String: UInt32] = [:]
    private var listNumbers: [[String]: UInt32] = [:]

    subscript(number: UInt32) -> String { names[Int(number)] }

    func list(_ number: UInt32) -> [String] { lists[Int(number)] }

    mutating func number(_ name: String) -> UInt32 {
        if let number = numbers[name] { return number }
        let number = UInt32(names.count)
        names.append(name)
        numbers[name] = number
        return number
    }

    mutating func number(_ list: [String]) -> UInt32 {
        if let number = listNumbers[list] { return number }
        let shared = list.map { names[Int(self.number($0))] }
        let number = UInt32(lists.count)
        lists.append(shared)
        listNumbers[shared] = number
        return number
    }

    /// Gives back what only the making needs.
    mutating func finish() {
        (numbers, listNumbers) = ([:], [:])
        (names, lists) = (Array(names[...]), Array(lists[...]))
    }
}

/// The places of songs by a text or a number that they have, without a copy of it.
struct PlaceTable: Sendable {
    /// Places plus one; 0 is free. A power of two, at most half full.
    private var slots: [UInt32]

    /// - Parameters:
    ///   - count: The number of places, from 0.
    ///   - hash: The hash of what is at a place.
    ///   - isEqual: Whether two places have the same; the later one then counts.
    init(count: Int, hash: (Int) -> Int, isEqual: (Int, Int) -> Bool) {
        var size = 2
        while size < count * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        for place in 0..<min(count, Int(UInt32.max) - 1) {
            let slot = self.slot(hash(place)) { isEqual($0, place) }
            slots[slot] = UInt32(place + 1)
        }
    }

    /// Returns the place with a hash that `isWanted` accepts.
    func place(_ hash: Int, where isWanted: (Int) -> Bool) -> Int? {
        let found = slots[slot(hash, where: isWanted)]
        return found == 0 ? nil : Int(found) - 1
    }

    private func slot(_ hash: Int, where isWanted: (Int) -> Bool) -> Int {
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0, !isWanted(Int(slots[slot]) - 1) { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }
}
