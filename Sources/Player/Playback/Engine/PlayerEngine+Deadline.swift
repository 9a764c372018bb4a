import CoreMedia
import TuttiMediaTime

// The next step, unless something happens before.
extension PlayerEngine {
    /// Returns the next instant at which time alone changes anything.
    func nextDeadline() -> HostTime? {
        guard let head = schedule.head, let last = schedule.last else { return nil }
        var next = Deadline(after: now, line: outputs.seen.line)
        next.add(state.seeking.deadline(after: now))
        buffering.addDeadlines(to: &next, schedule, state, outputs, at: now)
        // No callback reports that the outputs have enough data.
        if isPrerolled { next.add(now.advanced(by: Self.prerollPause)) }
        guard next.isMoving else { return next.host }
        outputs.addDeadlines(to: &next, head: head, last: last)
        guard let item = state.items.first, item.id == head.item else { return next.host }
        let context = GaugeContext(of: head, in: schedule, outputs, rate: state.machine.rate, at: now)
        for time in head.moments(schedule.feed(head), item, context) { next.add(head.start + time) }
        return next.host
    }

    private static let prerollPause = Duration.milliseconds(20)
}
