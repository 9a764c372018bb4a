/// The lines of an input that comes in pieces. A value.
struct InputLines {
    /// A line that has ended.
    enum Line: Equatable {
        /// The line without its end.
        case text(String)
        /// A line that is longer than the limit; its bytes are dropped.
        case tooLong
    }

    /// The most bytes of a line.
    let limit: Int
    private var pending: [UInt8] = []
    /// Whether the line that is being read is longer than the limit.
    private var isTooLong = false

    init(limit: Int) { self.limit = limit }

    /// Takes bytes cut anywhere, and returns the lines that end in them.
    mutating func receive(_ bytes: ArraySlice<UInt8>) -> [Line] {
        var lines: [Line] = []
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            take(rest[..<end])
            rest = rest[(end + 1)...]
            lines.append(isTooLong ? .tooLong : .text(String(decoding: pending, as: UTF8.self)))
            (pending, isTooLong) = ([], false)
        }
        take(rest)
        return lines
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        isTooLong = isTooLong || pending.count + bytes.count > limit
        if isTooLong { pending = [] } else { pending += bytes }
    }
}
