/// The positions assigned to the latest device frames.
struct CursorHistory: Sendable {
    /// A run of `count` device frames from `frame` on, whose positions are `step` apart.
    struct Part: Sendable {
        var frame: Int64
        var count: Int64
        var position: Int64
        var fraction: Double
        var step: Double
    }

    /// Most parts kept, of about 10 ms each: more than the latency of an output. Evicts the oldest.
    private static let limit = 512
    private var parts: [Part] = []

    mutating func append(_ part: Part) {
        parts.append(part)
        if parts.count > Self.limit { parts.removeFirst(Self.limit / 2) }
    }

    /// Returns the position of a frame, or the end of the last part before it; `nil` before the first part.
    func place(at frame: Int64) -> (position: Int64, fraction: Double)? {
        guard let part = parts.last(where: { $0.frame <= frame }) else { return nil }
        let place = part.fraction + Double(min(frame - part.frame, part.count)) * part.step
        let whole = place.rounded(.down)
        return (part.position + Int64(whole), place - whole)
    }

    /// Returns the position of a frame, or of the first later frame that has one; `nil` if none has.
    func nextPlace(from frame: Int64) -> (frame: Int64, position: Int64, fraction: Double)? {
        guard let part = parts.first(where: { $0.frame + $0.count > frame }) else { return nil }
        let first = max(frame, part.frame)
        let place = part.fraction + Double(first - part.frame) * part.step
        let whole = place.rounded(.down)
        return (first, part.position + Int64(whole), place - whole)
    }

    mutating func drop(before frame: Int64) {
        guard let last = parts.lastIndex(where: { $0.frame <= frame }), last > 0 else { return }
        parts.removeFirst(last)
    }

    /// Moves the parts from `frame` on to frames later by `count`.
    mutating func move(from frame: Int64, by count: Int64) {
        for index in parts.indices where parts[index].frame >= frame { parts[index].frame += count }
    }

    /// Removes the positions from `frame` on.
    mutating func cut(from frame: Int64) {
        parts.removeAll { $0.frame >= frame }
        guard let last = parts.indices.last else { return }
        parts[last].count = min(parts[last].count, frame - parts[last].frame)
    }
}
