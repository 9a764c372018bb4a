/// A failure to match a name to exactly one speaker.
public enum SpeakerLookupError: Error, Equatable, Sendable {
    /// No speaker has that name, or a name that begins with it; `known` lists the names found.
    case notFound(name: String, known: [String])
    /// More than one speaker matches. The id of each candidate tells equal names apart.
    case ambiguous(name: String, candidates: [Candidate])
    /// The word is an address with a port that does not exist.
    case noSuchPort(word: String, port: String)

    /// A speaker that matches an ambiguous name.
    public struct Candidate: Hashable, Sendable {
        /// The speaker's name.
        public let name: String
        /// The speaker's identity.
        package let id: SpeakerID

        /// Creates a candidate from its name and identity.
        package init(name: String, id: SpeakerID) {
            self.name = name
            self.id = id
        }
    }
}

extension SpeakerLookupError: CustomStringConvertible {
    /// The message for the user, with the candidates.
    public var description: String {
        switch self {
        case .notFound(let name, let known) where known.isEmpty:
            "no speaker is called '\(name)': no speakers found"
        case .notFound(let name, let known):
            "no speaker is called '\(name)'; found: \(known.joined(separator: ", "))"
        case .noSuchPort(let word, let port):
            "'\(word)' names port \(port), which does not exist: ports are 1 to 65535"
        case .ambiguous(let name, let candidates):
            "'\(name)' is ambiguous: "
                + candidates.map { "'\($0.name)' (\($0.id))" }.joined(separator: " or ")
        }
    }
}
