/// The commands of a list, until its end comes. A value.
struct CommandList: Sendable {
    /// The most bytes of a list, as in MPD.
    static let limit = 2 << 20

    /// Whether each command is answered by `list_OK`.
    let isAcknowledged: Bool
    /// All lines in one block: an array each would cost a hostile client's empty lines dearly.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init(isAcknowledged: Bool) { self.isAcknowledged = isAcknowledged }

    var count: Int { ends.count }

    /// Appends a line; returns `false` if the list is too long.
    mutating func append(_ line: [UInt8]) -> Bool {
        let size = bytes.count + line.count + (ends.count + 1) * MemoryLayout<Int>.size
        guard size <= Self.limit else { return false }
        bytes += line
        ends.append(bytes.count)
        return true
    }

    /// Returns a line.
    subscript(_ place: Int) -> [UInt8] {
        Array(bytes[(place > 0 ? ends[place - 1] : 0)..<ends[place]])
    }
}
