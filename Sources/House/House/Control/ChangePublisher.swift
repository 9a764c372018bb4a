/// The changes of a house as its surfaces get them: numbered, in order, and only what differs from what they know.
/// Belongs to the house's actor.
final class ChangePublisher {
    /// The number of the last change.
    private(set) var revision: UInt64 = 0
    private var surfaces: [any ControlSurface] = []
    private var rooms: [RoomID: RoomSnapshot] = [:]
    private var troubles: [Trouble] = []
    private let log: HouseLog

    /// - Parameter log: Receives new troubles.
    init(log: @escaping HouseLog) { self.log = log }

    // MARK: Surfaces

    var hasSurfaces: Bool { !surfaces.isEmpty }

    func add(_ surface: any ControlSurface) { surfaces.append(surface) }

    func remove(_ surface: any ControlSurface) { surfaces.removeAll { $0 === surface } }

    /// Lets all surfaces go.
    ///
    /// - Returns: Those that there were.
    func removeAll() -> [any ControlSurface] {
        defer { surfaces = [] }
        return surfaces
    }

    // MARK: Changes

    /// Numbers a change and hands it to every surface.
    func tell(_ body: HouseChange.Body) {
        if case .depths = body {} else { revision += 1 }
        let change = HouseChange(revision: revision, body: body)
        for surface in surfaces { surface.houseDidChange(change) }
    }

    /// Tells the state of a room, if it differs from what surfaces know.
    func publish(_ room: RoomSnapshot) {
        guard rooms[room.id].map({ !$0.isSame(as: room) }) ?? true else { return }
        rooms[room.id] = room
        tell(.room(room))
    }

    /// Tells that a room was forgotten.
    func remove(_ room: RoomID) {
        rooms[room] = nil
        tell(.roomRemoved(room))
    }

    /// Tells what is wrong with the house, if it differs from what surfaces know.
    func publish(_ new: [Trouble]) {
        guard new != troubles else { return }
        for trouble in new where !troubles.contains(trouble) { log(.warning, trouble.message) }
        troubles = new
        tell(.troubles(new))
    }
}

extension ZoneSnapshot {
    /// The difference of positions that a surface need not be told, in seconds.
    private static let tolerance = 0.3

    /// Whether a surface that shows `self` shows what a later snapshot says.
    func isSame(as later: ZoneSnapshot) -> Bool {
        let elapsed = state == .playing ? (later.positionTime - positionTime) * rate : 0
        var (old, new) = (self, later)
        guard abs(position + elapsed - later.position) < Self.tolerance else { return false }
        (old.position, old.positionTime, new.position, new.positionTime) = (0, 0, 0, 0)
        return old == new
    }
}

extension RoomSnapshot {
    /// Whether two snapshots differ in their depths at most, which surfaces get on another way.
    func isSame(as other: RoomSnapshot) -> Bool {
        var (left, right) = (self, other)
        (left.depth, right.depth) = (nil, nil)
        return left == right
    }
}
