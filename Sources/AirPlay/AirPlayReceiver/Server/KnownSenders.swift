import TuttiSystemIO

/// The addresses whose sessions have had the speaker, so that a flood of strangers cannot lock them out.
struct KnownSenders: Sendable {
    /// Most addresses: the phones, computers and players of a household. Evicts the oldest.
    static let limit = 64

    /// The addresses, latest last.
    private var addresses: [IPAddress] = []
    /// The address of the session that has the speaker, also while its link is broken.
    var owner: IPAddress?

    var count: Int { addresses.count }

    /// Notes that a session from this address has taken the speaker.
    mutating func own(_ address: IPAddress) {
        owner = address
        addresses.removeAll { $0 == address }
        if addresses.count >= Self.limit { addresses.removeFirst() }
        addresses.append(address)
    }

    func contains(_ address: IPAddress) -> Bool { address == owner || addresses.contains(address) }
}
