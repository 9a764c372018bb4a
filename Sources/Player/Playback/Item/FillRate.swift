/// The fill rate of one transfer: sound received per second, over about the last three seconds of reading or 64 pieces.
///
/// Only sound that the reader waited for counts. Sound that was there before the reader asked does not show the speed
/// of the transfer: prefetched sound, and a burst whose wait no longer counts, as that of the first burst.
/// The pauses of a server that sends in bursts count, an outage does not. A new transfer begins a new rate.
package struct FillRate: Sendable {
    /// Seconds of reading that count.
    private static let memory = 3.0
    /// Seconds of waiting for one piece that are an outage rather than the transfer's rate.
    static let outage = 5.0
    /// Seconds of reading before a rate is known.
    private static let leastTime = 0.2
    /// Seconds in which a piece that was there already is read and decoded.
    private static let leastWait = 0.005
    /// A piece that came in this part of the longest wait belongs to a burst.
    private static let burst = 0.1

    private var pieces: [(spent: Double, sound: Double)] = []
    /// Whether nobody has waited since a rest.
    private var isRested = false

    /// Makes a rate that is not known yet.
    package init() {}

    /// - Parameters:
    ///   - sound: Seconds of sound received.
    ///   - spent: Seconds spent waiting for the sound.
    package mutating func note(sound: Double, spent: Double) {
        if isRested, spent < Self.leastWait { return }
        isRested = false
        if spent >= Self.outage { return pieces = [] }
        pieces.append((max(0, spent), sound))
        var spentInAll = pieces.reduce(0) { $0 + $1.spent }
        while pieces.count > 1, isStale(spentInAll) { spentInAll -= pieces.removeFirst().spent }
    }

    /// Notes that reading rests, because enough was read; the source may fetch ahead meanwhile.
    package mutating func rest() { if !pieces.isEmpty { isRested = true } }

    /// Whether the oldest piece counts no more.
    private func isStale(_ spentInAll: Double) -> Bool {
        spentInAll - pieces[0].spent > Self.memory || pieces.count > 64
            || (spentInAll >= Self.leastTime
                && pieces[0].spent < max(Self.leastWait, longestWait * Self.burst))
    }

    /// Seconds of sound per second; `nil` while unknown, infinite if 1 s came in under 0.2 s of reading.
    package var value: Double? {
        let spent = pieces.reduce(0) { $0 + $1.spent }
        let sound = pieces.reduce(0) { $0 + $1.sound }
        if spent < Self.leastTime { return sound >= 1 ? .infinity : nil }
        return sound / spent
    }

    /// Seconds of the longest wait for a piece that counts; 0 while there is none.
    package var longestWait: Double { pieces.reduce(0) { max($0, $1.spent) } }
}
