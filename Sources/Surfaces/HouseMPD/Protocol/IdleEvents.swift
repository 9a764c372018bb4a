/// The parts of the house whose changes a client can wait for.
struct IdleEvents: OptionSet, Hashable, Sendable {
    let rawValue: Int

    static let database = IdleEvents(rawValue: 1 << 0)
    static let storedPlaylist = IdleEvents(rawValue: 1 << 1)
    static let playlist = IdleEvents(rawValue: 1 << 2)
    static let player = IdleEvents(rawValue: 1 << 3)
    static let mixer = IdleEvents(rawValue: 1 << 4)
    static let output = IdleEvents(rawValue: 1 << 5)
    static let options = IdleEvents(rawValue: 1 << 6)
    static let sticker = IdleEvents(rawValue: 1 << 7)
    static let update = IdleEvents(rawValue: 1 << 8)
    static let subscription = IdleEvents(rawValue: 1 << 9)
    static let message = IdleEvents(rawValue: 1 << 10)
    static let neighbor = IdleEvents(rawValue: 1 << 11)
    static let mount = IdleEvents(rawValue: 1 << 12)
    static let partition = IdleEvents(rawValue: 1 << 13)

    static let all = IdleEvents(rawValue: (1 << 14) - 1)
    /// Events of one zone: the parts that differ between two.
    static let ofZone: IdleEvents = [.playlist, .player, .mixer, .output, .options]

    /// The words, in the order in which answers list them.
    private static let names = [
        "database", "stored_playlist", "playlist", "player", "mixer", "output", "options", "sticker",
        "update",
        "subscription", "message", "neighbor", "mount", "partition",
    ]

    /// The words of the events.
    var names: [String] {
        Self.names.enumerated().filter { contains(IdleEvents(rawValue: 1 << $0.offset)) }.map(\.element)
    }

    init(rawValue: Int) { self.rawValue = rawValue }

    init(name: String) throws(CommandError) {
        guard let place = Self.names.firstIndex(of: name) else {
            throw CommandError(.argument, "Unrecognized idle event: \(name)")
        }
        rawValue = 1 << place
    }
}
