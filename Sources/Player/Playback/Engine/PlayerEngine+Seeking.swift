import CoreMedia
import TuttiCodecs
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
        if isInOutputs(time, head) { return jump(to: time) }
        readAnew(from: target)
        state.transport { $0.mustRefill() }
    }

    /// Whether the outputs have the sound at `time` and after it.
    private func isInOutputs(_ time: CMTime, _ head: ScheduledItem) -> Bool {
        guard !outputs.isSplicing, time >= currentTime, head.end > head.start else { return false }
        return head.isComplete ? time < head.end : time + Self.leastInOutputs < head.end
    }

    private static let leastInOutputs = CMTime(value: 2, timescale: 1)

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
