/// Counts the bytes of an input that is a playlist of pieces, and of no other.
struct PlaylistMeter {
    /// Most bytes of a playlist. The library keeps all its pieces in memory, each in some ten times its shortest line; a
    /// day in pieces of six seconds has names of 500 characters.
    static let byteLimit = 8 << 20

    /// The library takes nothing for a playlist that does not begin with it.
    private static let mark = Array("#EXTM3U".utf8)

    private var start: [UInt8] = []
    private var count = 0

    /// - Parameter bytes: those that follow the bytes of the last call.
    mutating func isTooLong(after bytes: UnsafeRawBufferPointer) -> Bool {
        if start.count < Self.mark.count { start += bytes.prefix(Self.mark.count - start.count) }
        count += bytes.count
        return count > Self.byteLimit && start == Self.mark
    }
}
