/// The lines of an input that comes in pieces. A value.
struct InputLines {
    /// A line that has ended.
    enum Line: Equatable {
        /// The line without its end, a line feed with or without a carriage return before it.
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
            lines.append(endLine())
        }
        take(rest)
        return lines
    }

    /// Ends the input; returns the last line if it has no end.
    mutating func finish() -> Line? { pending.isEmpty && !isTooLong ? nil : endLine() }

    private mutating func endLine() -> Line {
        defer { (pending, isTooLong) = ([], false) }
        if isTooLong { return .tooLong }
        if pending.last == 0x0D { pending.removeLast() }
        return .text(String(decoding: pending, as: UTF8.self))
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        isTooLong = isTooLong || pending.count + bytes.count > limit
        if isTooLong { pending = [] } else { pending += bytes }
    }
}
