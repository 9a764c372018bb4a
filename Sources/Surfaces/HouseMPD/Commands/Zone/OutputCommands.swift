import TuttiHouse

/// Rooms as outputs: an enabled one belongs to the client's zone.
struct OutputCommands: Sendable {
    enum Switch { case on, off, toggle }

    let core: ServerCore
    let zone: ClientZone

    func outputs(_ answer: inout AnswerWriter) {
        let zone = zone.id
        for (number, name, room) in core.mirror.numberedRooms {
            answer.add("outputid", number)
            answer.add("outputname", name)
            answer.add("plugin", room.kind == .airPlay ? "airplay" : room.kind.rawValue)
            answer.add("outputenabled", room.zone == zone)
            if let volume = room.volume { answer.add("attribute", "volume=\(Int(nearest: volume))") }
            answer.add("attribute", "delay=\(Int(nearest: room.delay))")
            answer.add("attribute", "maximum=\(Int(nearest: room.maximumVolume))")
            answer.add("attribute", "night=\(room.nightMode ? 1 : 0)")
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
        let (room, own) = (try output(number), zone.id)
        let isOn = room.zone == own
        let target = wanted == .toggle ? !isOn : wanted == .on
        // A room of another zone is off here, and stays there.
        guard target != isOn else { return }
        try await zone.perform(.moveRoom(room.id, to: target ? own : nil))
    }

    func setOutput(_ number: String, _ name: String, _ value: String) async throws(CommandError) {
        let room = try output(number)
        switch name {
        case "volume":
            try await zone.perform(.setRoomVolume(room.id, Double(try Argument.natural(value, upTo: 100))))
        case "delay": try await zone.perform(.setRoomDelay(room.id, milliseconds: try Argument.number(value)))
        case "maximum":
            try await zone.perform(
                .setRoomMaximumVolume(room.id, Double(try Argument.natural(value, upTo: 100))))
        case "night": try await zone.perform(.setRoomNightMode(room.id, try Argument.boolean(value)))
        default: throw CommandError(.argument, "Unsupported attribute")
        }
    }

    func moveOutput(_ name: String) async throws(CommandError) {
        guard let found = core.mirror.numberedRooms.first(where: { $0.name == name }) else {
            throw CommandError(.missing, "No such output")
        }
        try await zone.perform(.moveRoom(found.room.id, to: zone.id))
    }
}
