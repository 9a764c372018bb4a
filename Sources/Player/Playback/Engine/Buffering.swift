import CoreMedia
import TuttiMediaTime

/// The supply of sound for the playhead: hidden rebuffering, underruns, the evaluation of the buffering rate, and
/// the watch over sources that starve the playhead.
struct Buffering: Sendable {
    var refill = HiddenRefill()
    var watch = PlayheadWatch()
    /// Deadline of the buffering-rate evaluation.
    private var evaluationEnd: HostTime?
    /// An underrun whose levels observers have seen, and the transport has not.
    private var underrun: ItemID?

    /// The sound of `item` ran out, which reveals the rebuffering.
    mutating func ranDry(_ item: ItemID) {
        refill.stop()
        underrun = item
    }

    /// Returns the item of the last underrun, once.
    mutating func takeUnderrun() -> ItemID? { underrun.take() }

    /// Follows the evaluation of the buffering rate.
    ///
    /// - Returns: Whether the evaluation has ended by its deadline.
    mutating func evaluate(_ reason: TransportMachine.WaitingReason?, at now: HostTime) -> Bool {
        guard reason == .evaluatingBufferingRate else {
            evaluationEnd = nil
            return false
        }
        let end = evaluationEnd ?? now.advanced(by: Self.evaluationTime)
        evaluationEnd = end
        return now >= end
    }

    func addDeadlines(to next: inout Deadline) {
        next.add(refill.end)
        next.add(evaluationEnd)
        next.add(watch.deadline)
    }

    private static let evaluationTime = Duration.milliseconds(500)
}
