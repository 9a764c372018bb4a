import CoreMedia
import TuttiMediaTime

// Seeks and prerolls.
extension PlayerEngine {
    mutating func beginSeek() {
        guard let seek = state.seeking.due(at: now), let head = schedule.head,
            let facts = schedule.feed(head).facts
        else { return }
        let target = head.duration.reachable(seek.target, schedule.feed(head))
        state.beginSeek(to: target.isNumeric ? target : seek.target)
        guard facts.isSeekable, target.isNumeric else { return state.cancelSeek() }
        let time = head.start + target
        // It lands in the next step, when the time is there: the program is told that it is.
        if outputs.canJump(to: time, in: head, now) { return jump(to: time) }
        readAnew(from: target)
        state.transport { $0.mustRefill() }
    }

    mutating func landSeek() {
        guard state.seeking.landing != nil, let head = schedule.head else { return }
        let source = schedule.feed(head)
        guard head.isCurrent(source) else { return }
        if source.hasSound {
            state.endSeek(isDone: true)
            reports.post(.timeJumped, of: head.item)
        } else if source.error != nil {
            state.cancelSeek()
        }
    }

    mutating func finishPreroll() {
        guard isPrerolled, let head = schedule.head else { return }
        if head.isComplete || outputs.seen.hasSufficientData { state.endPreroll(isDone: true) }
    }

    /// Whether a preroll waits only for the outputs.
    var isPrerolled: Bool { schedule.head != nil && state.isPrerolled }
}
