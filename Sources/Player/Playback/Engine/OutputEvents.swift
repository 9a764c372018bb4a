import CoreMedia

/// Events of the outputs since the last step.
struct OutputEvents: Sendable {
    /// An answer to an edit of what the outputs hold.
    struct Answer: Sendable {
        var isDone: Bool
        var generation: Int
    }

    /// Timeline time from which the outputs lost sound.
    private var lostFrom: CMTime?
    private var answers: [Answer] = []

    /// The outputs lost the sound from a timeline time on, after a change of output or rate.
    mutating func lostSound(from time: CMTime) { lostFrom = min(time, lostFrom ?? time) }

    /// The outputs answer an edit.
    mutating func spliced(_ isDone: Bool, generation: Int) {
        answers.append(Answer(isDone: isDone, generation: generation))
    }

    /// Returns the timeline time from which the outputs lost sound, and forgets it.
    mutating func takeLoss() -> CMTime? { lostFrom.take() }

    /// Returns the answers to edits, oldest first, and forgets them.
    mutating func takeAnswers() -> [Answer] {
        defer { answers = [] }
        return answers
    }
}
