import AirPlaySender

/// The result of an examination: one sentence that names the cause, and what to do.
package struct Diagnosis: Equatable, Sendable {
    /// Whether nothing speaks against the speaker being heard.
    package let isGood: Bool
    /// The stage with the cause; `nil` if there is none.
    package let stage: ExaminationStage.Kind?
    /// The kind of cause, for programs: a code of ``SpeakerFailure``, `unknown-speaker`, `plays`, `accepted` or
    /// `not-heard`.
    package let code: String
    /// The sentence.
    package let message: String

    /// Judges the stages of one speaker.
    ///
    /// - Parameters:
    ///   - heard: Whether the user heard the tone; `nil` if nobody said so.
    ///   - choice: The kind of session, if the speaker got one.
    ///   - isClockShown: Whether a doubt about the clock is over.
    init(
        of name: String, stages: [ExaminationStage], heard: Bool?, choice: SessionChoice?,
        isClockShown: Bool = false
    ) {
        let failed = stages.first(where: \.hasFailed)
        let doubtful = stages.first { $0.failure != nil && !(isClockShown && $0.kind == .clock) }
        if let failed, let failure = failed.failure {
            let advice =
                failure.code == .busy
                ? "; stop it there, or add --take-over to examine the speaker anyway" : ""
            self.init(false, failed.kind, failure.code.rawValue, failure.message + advice)
        } else if let doubtful, let failure = doubtful.failure {
            if heard == true {
                self.init(true, doubtful.kind, "plays", "\(name) plays nevertheless: \(failure.message)")
            } else {
                self.init(false, doubtful.kind, failure.code.rawValue, failure.message)
            }
        } else if heard == false {
            self.init(false, .sound, "not-heard", Self.notHeard(name, choice))
        } else if heard == true {
            self.init(true, nil, "plays", "\(name) plays: every stage worked.")
        } else {
            self.init(
                true, nil, "accepted",
                "\(name) accepted everything; if it is still silent, raise its volume, and check whether it is muted or plays another input."
            )
        }
    }

    /// A speaker that was not found.
    init(notFound error: any Error, code: String) {
        self.init(false, .name, code, "\(error)")
    }

    private init(_ isGood: Bool, _ stage: ExaminationStage.Kind?, _ code: String, _ message: String) {
        (self.isGood, self.stage, self.code, self.message) = (isGood, stage, code, message)
    }

    /// The way of the sound to try next is one that the speaker was not played to by.
    private static func notHeard(_ name: String, _ choice: SessionChoice?) -> String {
        let next: SessionChoice.Stream = choice?.stream == .realtime ? .airPlay1 : .realtime
        return
            "\(name) accepted everything and was not heard: raise its volume, and check whether it is muted or plays another input; if it stays silent, try --stream \(next.rawValue)"
    }
}
