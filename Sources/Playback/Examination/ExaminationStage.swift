import AirPlaySender

/// One stage of the examination of a speaker, which has ended.
package struct ExaminationStage: Equatable, Sendable {
    /// The stages, in the order of a play by AirPlay 2.
    package enum Kind: String, Sendable, CaseIterable {
        /// The search for the name on the network.
        case name
        /// The addresses that the speaker announces.
        case address
        /// A connection to its port.
        case port
        /// Its description.
        case info
        /// Pairing, password or PIN.
        case access
        /// The session.
        case session
        /// The connection for its buttons.
        case events
        /// The beginning of the session, with the list of clocks.
        case record
        /// The stream.
        case stream
        /// The clock, each way.
        case clock
        /// The start: the anchor of the line.
        case anchor
        /// The test tone, or silence in its place.
        case sound
    }

    /// How a stage ended.
    package enum Outcome: Equatable, Sendable {
        /// Nothing speaks against the speaker being heard.
        case passed
        /// The speaker went on, and will probably not be heard for this reason.
        case doubtful(SpeakerFailure)
        /// The speaker is not played to, for this reason.
        case failed(SpeakerFailure)
    }

    /// The stage.
    package let kind: Kind
    /// The time that it took.
    package let duration: Duration
    /// The finding, for the user; `nil` for nothing worth saying.
    package let detail: String?
    /// How it ended.
    package let outcome: Outcome

    /// Creates a stage that has ended.
    package init(_ kind: Kind, duration: Duration, detail: String? = nil, _ outcome: Outcome = .passed) {
        (self.kind, self.duration, self.detail, self.outcome) = (kind, duration, detail, outcome)
    }

    /// Whether there is nothing after this stage.
    var hasFailed: Bool { if case .failed = outcome { true } else { false } }

    /// The reason why the speaker is not heard; `nil` if the stage passed.
    var failure: SpeakerFailure? {
        switch outcome {
        case .passed: nil
        case .doubtful(let failure), .failed(let failure): failure
        }
    }
}

extension ExaminationStage.Kind {
    /// The stage of a step of the opening.
    init(_ step: OpeningStep.Kind) {
        self =
            switch step {
            case .port: .port
            case .info: .info
            case .access: .access
            case .session: .session
            case .events: .events
            case .record: .record
            case .stream: .stream
            }
    }
}
