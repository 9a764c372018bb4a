import Testing
import TuttiHouse
import TuttiMusicLibrary

@testable import TuttiHouseMPD

@Suite("The mirrors of the house and of queues")
struct MirrorTests {
    private func page(_ revision: UInt64, _ ids: [Int64]) -> QueuePage {
        let entries = ids.map {
            QueueEntry(id: EntryID(rawValue: $0), track: PlayableTrack(location: "/\($0)", title: "\($0)"))
        }
        return QueuePage(revision: revision, length: ids.count, start: 0, entries: entries)
    }

    @Test("only places that changed since a version are told")
    func versions() {
        var queue = QueueMirror(page(5, [1, 2, 3, 4]))
        let first = queue.version
        queue.update(page(6, [1, 3, 2, 4]))
        #expect(queue.changes(since: first) == [1, 2])
        let second = queue.version
        queue.update(page(7, [1, 3, 2, 4, 5]))
        #expect(queue.changes(since: second) == [4] && queue.changes(since: first) == [1, 2, 4])
        #expect(queue.changes(since: queue.version).isEmpty)
        queue.update(page(8, [3, 2]))
        #expect(queue.changes(since: second) == [0, 1])
        #expect(queue.place(of: EntryID(rawValue: 2)) == 1 && queue.place(of: EntryID(rawValue: 1)) == nil)
    }

    @Test("an unknown version gets everything, and an earlier state changes nothing")
    func unknown() {
        var queue = QueueMirror(page(5, [1, 2]))
        #expect(queue.changes(since: 0) == [0, 1] && queue.changes(since: 999) == [0, 1])
        queue.update(page(4, []))
        #expect(queue.entries.count == 2 && queue.version == 1)
        queue.touch(1)
        #expect(queue.changes(since: 1) == [1])
        queue.touch(7)
        #expect(queue.version == 2)
    }

    private let zone = ZoneSnapshot(id: ZoneID(rawValue: 1), name: "Music")

    private func mirror() -> HouseMirror {
        var mirror = HouseMirror()
        mirror.take(HouseSnapshot(revision: 1, zones: [zone]))
        return mirror
    }

    private func events(_ change: (inout ZoneSnapshot) -> Void) -> IdleEvents {
        var (mirror, new) = (mirror(), zone)
        change(&new)
        return mirror.take(HouseChange(revision: 2, body: .zone(new)))?.events ?? []
    }

    @Test("a change of a zone is told as what clients wait for")
    func events() {
        #expect(events { $0.volume = 3 } == .mixer)
        #expect(events { $0.rooms = [RoomID(rawValue: "a")] } == [.output, .mixer], "a volume is there now")
        #expect(events { $0.shuffle = true } == .options)
        #expect(events { $0.repeatMode = .one } == .options)
        #expect(events { $0.sleep = .endOfTrack } == .options)
        #expect(events { $0.state = .playing } == .player)
        #expect(events { $0.position = 9 } == .player)
        #expect(events { $0.queueRevision = 9 } == .playlist)
        #expect(events { $0.streamTitle = "x" } == [.player, .playlist])
        #expect(events { $0.name = "x" } == .partition)
        #expect(events { $0.trouble = Trouble(code: "a", message: "b") } == .player)
        #expect(events { $0.sleep = .at(99) } == [])
        #expect(events { _ in } == [])
    }

    @Test("changes that come before the snapshot win over it")
    func early() {
        var mirror = HouseMirror()
        var changed = zone
        changed.name = "Changed"
        _ = mirror.take(HouseChange(revision: 9, body: .zone(changed)))
        _ = mirror.take(HouseChange(revision: 10, body: .zoneRemoved(ZoneID(rawValue: 2))))
        mirror.take(
            HouseSnapshot(
                revision: 8,
                zones: [zone, ZoneSnapshot(id: ZoneID(rawValue: 2), name: "Gone")],
                rooms: [RoomSnapshot(id: RoomID(rawValue: "a"), name: "A", kind: .local)]))
        #expect(mirror.partitionNames == ["Changed"] && mirror.numberedRooms.map(\.name) == ["A"])
    }

    @Test("a snapshot older than a change still gives the library, and brings back no removed room")
    func earlyLibrary() {
        var library = LibraryState()
        library.tracks = 7
        let rooms = ["a", "b"].map { RoomSnapshot(id: RoomID(rawValue: $0), name: $0, kind: .local) }
        let snapshot = HouseSnapshot(revision: 8, zones: [zone], rooms: rooms, library: library)
        var mirror = HouseMirror()
        _ = mirror.take(HouseChange(revision: 9, body: .roomRemoved(RoomID(rawValue: "a"))))
        mirror.take(snapshot)
        #expect(mirror.library.tracks == 7 && mirror.numberedRooms.map(\.name) == ["b"])
        var newer = HouseMirror()
        var state = library
        state.tracks = 9
        _ = newer.take(HouseChange(revision: 9, body: .library(state)))
        newer.take(snapshot)
        #expect(newer.library.tracks == 9)
    }

