internal import CFFmpeg
internal import Web

/// What of an input is a playlist of pieces, from a later piece on; everything else as it is.
struct ListInput {
    private let place: Double
    private var rest: ArraySlice<UInt8> = []
    private var isLookedAt = false
    /// Seconds of the pieces that were left out.
    private(set) var skipped = 0.0

    /// - Parameter place: seconds.
    init(from place: Double) { self.place = place }

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
        while !isEnded, bytes.count <= PlaylistMeter.byteLimit,
            bytes.count < 512 || WebContent(Array(bytes.prefix(4096))) == .segments
        {
            let count = try source.read(into: room)
            bytes += room[..<count]
            isEnded = count == 0
        }
        isLookedAt = true
        guard isEnded, WebContent(Array(bytes.prefix(4096))) == .segments else { return rest = bytes[...] }
        let list = PieceList(String(decoding: bytes, as: UTF8.self), from: place)
        (rest, skipped) = (Array(list.text.utf8)[...], list.skipped)
    }
}
