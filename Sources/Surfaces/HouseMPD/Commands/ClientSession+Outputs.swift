import TuttiHouse

/// Rooms as outputs: an enabled one belongs to the client's zone.
extension ClientSession {
    enum Switch { case on, off, toggle }

    func outputs() {
        let zone = zone
        for (number, name, room) in core.mirror.numberedRooms {
            response.add("outputid", number)
            response.add("outputname", name)
            response.add("plugin", room.kind == .airPlay ? "airplay" : room.kind.rawValue)
            response.add("outputenabled", room.zone == zone)
            if let volume = room.volume { response.add("attribute", "volume=\(Int(nearest: volume))") }
            response.add("attribute", "delay=\(Int(nearest: room.delay))")
            response.add("attribute", "maximum=\(Int(nearest: room.maximumVolume))")
            response.add("attribute", "night=\(room.nightMode ? 1 : 0)")
        }
    }

    private func output(_ number: String) throws(CommandError) -> RoomSnapshot {
        let wanted = try Argument.natural(number)
        guard let found = core.mirror.numberedRooms.first(where: { $0.number == wanted }) else {
            throw CommandError.noOutput
        }
        return found.room
    }

    func switchOutput(_ number: String, _ wanted: Switch) async throws(CommandError) {
        let (room, zone) = (try output(number), zone)
        let isOn = room.zone == zone
        let target = wanted == .toggle ? !isOn : wanted == .on
        // A room of another zone is off here, and stays there.
        guard target != isOn else { return }
        try await perform(.moveRoom(room.id, to: target ? zone : nil))
    }

    func setOutput(_ number: String, _ name: String, _ value: String) async throws(CommandError) {
        let room = try output(number)
        switch name {
        case "volume":
            try await perform(.setRoomVolume(room.id, Double(try Argument.natural(value, upTo: 100))))
        case "delay": try await perform(.setRoomDelay(room.id, milliseconds: try Argument.number(value)))
        case "maximum":
            try await perform(.setRoomMaximumVolume(room.id, Double(try Argument.natural(value, upTo: 100))))
        case "night": try await perform(.setRoomNightMode(room.id, try Argument.boolean(value)))
        default: throw CommandError(.argument, "Unsupported attribute")
        }
    }

    func moveOutput(_ name: String) async throws(CommandError) {
        guard let found = core.mirror.numberedRooms.first(where: { $0.name == name }) else {
            throw CommandError(.missing, "No such output")
        }
        try await perform(.moveRoom(found.room.id, to: zone))
    }
}

/// Zones as partitions.
extension ClientSession {
    func listPartitions() {
        for name in core.mirror.partitionNames { response.add("partition", name) }
    }

    func choosePartition(_ name: String) throws(CommandError) {
        guard let found = core.mirror.partition(named: name) else {
            throw CommandError(.missing, "partition does not exist")
        }
        inbox.withLock { $0.move(to: found.id) }
    }

    func makePartition(_ name: String) async throws(CommandError) {
        guard core.mirror.partition(named: name) == nil else {
            throw CommandError(.exists, "name already exists")
        }
        try await perform(.makeZone(name: name, rooms: []))
    }

    func removePartition(_ name: String) async throws(CommandError) {
        guard let found = core.mirror.partition(named: name) else {
            throw CommandError(.missing, "no such partition")
        }
        guard found.id != core.firstZone else {
            throw CommandError(.unknown, "cannot delete the default partition")
        }
        guard !core.clients.contains(where: { $0.inbox.withLock { $0.zone } == found.id }) else {
            throw CommandError(.unknown, "partition still has clients")
        }
        guard found.rooms.isEmpty else { throw CommandError(.unknown, "partition still has outputs") }
        try await perform(.removeZone(found.id))
    }
}
