/// Which connection has the speaker. The newest session gets it; the one before is told to go.
///
/// A session is the same one when its UUID is: a second connection of the same sender then goes on with the
/// sound that is there, if it also proves that it knows the stream's key (``SoundSession/continues(_:)``).
struct SpeakerOwnership: Sendable {
    /// A connection, by the number the server gave it.
    typealias ConnectionID = UInt64

    struct Owner: Hashable, Sendable {
        var id: ConnectionID
        var sessionUUID: String?
        /// False while its sound plays on without it.
        var isConnected = true
    }

    enum Claim: Hashable, Sendable {
        /// Nobody had it.
        case first
        /// It has it already.
        case same
        /// The same session on another connection: its sound stays.
        case continues(from: ConnectionID)
        /// Another sender's session ends.
        case takesOver(from: ConnectionID)
    }

    private(set) var owner: Owner?

    mutating func claim(by id: ConnectionID, sessionUUID: String?) -> Claim {
        defer { owner = Owner(id: id, sessionUUID: sessionUUID) }
        guard let owner else { return .first }
        if let sessionUUID, sessionUUID == owner.sessionUUID {
            return owner.id == id ? .same : .continues(from: owner.id)
        }
        return owner.id == id ? .same : .takesOver(from: owner.id)
    }

    /// Whether a session that only goes on may have the speaker: not when another one has it.
    func admits(continuing sessionUUID: String?) -> Bool {
        owner.map { $0.sessionUUID == sessionUUID } ?? true
    }

    func isOwner(_ id: ConnectionID) -> Bool { owner?.id == id }

    /// The connection broke; the sound may play on.
    ///
    /// - Returns: Whether it had the speaker.
    mutating func lose(_ id: ConnectionID) -> Bool {
        guard owner?.id == id else { return false }
        owner?.isConnected = false
        return true
    }

    /// - Returns: Whether it had the speaker, and now nobody has.
    @discardableResult
    mutating func release(_ id: ConnectionID) -> Bool {
        guard owner?.id == id else { return false }
        owner = nil
        return true
    }
}
