/// The connection that has the speaker. The newest session takes it; the previous owner's connection ends.
///
/// Sessions with the same UUID are the same: a second connection of a sender continues the existing stream if
/// it also proves the stream's key (``SoundSession/continues(_:)``).
struct SpeakerOwnership: Sendable {
    /// The server's number of a connection.
    typealias ConnectionID = UInt64

    struct Owner: Hashable, Sendable {
        var id: ConnectionID
        var sessionUUID: String?
        /// False while the stream plays on without its connection.
        var isConnected = true
    }

    enum Claim: Hashable, Sendable {
        /// The speaker was free.
        case first
        /// The connection has the speaker already.
        case same
        /// The same session on another connection: the stream continues.
        case continues(from: ConnectionID)
        /// The session of another sender ends.
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

    /// Whether a session that only continues may have the speaker: no other session has it.
    func admits(continuing sessionUUID: String?) -> Bool {
        owner.map { $0.sessionUUID == sessionUUID } ?? true
    }

    func isOwner(_ id: ConnectionID) -> Bool { owner?.id == id }

    /// Notes that a connection broke; its stream may play on.
    ///
    /// - Returns: Whether the connection had the speaker.
    mutating func lose(_ id: ConnectionID) -> Bool {
        guard owner?.id == id else { return false }
        owner?.isConnected = false
        return true
    }

    /// - Returns: Whether the connection had the speaker, which is now free.
    @discardableResult
    mutating func release(_ id: ConnectionID) -> Bool {
        guard owner?.id == id else { return false }
        owner = nil
        return true
    }
}
