import TuttiSystemIO

/// The addresses and the schedule of the demonstration: each program and room has its own loopback address.
enum DemoPlan {
    static let sender = IPAddress(127, 0, 0, 1)

    struct Room: Sendable {
        let name: String
        let address: IPAddress
        /// The error of the virtual device's clock, in ppm.
        let ppm: Double
        /// The address that the sender connects to: the room's own, or that of the relay in front of it.
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

    /// The relay's address as seen by the room behind it.
    static let relayFarEnd = IPAddress(127, 0, 0, 33)
    static let port: UInt16 = 7000
    /// The clock ports for users who may not bind 319 and 320.
    static let unprivilegedClockPorts: (event: UInt16, general: UInt16) = (31_900, 32_000)

    /// Times of the link's cut, the edit and the link's return, in seconds after the first sound.
    static let cut = 4.0
    static let edit = 7.0
    static let heal = 19.0
    /// Lengths of the three pieces in seconds; the second is removed while the speakers hold it.
    static let pieceSeconds = [26, 8, 9]
}

extension DemoPlan {
    /// The rooms of the page, each behind a relay of its own.
    static let pageRooms = rooms.enumerated().map { index, room in
        Room(
            name: room.name, address: room.address, ppm: room.ppm,
            door: IPAddress(127, 0, 0, UInt8(21 + index)))
    }

    /// The address of a relay as seen by the room behind it.
    static func farEnd(of room: Room) -> IPAddress {
        let index = pageRooms.firstIndex { $0.address == room.address } ?? 0
        return IPAddress(127, 0, 0, UInt8(31 + index))
    }

    /// The ports of each room's event and sound connections, fixed so that the relay knows them.
    static let streamPorts: ClosedRange<UInt16> = 7001...7004
}
