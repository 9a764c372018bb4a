/// The lines that wait for the log's reader: bounded, so that a reader that stands still costs lines, not memory.
struct LogQueue: Sendable {
    private var lines: [String] = []
    private var byteCount = 0
    /// Lines that were dropped since the last batch.
    private var dropped = 0
    private let byteLimit: Int

    /// - Parameter byteLimit: The most bytes that wait.
    init(byteLimit: Int = 262_144) { self.byteLimit = byteLimit }

    /// Adds a line, or counts it as dropped.
    mutating func append(_ line: String) {
        guard byteCount + line.utf8.count <= byteLimit else {
            dropped += 1
            return
        }
        lines.append(line)
        byteCount += line.utf8.count
    }

    /// Returns everything that waits, and the number of lines that were dropped after it.
    mutating func takeAll() -> (text: String, dropped: Int) {
        defer { (lines, byteCount, dropped) = ([], 0, 0) }
        return (lines.joined(), dropped)
    }
}
