import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// The outputs: stops by others, failures, lost sound, and answers to edits.
extension PlayerEngine {
    /// Handles a stop of time by a newer player that took the speakers, or by the loss of the outputs.
    ///
    /// The program was paused before, so there is nothing to report unless it has restarted the player since.
    mutating func noticeStop() {
        if outputs.noticeStop() { state.transport(because: .interrupted) { $0.pause() } }
    }

    mutating func noticeFailure() {
        guard let failure = outputs.seen.failure, let head = schedule.head else { return }
        if let time = failure.time { return bufferFailed(at: time, failure.error) }
        guard state.status != .failed else { return }
        state.fail(failure.error)
        reports.post(.failedToPlayToEnd(failure.error), of: head.item)
    }

    /// Fails the item of a buffer that could not be rendered, and feeds the other items again.
    private mutating func bufferFailed(at time: CMTime, _ error: any Error) {
        // After a flush, the outputs accept sound again.
        outputs.flush()
        // The buffer's item may have been removed meanwhile.
        if let one = schedule.items.first(where: { $0.end > time }) {
            let path = state.item(one.item)?.state.facts?.info?.path ?? ""
            let problem = MediaError.undecodable(name: path, reason: "\(error)")
            if one.feed == schedule.head?.feed { return failHead(problem) }
            state.failItem(one.item, problem)
        }
        refillUnseen()
    }

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
