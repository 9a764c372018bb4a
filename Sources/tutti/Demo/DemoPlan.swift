import SystemIO

/// Who stands where in the demonstration: every program and every room on a loopback address of its own.
enum DemoPlan {
    static let sender = IPAddress(127, 0, 0, 1)

    struct Room: Sendable {
        let name: String
        let address: IPAddress
        /// Error of the virtual device's clock, in millionths.
        let ppm: Double
        /// Where the sender finds it: itself, or the relay before it.
        var door: IPAddress
    }

    static let rooms = [
        Room(
            name: "Kitchen", address: IPAddress(127, 0, 0, 11), ppm: 0, door: IPAddress(127, 0, 0, 11)),
        Room(
            name: "Living Room", address: IPAddress(127, 0, 0, 12), ppm: 40,
            door: IPAddress(127, 0, 0, 12)),
        Room(
            name: "Garden", address: IPAddress(127, 0, 0, 13), ppm: -25, door: IPAddress(127, 0, 0, 23)),
    ]

    /// What the room behind the relay takes for its sender.
    static let relayFarEnd = IPAddress(127, 0, 0, 33)
    static let port: UInt16 = 7000
    /// For whoever may not bind 319 and 320.
    static let unprivilegedClockPorts: (event: UInt16, general: UInt16) = (31_900, 32_000)

    /// Seconds after the first sound.
    static let cut = 4.0
    static let edit = 7.0
    static let heal = 19.0
    /// Lengths of the three pieces; the second is taken out while the speakers hold it.
    static let pieceSeconds = [26, 8, 9]
}

extension DemoPlan {
    /// For the event and the sound connection of a room, so that the relay knows them.
    static let streamPorts: ClosedRange<UInt16> = 7001...7004
}
