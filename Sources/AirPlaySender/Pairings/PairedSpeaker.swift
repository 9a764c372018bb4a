import HomeKitPairing

/// A speaker that has paired with this user's programs.
public struct PairedSpeaker: Sendable, Hashable, Identifiable {
    /// The limit of a stored name's characters.
    private static let nameLimit = 128
    /// The limit of an identifier's bytes; device ids have 17 characters.
    private static let idByteLimit = 64

    /// The speaker's device id, in lower case.
    public let id: String
    /// The name of the speaker when it was paired.
    public let name: String
    /// The speaker's identity, which it proves on every connection.
    let accessory: PairedPeer

    /// - Returns: `nil` for an impossible id.
    init?(id: String, name: String, accessory: PairedPeer) {
        guard (1...Self.idByteLimit).contains(id.utf8.count) else { return nil }
        self.id = id.lowercased()
        self.name = String(name.prefix(Self.nameLimit))
        self.accessory = accessory
    }
}
