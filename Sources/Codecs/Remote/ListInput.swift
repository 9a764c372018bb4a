internal import CFFmpeg
internal import Web

/// Filters an input: limits a playlist of pieces or variants and begins it at a later piece, passes everything else on.
///
/// A playlist is read whole before any of it is given: the library takes one that breaks off for a whole one.
struct ListInput {
    /// Most bytes of a playlist. The library keeps all its pieces in memory, each in some ten times its shortest line; a
    /// day in pieces of six seconds has names of 500 characters.
    static let byteLimit = 8 << 20
    /// Enough of an input to tell whether it is a playlist.
    private static let leastByteCount = 512
    /// The library takes nothing for a playlist that does not begin with it.
    private static let mark = Array("#EXTM3U".utf8)

    private let place: Double
    /// Asked at each list of variants: whether it may be one.
    private let mayNameLists: () -> Bool
    private var rest: ArraySlice<UInt8> = []
    private var isLookedAt = false
    /// Seconds of the pieces that were left out.
    private(set) var skipped = 0.0

    /// - Parameter place: seconds.
    init(from place: Double, mayNameLists: @escaping () -> Bool) {
        (self.place, self.mayNameLists) = (place, mayNameLists)
    }

    mutating func read(
        _ source: any ByteSource, into target: UnsafeMutableRawBufferPointer
    ) throws(WebError) -> Int {
        if !isLookedAt { try look(at: source) }
        guard !rest.isEmpty else { return try source.read(into: target) }
        let count = min(target.count, rest.count)
        target.copyBytes(from: rest.prefix(count))
        rest.removeFirst(count)
        return count
    }

    private mutating func look(at source: any ByteSource) throws(WebError) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 16)
        defer { room.deallocate() }
        var bytes: [UInt8] = []
        var isEnded = false
        while !isEnded, bytes.count < Self.leastByteCount || Self.isList(bytes) {
            let count = try source.read(into: room)
            bytes += room[..<count]
            isEnded = count == 0
            if bytes.count > Self.byteLimit, Self.isList(bytes) { throw .tooLong(limit: Self.byteLimit) }
        }
        isLookedAt = true
        rest = bytes[...]
        guard Self.isList(bytes) else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        if let list = VariantList(text) {
            guard mayNameLists() else { throw .playlistsInPlaylists(limit: WebInputs.nestingLimit) }
            rest = Array(list.text.utf8)[...]
        } else if place > 0 {
            let list = PieceList(text, from: place)
            (rest, skipped) = (Array(list.text.utf8)[...], list.skipped)
        }
    }

    private static func isList(_ bytes: [UInt8]) -> Bool {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return start.starts(with: mark)
    }
}
