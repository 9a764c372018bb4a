/// Why a name does not lead to one speaker.
public enum SpeakerLookupError: Error, Equatable, Sendable {
    /// Nothing has that name, or begins with it; the names there are.
    case notFound(name: String, known: [String])
    /// More than one speaker fits. Each candidate is a name and, to tell equal names apart, the id.
    case ambiguous(name: String, candidates: [Candidate])

    public struct Candidate: Hashable, Sendable {
        public let name: String
        public let id: SpeakerID

        public init(name: String, id: SpeakerID) {
            self.name = name
            self.id = id
        }
    }
}

extension SpeakerLookupError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let name, let known) where known.isEmpty:
            "no speaker called '\(name)': no speakers found"
        case .notFound(let name, let known):
            "no speaker called '\(name)'; there are: \(known.joined(separator: ", "))"
        case .ambiguous(let name, let candidates):
            "'\(name)' may be "
                + candidates.map { "'\($0.name)' (\($0.id))" }.joined(separator: " or ")
        }
    }
}
