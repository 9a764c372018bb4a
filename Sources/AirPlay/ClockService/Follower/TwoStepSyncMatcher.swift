import TuttiMediaTime
import TuttiPTP

/// A matcher of each two-step Sync with its Follow_Up, in any order, because they arrive on two sockets.
struct TwoStepSyncMatcher {
    /// The departure and the arrival time of a Sync.
    struct TimedSync: Equatable {
        var departure: NetworkTime
        var arrival: HostTime
    }

    /// The number of unmatched halves kept; a peer sends one pair after the other.
    private static let capacity = 8

    private struct Half {
        var sequence: UInt16
        var arrival: HostTime?
        var correction: PTPCorrection
        var departure: NetworkTime?
    }

    private var halves: [Half] = []

    mutating func removeAll() { halves.removeAll(keepingCapacity: true) }

    mutating func take(_ sync: PTPSync, at arrival: HostTime) -> TimedSync? {
        guard sync.header.flags.contains(.twoStep) else {
            return TimedSync(
                departure: Self.corrected(sync.originTimestamp.networkTime, sync.header.correction),
                arrival: arrival)
        }
        let sequence = sync.header.sequence
        if let index = halves.firstIndex(where: { $0.sequence == sequence }),
            let departure = halves[index].departure
        {
            halves.remove(at: index)
            return TimedSync(departure: Self.corrected(departure, sync.header.correction), arrival: arrival)
        }
        keep(Half(sequence: sequence, arrival: arrival, correction: sync.header.correction))
        return nil
    }

    mutating func take(_ followUp: PTPFollowUp) -> TimedSync? {
        let sequence = followUp.header.sequence
        let departure = Self.corrected(
            followUp.preciseOriginTimestamp.networkTime, followUp.header.correction)
        if let index = halves.firstIndex(where: { $0.sequence == sequence }),
            let arrival = halves[index].arrival
        {
            let half = halves.remove(at: index)
            return TimedSync(departure: Self.corrected(departure, half.correction), arrival: arrival)
        }
        keep(Half(sequence: sequence, correction: .zero, departure: departure))
        return nil
    }

    private mutating func keep(_ half: Half) {
        halves.removeAll { $0.sequence == half.sequence }
        if halves.count >= Self.capacity { halves.removeFirst() }
        halves.append(half)
    }

    private static func corrected(_ time: NetworkTime, _ correction: PTPCorrection) -> NetworkTime {
        NetworkTime(nanoseconds: time.nanoseconds &+ correction.nanoseconds)
    }
}
