import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// The next step, unless something happens before.
extension PlayerEngine {
    /// Returns the next instant at which time alone changes anything.
    func nextDeadline() -> HostTime? {
        guard let head = schedule.head else { return nil }
        var next = Deadline(after: now, line: outputs.seen.line)
        next.add(state.seeking.deadline(after: now))
        buffering.addDeadlines(to: &next)
        // No callback reports that the outputs have enough data.
        if isPrerolled { next.add(now.advanced(by: Self.prerollPause)) }
        if buffering.refill.end.map({ $0 <= now }) ?? true { addLevels(to: &next) }
        guard next.isMoving else { return next.host }
        next.add(outputs.seen.line.host)
        next.add(head.end)
        if let last = schedule.last, last.isOpen {
            next.add(outputs.isClosing ? outputs.playableEnd(of: last) : outputs.latestUse(of: last))
        }
        guard let item = state.items.first, item.id == head.item else { return next.host }
        for time in head.moments(schedule.feed(head), item, gaugeContext(of: head)) {
            next.add(head.start + time)
        }
        return next.host
    }

    private func addLevels(to next: inout Deadline) {
        for one in schedule.items {
            guard let item = state.item(one.item) else { continue }
            next.add(one.loadedDeadline(schedule.feed(one), item))
            next.add(one.likelyDeadline(schedule.feed(one), item, gaugeContext(of: one)))
        }
    }

    private static let prerollPause = Duration.milliseconds(20)
}
