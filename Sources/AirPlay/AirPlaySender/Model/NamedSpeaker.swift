/// A speaker in events and reports: its id for programs, and its name for people.
///
/// Speakers of one name are told apart by their ids.
public struct NamedSpeaker: Hashable, Sendable, Identifiable {
    /// The id, which no other speaker of a group has; see ``SpeakerTarget/key``.
    public let id: String
    /// The name.
    public let name: String

    /// Creates a speaker with an id and a name.
    public init(id: String, name: String) { (self.id, self.name) = (id, name) }

    /// The id; `nil` if only the name or the address is known, which then is the id too.
    public var ownID: String? { id == name ? nil : id }
}

extension NamedSpeaker: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

extension NamedSpeaker: ExpressibleByStringLiteral {
    /// Creates a speaker of which only the name is known.
    public init(stringLiteral name: String) { self.init(id: name, name: name) }
}
