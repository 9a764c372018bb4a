import CTuttiFFmpeg
import TuttiWeb

/// A filter for an input: shortens an HLS playlist and starts it at a later segment; passes everything else
/// through.
///
/// Buffers a playlist completely before it delivers any of it, because FFmpeg takes a truncated playlist for
/// a complete one.
struct ListInput {
    /// The most bytes of a playlist. FFmpeg keeps all segments in memory, each in some ten times its shortest
    /// line. A day in segments of six seconds leaves 500 characters per name.
    static let byteLimit = 8 << 20
    /// Bytes that suffice to recognize a playlist.
    private static let leastByteCount = 512
    /// The prefix without which FFmpeg does not recognize a playlist.
    private static let mark = Array("#EXTM3U".utf8)

    private let place: Double
    /// Returns whether a further master playlist is allowed; called for each one.
    private let mayNameLists: () -> Bool
    private var rest: ArraySlice<UInt8> = []
    private var isLookedAt = false
    /// The total duration of the dropped segments, in seconds.
    private(set) var skipped = 0.0

    /// - Parameters:
    ///   - place: The start position in seconds.
    ///   - mayNameLists: Returns whether a further master playlist is allowed.
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
