import TuttiHouse

/// Zones as partitions.
struct PartitionCommands: Sendable {
    let core: ServerCore
    let client: Client
    let zone: ClientZone

    func listPartitions(_ answer: inout AnswerWriter) {
        for name in core.mirror.partitionNames { answer.add("partition", name) }
    }

    func choosePartition(_ name: String) throws(CommandError) {
        guard let found = core.mirror.partition(named: name) else {
            throw CommandError(.missing, "partition does not exist")
        }
        client.inbox.withLock { $0.move(to: found.id) }
    }

    func makePartition(_ name: String) async throws(CommandError) {
        guard core.mirror.partition(named: name) == nil else {
            throw CommandError(.exists, "name already exists")
        }
        try await zone.perform(.makeZone(name: name, rooms: []))
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
        try await zone.perform(.removeZone(found.id))
    }
}
