import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// News of the outputs: lost sound, and answers to edits.
extension PlayerEngine {
    /// Handles what the outputs have told since the last step.
    mutating func noticeOutputEvents() {
        if let time = outputEvents.takeLoss(), schedule.items.contains(where: { $0.end > time }) {
            refillUnseen()
        }
        for answer in outputEvents.takeAnswers() { spliced(answer.isDone, generation: answer.generation) }
    }

    /// Handles the outputs' answer to an edit. Rebuffers if the edit was too late.
    private mutating func spliced(_ isDone: Bool, generation: Int) {
        guard outputs.spliced(isDone, generation: generation) else { return }
        if isDone { return schedule.resends.forget() }
        if let time = schedule.resendLater(outputs.playhead(at: now), &state) {
            return outputs.splice(from: time)
        }
        reports.actions.append(.editWasLate)
        guard let head = schedule.head else { return }
        guard schedule.feed(head).facts?.isLive == true else {
            refillUnseen()
            return
        }
        // The outputs play a live stream to its end, because it cannot be read again.
        outputs.tail = .stale
        schedule.withLast { $0.drained(at: $0.end) }
    }
}
