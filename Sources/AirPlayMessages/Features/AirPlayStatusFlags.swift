/// The state that a device announces: the bits of `flags`, `sf` and `statusFlags`.
public struct AirPlayStatusFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    private init(bit: UInt64) { rawValue = 1 << bit }

    public static let problem = AirPlayStatusFlags(bit: 0)
    public static let notConfigured = AirPlayStatusFlags(bit: 1)
    public static let audioCableAttached = AirPlayStatusFlags(bit: 2)
    public static let pinRequired = AirPlayStatusFlags(bit: 3)
    public static let fromCloud = AirPlayStatusFlags(bit: 6)
    public static let passwordRequired = AirPlayStatusFlags(bit: 7)
    public static let oneTimePairingRequired = AirPlayStatusFlags(bit: 9)
    public static let homeKitAccessControl = AirPlayStatusFlags(bit: 10)
    /// Also set by shairport-sync while busy (*observed*).
    public static let supportsRelay = AirPlayStatusFlags(bit: 11)
    public static let silentPrimary = AirPlayStatusFlags(bit: 12)
    public static let tightSyncLeader = AirPlayStatusFlags(bit: 13)
    public static let tightSyncBuddyMissing = AirPlayStatusFlags(bit: 14)
    public static let musicSubscriber = AirPlayStatusFlags(bit: 15)
    public static let cloudLibrary = AirPlayStatusFlags(bit: 16)
    public static let sessionActive = AirPlayStatusFlags(bit: 17)
    /// A name guessed from one device (*observed*, HomePod mini).
    public static let audioFlowing = AirPlayStatusFlags(bit: 20)

    private static let known: [(bit: UInt64, name: String)] = [
        (0, "problem"), (1, "not configured"), (2, "audio cable attached"), (3, "PIN required"),
        (6, "from cloud"), (7, "password required"), (9, "one-time pairing required"),
        (10, "HomeKit access control"), (11, "supports relay"), (12, "silent primary"),
        (13, "tight-sync leader"), (14, "tight-sync buddy missing"), (15, "music subscriber"),
        (16, "cloud library"), (17, "session active"), (20, "audio flowing"),
    ]

    /// The names of the bits that are set, lowest first.
    public var names: [String] { bitNames(of: rawValue, known: Self.known) }

    /// Reads a hexadecimal number with or without `0x`; `nil` for anything else.
    public init?(text: String) {
        guard let value = hexNumber(text[...]) else { return nil }
        self.init(rawValue: value)
    }
}