    @Test("partitions and outputs have unique names, and outputs keep their numbers")
    func names() {
        var mirror = mirror()
        _ = mirror.take(
            HouseChange(revision: 2, body: .zone(ZoneSnapshot(id: ZoneID(rawValue: 2), name: "Music"))))
        #expect(mirror.partitionNames == ["Music", "Music (2)"])
        #expect(mirror.partition(named: "Music (2)")?.id == ZoneID(rawValue: 2))
        for (number, name) in ["x", "x", "y"].enumerated() {
            let room = RoomSnapshot(id: RoomID(rawValue: "\(number)"), name: name, kind: .airPlay)
            _ = mirror.take(HouseChange(revision: 3, body: .room(room)))
        }
        #expect(mirror.numberedRooms.map(\.name) == ["x", "x (2)", "y"])
        _ = mirror.take(HouseChange(revision: 4, body: .roomRemoved(RoomID(rawValue: "0"))))
        #expect(mirror.numberedRooms.map(\.number) == [1, 2])
    }

    @Test("the end of a scan is told once, and playlists by an unchanged state")
    func library() {
        var mirror = mirror()
        var state = LibraryState()
        state.isScanning = true
        #expect(mirror.take(HouseChange(revision: 2, body: .library(state)))?.events == .update)
        state.scanned = 5
        #expect(mirror.take(HouseChange(revision: 3, body: .library(state))) == nil)
        (state.isScanning, state.tracks) = (false, 5)
        let end = mirror.take(HouseChange(revision: 4, body: .library(state)))?.events
        #expect(end == [.update, .database, .storedPlaylist])
        #expect(mirror.take(HouseChange(revision: 5, body: .library(state)))?.events == .storedPlaylist)
    }

    // MARK: Modes

    private func playing(
        _ id: Int64?, state: ZoneSnapshot.State = .playing, at position: Double = 0
    ) -> ZoneSnapshot {
        var zone = zone
        (zone.state, zone.position) = (state, position)
        zone.current = id.map {
            QueueEntry(
                id: EntryID(rawValue: $0), track: PlayableTrack(location: "/", title: "", duration: 10))
        }
        return zone
    }

    @Test(
        "a song is consumed at its end and by next, but not when a client goes back or has chosen another")
    func consume() {
        var modes = PlaybackModes()
        let consumed = [HouseCommand.remove(zone.id, [EntryID(rawValue: 1)])]
        #expect(modes.commands(from: playing(1, at: 9.9), to: playing(2)).isEmpty)
        modes.consumes = true
        #expect(modes.commands(from: playing(1, at: 9.9), to: playing(2)) == consumed)
        // A client went back, or chose elsewhere.
        #expect(modes.commands(from: playing(1, at: 4), to: playing(2)).isEmpty)
        modes.skipped = EntryID(rawValue: 1)
        #expect(modes.commands(from: playing(1, at: 4), to: playing(2)) == consumed && modes.skipped == nil)
        modes.chosen = EntryID(rawValue: 7)
        #expect(modes.commands(from: playing(1, at: 9.9), to: playing(7)).isEmpty && modes.chosen == nil)
        #expect(modes.commands(from: playing(1, state: .stopped), to: playing(2)).isEmpty)
        var (before, after) = (playing(1), playing(1, state: .stopped))
        (before.position, after.positionTime) = (4, 6)
        #expect(modes.commands(from: before, to: after) == [.remove(zone.id, [EntryID(rawValue: 1)])])
        after.positionTime = 1
        #expect(modes.commands(from: before, to: after).isEmpty)
        (before.state, before.position) = (.waiting, 9.9)
        #expect(modes.commands(from: before, to: after) == [.remove(zone.id, [EntryID(rawValue: 1)])])
        before.position = 5
        #expect(modes.commands(from: before, to: after).isEmpty)
    }

    @Test("single without repetition asks for a pause at each song's end")
    func single() {
        var modes = PlaybackModes()
        modes.pausesAfterEach = true
        #expect(modes.commands(from: playing(1), to: playing(2)) == [.sleepAtEndOfTrack(zone.id)])
        var asleep = playing(2)
        asleep.sleep = .endOfTrack
        #expect(modes.commands(from: playing(1), to: asleep).isEmpty)
        asleep.repeatMode = .one
        #expect(modes.commands(from: playing(1), to: asleep).isEmpty && !modes.pausesAfterEach)
    }
}
