/// Which place each of the latest frames of the device was given.
struct SeatHistory: Sendable {
    /// `count` frames from `frame` on, a step apart.
    struct Part: Sendable {
        var frame: Int64
        var count: Int64
        var position: Int64
        var fraction: Double
        var step: Double
    }

    /// Of 10 ms each, more than an output has latency; older ones go.
    private static let limit = 512
    private var parts: [Part] = []

    mutating func append(_ part: Part) {
        parts.append(part)
        if parts.count > Self.limit { parts.removeFirst(Self.limit / 2) }
    }

    /// The place of a frame, or where the last part before it ended; `nil` before the first part.
    func place(at frame: Int64) -> (position: Int64, fraction: Double)? {
        guard let part = parts.last(where: { $0.frame <= frame }) else { return nil }
        let place = part.fraction + Double(min(frame - part.frame, part.count)) * part.step
        let whole = place.rounded(.down)
        return (part.position + Int64(whole), place - whole)
    }

    /// The first frame that still has a place here.
    var firstFrame: Int64? { parts.first?.frame }

    mutating func drop(before frame: Int64) {
        guard let last = parts.lastIndex(where: { $0.frame <= frame }), last > 0 else { return }
        parts.removeFirst(last)
    }

    /// What was given to frames from here on belongs to frames that come later by `count`.
    mutating func move(from frame: Int64, by count: Int64) {
        for index in parts.indices where parts[index].frame >= frame { parts[index].frame += count }
    }

    /// Frames from here on get other places, or none.
    mutating func cut(from frame: Int64) { parts.removeAll { $0.frame >= frame } }
}
