import Foundation
import TuttiDBus
import TuttiHouse
import TuttiMPRIS
import TuttiMusicLibrary

/// The players of all zones. Batches of changes are applied one after another.
actor ZonePlayers {
    /// The most zones that are shown: each has a connection, of which a bus allows some hundred for a user.
    static let limit = 64

    private struct Zone {
        let player: PlayerObject
        let commands: AsyncStream<(PlayerCommand, BusResponder)>.Continuation
        let task: Task<Void, Never>
        let watch: BusTroubles.Watch
        var window = QueueWindow()
        var entries: [QueueEntry] = []
        /// The change of the queue that ``entries`` have; `nil` before the first.
        var revision: UInt64?
    }

    private let house: any HouseControlling
    private let inbox: ChangeInbox
    private let address: BusAddress
    private let loop: BusLoop
    private let mapping: ZoneMapping
    private let details: TrackDetailCache?
    private let troubles: BusTroubles
    private var zones: [ZoneID: Zone] = [:]
    /// The last known states.
    private var snapshots: [ZoneID: ZoneSnapshot] = [:]
    /// The change of the house from which on changes count; `nil` before the first snapshot.
    private var floor: UInt64?
    /// The batch that was begun last.
    private var lastBatch: Task<Void, Never>?
    private var isOver = false

    init(
        _ house: any HouseControlling, _ inbox: ChangeInbox, on address: BusAddress, loop: BusLoop,
        mapping: ZoneMapping, details: TrackDetailCache?, troubles: BusTroubles
    ) {
        (self.house, self.inbox, self.address, self.loop) = (house, inbox, address, loop)
        self.mapping = mapping
        (self.details, self.troubles) = (details, troubles)
    }

    /// Shows the zones that are there.
    func begin() async {
        let task = Task { await showFirst() }
        lastBatch = task
        await task.value
    }

    private func showFirst() async {
        let first = await house.snapshot()
        floor = first.revision
        for zone in first.zones {
            snapshots[zone.id] = zone
            await show(zone)
        }
    }

    /// Applies what waits in the inbox, after the batches before. A command that was carried out is seen by
    /// its caller thus: the reply comes after this.
    func settle() async {
        let task = Task { [lastBatch] in
            await lastBatch?.value
            await apply(inbox.take())
        }
        lastBatch = task
        await task.value
    }

    private func apply(_ batch: ChangeInbox.Batch) async {
        for (id, latest) in batch.zones.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where latest.revision > floor ?? 0 {
            switch latest.change {
            case .state(let zone):
                snapshots[id] = zone
                await show(zone)
            case .removed:
                snapshots[id] = nil
                remove(id)
            }
        }
        for (id, queue) in batch.queues where batch.zones[id] == nil {
            guard var zone = snapshots[id], zone.queueRevision < queue.revision else { continue }
            (zone.queueRevision, zone.length) = (queue.revision, queue.length)
            snapshots[id] = zone
            await show(zone)
        }
    }

    /// Shows the present state of a zone.
    private func show(_ snapshot: ZoneSnapshot) async {
        if zones[snapshot.id] == nil {
            guard zones.count < Self.limit, !isOver else { return }
            zones[snapshot.id] = make(snapshot)
        }
        await loadEntries(of: snapshot)
        let facts = await currentDetails(of: snapshot)
        guard let zone = zones[snapshot.id] else { return }
        zone.player.update(
            mapping.state(
                of: snapshot, entries: zone.entries, details: facts,
                time: (.now, Date().timeIntervalSince1970)))
    }

    /// Removes the player of a zone.
    private func remove(_ id: ZoneID) {
        guard let zone = zones.removeValue(forKey: id) else { return }
        zone.player.close()
        zone.commands.finish()
        zone.task.cancel()
        troubles.forget(zone.watch)
    }

    /// Removes all players, and tells of no trouble any more.
    func removeAll() {
        isOver = true
        troubles.close()
        for id in Array(zones.keys) { remove(id) }
    }

    private func make(_ snapshot: ZoneSnapshot) -> Zone {
        // The bus refuses calls while too many wait, which bounds the stream.
        let (stream, continuation) = AsyncStream<(PlayerCommand, BusResponder)>.makeStream()
        let commands = ZoneCommands(zone: snapshot.id, house: house)
        let task = Task { [weak self] in
            for await (command, responder) in stream {
                let reply = await commands.perform(command)
                await self?.settle()
                responder.reply(reply)
            }
        }
        let watch = troubles.watch()
        let state = mapping.state(
            of: snapshot, entries: [], details: nil, time: (.now, Date().timeIntervalSince1970))
        let player = PlayerObject(
            name: "tutti.zone\(snapshot.id)", number: getpid(), state: state, on: address, loop: loop,
            onState: { [troubles] in troubles.note($0, of: watch) },
            perform: { continuation.yield(($0, $1)) })
        return Zone(player: player, commands: continuation, task: task, watch: watch)
    }

    private func loadEntries(of snapshot: ZoneSnapshot) async {
        guard let zone = zones[snapshot.id],
            zone.revision != snapshot.queueRevision
                || !zone.window.suits(snapshot.index, length: snapshot.length)
        else { return }
        let window = QueueWindow.around(snapshot.index, length: snapshot.length)
        // A zone that is being removed has no queue; its player goes too.
        guard let page = try? await house.queue(of: snapshot.id, window.range) else { return }
        zones[snapshot.id]?.entries = page.entries
        zones[snapshot.id]?.window = QueueWindow(range: page.start..<(page.start + page.entries.count))
        zones[snapshot.id]?.revision = page.revision
    }

    private func currentDetails(of snapshot: ZoneSnapshot) async -> TrackDetails? {
        guard let details, let current = snapshot.current else { return nil }
        return await details.details(of: current.track)
    }
}
