@testable import tutti

/// A house for the tests.
enum TestHouse {
    static func zone(_ id: Int, _ name: String, _ state: String = "stopped", length: Int = 0) -> RemoteZone {
        RemoteZone(
            id: id, name: name, state: state, position: 0, positionTime: 100, rate: 1, length: length,
            shuffle: false,
            repeatMode: "off")
    }

    static func room(_ id: String, _ name: String, zone: Int? = nil, state: String = "idle") -> RemoteRoom {
        RemoteRoom(id: id, name: name, zone: zone, isPresent: true, state: state)
    }

    static func entry(_ id: Int64, _ title: String, duration: Double? = 200) -> RemoteZone.Entry {
        RemoteZone.Entry(
            id: id, track: RemoteTrack(title: title, artist: "Artist", album: nil, duration: duration))
    }

    /// Two zones, the first with entries, and three rooms.
    static let house = RemoteHouse(
        time: 100, zones: [zone(1, "Kitchen", length: 2), zone(2, "Living Room")],
        rooms: [room("a", "Shelf", zone: 1), room("b", "Kitchen", zone: 1), room("c", "Liv")])
}
