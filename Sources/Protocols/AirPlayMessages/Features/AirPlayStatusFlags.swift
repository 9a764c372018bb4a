/// The state that a device announces: the bits of `flags`, `sf` and `statusFlags`.
package struct AirPlayStatusFlags: OptionSet, Hashable, Sendable {
    /// The bits, as advertised and sent.
    package let rawValue: UInt64

    /// Creates a set from its bits.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    private init(bit: UInt64) { rawValue = 1 << bit }

    /// Bit 0: the device has a problem.
    package static let problem = AirPlayStatusFlags(bit: 0)
    /// Bit 1: the device is not configured.
    package static let notConfigured = AirPlayStatusFlags(bit: 1)
    /// Bit 2: an audio cable is attached.
    package static let audioCableAttached = AirPlayStatusFlags(bit: 2)
    /// Bit 3: a PIN is required.
    package static let pinRequired = AirPlayStatusFlags(bit: 3)
    /// Bit 6: the device comes from a cloud account.
    package static let fromCloud = AirPlayStatusFlags(bit: 6)
    /// Bit 7: a password is required.
    package static let passwordRequired = AirPlayStatusFlags(bit: 7)
    /// Bit 9: one-time pairing is required.
    package static let oneTimePairingRequired = AirPlayStatusFlags(bit: 9)
    /// Bit 10: HomeKit controls access.
    package static let homeKitAccessControl = AirPlayStatusFlags(bit: 10)
    /// Also set by shairport-sync while busy (*observed*).
    package static let supportsRelay = AirPlayStatusFlags(bit: 11)
    /// Bit 12: the device is the silent primary of a group.
    package static let silentPrimary = AirPlayStatusFlags(bit: 12)
    /// Bit 13: the device leads a tightly synchronized group.
    package static let tightSyncLeader = AirPlayStatusFlags(bit: 13)
    /// Bit 14: the other half of a tightly synchronized pair is missing.
    package static let tightSyncBuddyMissing = AirPlayStatusFlags(bit: 14)
    /// Bit 15: the account subscribes to a music service.
    package static let musicSubscriber = AirPlayStatusFlags(bit: 15)
    /// Bit 16: the account has a cloud library.
    package static let cloudLibrary = AirPlayStatusFlags(bit: 16)
    /// Bit 17: a session is active.
    package static let sessionActive = AirPlayStatusFlags(bit: 17)
    /// A name guessed from one device (*observed*, HomePod mini).
    package static let audioFlowing = AirPlayStatusFlags(bit: 20)

    private static let known: [(bit: UInt64, name: String)] = [
        (0, "problem"), (1, "not configured"), (2, "audio cable attached"), (3, "PIN required"),
        (6, "from cloud"), (7, "password required"), (9, "one-time pairing required"),
        (10, "HomeKit access control"), (11, "supports relay"), (12, "silent primary"),
        (13, "tight-sync leader"), (14, "tight-sync buddy missing"), (15, "music subscriber"),
        (16, "cloud library"), (17, "session active"), (20, "audio flowing"),
    ]

    /// The names of the bits that are set, lowest first.
    package var names: [String] { bitNames(of: rawValue, known: Self.known) }

    /// Reads a hexadecimal number with or without `0x`; `nil` for anything else.
    package init?(text: String) {
        guard let value = hexNumber(text[...]) else { return nil }
        self.init(rawValue: value)
    }
}
