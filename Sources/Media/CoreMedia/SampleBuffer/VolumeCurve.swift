/// A volume over time: steps and linear ramps, each held until the next one, and a balance of two channels. A value.
///
/// The volume is 1 before the first piece. Any timescale; times are numeric.
package struct VolumeCurve: Hashable, Sendable {
    /// A ramp, or a step if it has no length; the end volume holds until the next piece.
    package struct Piece: Hashable, Sendable {
        /// The first instant.
        package var start: CMTime
        /// The end of the ramp; equal to ``start`` for a step.
        package var end: CMTime
        /// The volume at ``start``.
        package var from: Float
        /// The volume from ``end`` on.
        package var to: Float

        /// Returns the volume at a time from ``start`` on, without regard to later pieces.
        package func volume(at time: CMTime) -> Float {
            let length = (end - start).seconds
            let passed = (time - start).seconds
            guard length > 0, passed < length else { return to }
            return from + (to - from) * Float(max(0, passed) / length)
        }
    }

    /// The largest volume, 24 dB above the original.
    package static let limit: Float = 16
    /// The most pieces of a curve; later ones are ignored.
    package static let pieceLimit = 4096

    /// The pieces, by start.
    package private(set) var pieces: [Piece] = []
    /// The balance of two channels at all times, -1 (the first one alone) ... 1; 0 leaves both as they are.
    package private(set) var pan: Float = 0

    /// Makes a curve that is 1 at all times.
    package init() {}

    /// Makes a constant volume.
    package init(constant volume: Float) { set(volume, at: .zero) }

    /// Makes a balance at a volume of 1, -1 ... 1; 0 if it is not a number.
    package init(pan: Float) { self.pan = pan.isNaN ? 0 : max(-1, min(pan, 1)) }

    // MARK: Making

    /// Sets a volume from a time on, up to the next piece.
    package mutating func set(_ volume: Float, at time: CMTime) {
        insert(Piece(start: time, end: time, from: Self.valid(volume), to: Self.valid(volume)))
    }

    /// Sets a linear ramp; replaces pieces that begin in it.
    package mutating func ramp(from start: Float, to end: Float, in range: CMTimeRange) {
        guard range.duration.isNumeric, range.duration > .zero else { return set(end, at: range.start) }
        pieces.removeAll { $0.start > range.start && $0.start < range.end }
        insert(
            Piece(start: range.start, end: range.end, from: Self.valid(start), to: Self.valid(end)))
    }

    private mutating func insert(_ piece: Piece) {
        guard piece.start.isNumeric, piece.end.isNumeric else { return }
        let index = pieces.firstIndex { $0.start >= piece.start } ?? pieces.count
        if index < pieces.count, pieces[index].start == piece.start {
            pieces[index] = piece
        } else if pieces.count < Self.pieceLimit {
            pieces.insert(piece, at: index)
        }
    }

    private static func valid(_ volume: Float) -> Float {
        volume.isNaN ? 1 : max(0, min(volume, limit))
    }

    /// Returns the curve, later by an offset.
    package func moved(by offset: CMTime) -> VolumeCurve {
        var moved = self
        for index in pieces.indices {
            moved.pieces[index].start = pieces[index].start + offset
            moved.pieces[index].end = pieces[index].end + offset
        }
        return moved
    }

    /// Returns the pieces that matter in a span of time; `nil` if all samples stay as they are.
    package func part(from start: CMTime, to end: CMTime) -> VolumeCurve? {
        let first = max(0, (pieces.firstIndex { $0.start > start } ?? pieces.count) - 1)
        let last = pieces.firstIndex { $0.start >= end } ?? pieces.count
        var part = VolumeCurve()
        part.pieces = Array(pieces[min(first, last)..<last])
        part.pan = pan
        let isUnity = part.pieces.enumerated().allSatisfy { index, piece in
            if piece.to != 1 { return false }
            return piece.from == 1 || (index == 0 && piece.end <= start)
        }
        return isUnity && pan == 0 ? nil : part
    }

    // MARK: Values

    /// The largest volume of any time.
    package var largest: Float { pieces.reduce(1) { max($0, $1.from, $1.to) } }

    /// Returns the piece that holds at a time; `nil` before the first one.
    package func piece(at time: CMTime) -> Piece? {
        let index = pieces.firstIndex { $0.start > time } ?? pieces.count
        return index > 0 ? pieces[index - 1] : nil
    }

    /// Returns the volume at a time.
    package func volume(at time: CMTime) -> Float { piece(at: time)?.volume(at: time) ?? 1 }

    /// Returns the first time from which the curve differs from another one; `nil` if both are equal.
    package func firstDifference(from other: VolumeCurve) -> CMTime? {
        guard self != other else { return nil }
        if pan != other.pan { return .zero }
        let times = (pieces + other.pieces).flatMap { [$0.start, $0.end] }.sorted()
        for (index, time) in times.enumerated() {
            if index > 0, time == times[index - 1] { continue }
            let (mine, theirs) = (piece(at: time), other.piece(at: time))
            // Both are linear up to the next time.
            let next = times[index...].first { $0 > time } ?? time
            for instant in [time, next]
            where mine?.volume(at: instant) ?? 1 != theirs?.volume(at: instant) ?? 1 { return time }
        }
        return nil
    }
}

/// The treatment of a sample buffer's volume.
package enum SampleVolume: Hashable, Sendable {
    /// The samples are to be scaled by this curve over the buffer's output presentation time.
    case curve(VolumeCurve)
    /// The samples have the volume of their item already.
    case applied
}

extension CMSampleBuffer {
    /// The volume of the samples, if it is not 1; kept by copies.
    package var volume: SampleVolume? {
        get { withState { $0.volume } }
        set { withState { $0.volume = newValue } }
    }

    /// The curve by which the samples are to be scaled; `nil` leaves them as they are.
    package var volumeCurve: VolumeCurve? {
        if case .curve(let curve) = volume { curve } else { nil }
    }
}
