/// The positions assigned to the latest device frames, and the one heard last.
struct CursorHistory: Sendable {
    /// A run of `count` device frames, whose positions are `step` apart.
    struct Part: Sendable {
        var start: RenderCursor
        var count: Int64
        var step: Double

        /// Returns the position of a frame, or the end of the part.
        func cursor(at frame: Int64) -> RenderCursor {
            var cursor = start
            cursor.advance(by: min(frame - start.frame, count), step: step)
            return cursor
        }
    }

    /// Most parts kept, of about 10 ms each: more than the latency of an output. Evicts the oldest.
    private static let limit = 512
    private var parts: [Part] = []
    /// The position last heard.
    private(set) var playhead: Int64?

    mutating func append(_ part: Part) {
        parts.append(part)
        if parts.count > Self.limit { parts.removeFirst(Self.limit / 2) }
    }

    /// Returns the position of a frame, or the end of the last part before it; `nil` before the first part.
    func cursor(at frame: Int64) -> RenderCursor? {
        parts.last { $0.start.frame <= frame }?.cursor(at: frame)
    }

    /// Returns the position of a frame, or of the first later frame that has one; `nil` if none has.
    func nextCursor(from frame: Int64) -> RenderCursor? {
        guard let part = parts.first(where: { $0.start.frame + $0.count > frame }) else { return nil }
        return part.cursor(at: max(frame, part.start.frame))
    }

    /// Moves the playhead to a frame, and drops the parts before it.
    mutating func hear(_ frame: Int64) {
        guard let cursor = cursor(at: frame) else { return }
        playhead = cursor.position
        let last = parts.lastIndex { $0.start.frame <= frame }
        if let last, last > 0 { parts.removeFirst(last) }
    }

    /// Moves the parts from `frame` on to frames later by `count`.
    mutating func move(from frame: Int64, by count: Int64) {
        for index in parts.indices where parts[index].start.frame >= frame {
            parts[index].start.frame += count
        }
    }

    /// Removes the positions from `frame` on.
    mutating func cut(from frame: Int64) {
        parts.removeAll { $0.start.frame >= frame }
        guard let last = parts.indices.last else { return }
        parts[last].count = min(parts[last].count, frame - parts[last].start.frame)
    }
}
