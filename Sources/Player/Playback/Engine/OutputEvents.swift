import CoreMedia

/// Events of the outputs since the last step.
struct OutputEvents: Sendable {
    /// Timeline time from which the outputs lost sound.
    private var lostFrom: CMTime?
    /// Answers to edits.
    private var answers: [(isDone: Bool, generation: Int)] = []

    /// The outputs lost the sound from a timeline time on, after a change of output or rate.
    mutating func lostSound(from time: CMTime) { lostFrom = min(time, lostFrom ?? time) }

    /// The outputs answer an edit.
    mutating func spliced(_ isDone: Bool, generation: Int) { answers.append((isDone, generation)) }

    /// Applies the events, and forgets them.
    mutating func apply(to plan: inout PlaybackPlan) {
        if let time = lostFrom.take(), plan.schedule.items.contains(where: { $0.end > time }) {
            plan.refillUnseen()
        }
        for answer in answers { plan.spliced(answer.isDone, generation: answer.generation) }
        answers = []
    }
}
