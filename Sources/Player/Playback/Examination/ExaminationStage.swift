import AirPlaySender

/// One stage of the examination of a speaker, which has ended.
package struct ExaminationStage: Equatable, Sendable {
    /// The stages, in the order of a play.
    package enum Kind: Hashable, Sendable {
        /// The search for the name on the network.
        case name
        /// The addresses that the speaker announces.
        case address
        /// A step of the opening of the session.
        case opening(OpeningStep.Kind)
        /// The clock, each way.
        case clock
        /// The start: the anchor of the line.
        case anchor
        /// The test tone, or silence in its place.
        case sound

        /// The stage's word, which no other stage has.
        package var word: String {
            switch self {
            case .name: "name"
            case .address: "address"
            case .opening(let step): step.rawValue
            case .clock: "clock"
            case .anchor: "anchor"
            case .sound: "sound"
            }
        }
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
