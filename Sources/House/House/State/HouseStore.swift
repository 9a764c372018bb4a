import Foundation
import TuttiDatabase

/// The state of a house on disk: zones, queues, rooms. Belongs to the house's actor; calls block on the disk for
/// milliseconds.
///
/// A change by a user is on the disk when the call returns. Positions, written each second, may be lost by a power cut
/// up to the change before, not by the end of the process.
///
/// A house whose disk is full or gone continues without storing: ``trouble`` says so, and the next change that can
/// be written brings all of the state. A damaged file is set aside, whenever the damage is found, and a new one
/// begun.
final class HouseStore {
    /// The most damaged files that a process sets aside; a disk that fails would make one every ten seconds.
    private static let asideLimit = 3

    private let path: String?
    private var database: Database?
    private let coder = StateCoder()
    /// The reason why the state is not on the disk.
    private(set) var trouble: Trouble?
    /// The file that was set aside as damaged, in words.
    private(set) var repair: Trouble?
    /// The parts of the state that could not be read, in words.
    var omission: Trouble? { coder.trouble }
    /// Whether something was not written, so that all of the state must be.
    private(set) var isBehind = false
    /// The Unix time before which the state is not written again after an outage.
    private var nextAttempt = 0.0
    private var isDurable = true
    /// Whether the file may have state that the house does not know. Such state is never overwritten.
    private var isUnread = true
    private var asideCount = 0

    /// Opens the database, and sets a damaged one aside.
    ///
    /// - Parameter path: `nil` stores nothing, for tests.
    init(path: String?) {
        self.path = path
        open()
        // A new file in the place of a damaged one lacks nothing yet.
        if database != nil { isBehind = false }
    }

    // MARK: The file

    private func open() {
        guard let path else { return }
        do throws(DatabaseError) { database = try Self.open(path) } catch { note(error) }
        isDurable = true
    }

    private static func open(_ path: String) throws(DatabaseError) -> Database {
        try Database(
            path: path, options: DatabaseOptions(survivesPowerCut: true), migrations: HouseSchema.migrations)
    }

    /// Opens the file again after a failure. If it has state that the house does not know, it stays closed.
    private func reopen() {
        database = nil
        open()
        guard isUnread, database != nil else { return }
        var isEmpty = false
        let failure = attempt { database throws(DatabaseError) in isEmpty = try Self.isEmpty(database) }
        if let failure { return note(failure) }
        if isEmpty {
            isUnread = false
        } else {
            database = nil
            trouble = Self.unreadTrouble(path ?? "")
        }
    }

    private static func isEmpty(_ database: Database) throws(DatabaseError) -> Bool {
        for table in ["zone", "room", "alarm"] {
            let found = try database.first("SELECT count(*) FROM \(table)") { row -> Int64 in row[0] }
            if found != 0 { return false }
        }
        return true
    }

    /// Runs statements.
    ///
    /// - Returns: Their failure. The connection has no user then, and may be closed.
    private func attempt(_ body: (Database) throws(DatabaseError) -> Void) -> DatabaseError? {
        guard let database else { return nil }
        do throws(DatabaseError) { try body(database) } catch { return error }
        return nil
    }

    /// Notes that something was not written or read. Sets a damaged file aside, and begins a new one.
    private func note(_ error: DatabaseError) {
        (isBehind, trouble) = (true, makeTrouble(of: error))
        guard error.kind == .corrupt, let path, asideCount < Self.asideLimit else { return }
        asideCount += 1
        // All connections must be closed.
        database = nil
        do throws(DatabaseError) {
            let aside = try Database.setAside(path) ?? path
            (repair, isUnread) = (Self.repairTrouble(aside, isUnread: isUnread), false)
            (database, isDurable) = (try Self.open(path), true)
            trouble = nil
        } catch {
            trouble = makeTrouble(of: error)
        }
    }

    // MARK: Troubles

    private func makeTrouble(of error: DatabaseError) -> Trouble {
        if isUnread {
            return Trouble(
                code: "state-not-read",
                message:
                    "The stored state of the house cannot be read, so the house started empty, and stores"
                    + " nothing: \(error.description) Tutti tries again.")
        }
        return Trouble(
            code: "state-not-stored",
            message: "The state of the house is not stored, and a restart forgets it: \(error.description)")
    }

    private static func unreadTrouble(_ path: String) -> Trouble {
        Trouble(
            code: "state-not-read",
            message:
                "The state in \(path) could not be read at the start, so the house started empty. The file"
                + " is kept, and nothing is stored. Restart the service to get that state back, or move the"
                + " file away to keep the current state.")
    }

    private static func repairTrouble(_ aside: String, isUnread: Bool) -> Trouble {
        let end = isUnread ? "zones and queues start empty" : "the current state is stored in a new file"
        return Trouble(
            code: "state-damaged",
            message: "The stored state of the house was damaged. It is kept in \(aside); \(end).")
    }

    // MARK: Reading

    func read() -> StoredHouse {
        var house = StoredHouse()
        guard database != nil else { return house }
        let failure = attempt { database throws(DatabaseError) in house = try read(database) }
        guard let failure else {
            isUnread = false
            return house
        }
        note(failure)
        // A new file in the place of the damaged one lacks nothing yet.
        if !isUnread, database != nil { isBehind = false }
        return StoredHouse()
    }

    private func read(_ database: Database) throws(DatabaseError) -> StoredHouse {
        var house = StoredHouse()
        let coder = coder
        house.rooms = try database.all("SELECT content FROM room ORDER BY id") { row in
            coder.part(StoredRoom.self, row[0])
        }.compactMap(\.self)
        let zones = try database.all(
            """
            SELECT zone.id, name, wish, rate, repeat, shuffled, zone.current, place.position, sleep, revision, entries, playing,
              place.current, levelling, crossfade, sleep_fade
            FROM zone LEFT JOIN place ON place.zone = zone.id ORDER BY zone.id
            """
        ) { row in Self.zone(row, coder) }
        for (var zone, entries, playing, placed) in zones {
            let stored = try self.entries(of: zone.id, in: database)
            var queue = HouseQueue(
                entries: entries.compactMap { stored[$0] }, order: playing, current: zone.current,
                isShuffled: zone.isShuffled, repeatMode: zone.repeatMode, revision: zone.queueRevision)
            // The place is written with the zone and also alone, so its entry is the later one.
            if let placed { queue.setCurrent(placed) }
            zone.current = queue.currentID
            // A position belongs to the entry with which it was written.
            if zone.current != placed { zone.position = 0 }
            house.zones.append((zone, queue))
        }
        house.alarms = try database.all("SELECT id, content, since, rung FROM alarm ORDER BY id") { row in
            coder.part(Alarm.self, row[1]).map {
                StoredAlarm(id: AlarmID(rawValue: row[0]), $0, since: row[2], rung: row[3])
            }
        }.compactMap(\.self)
        let counters = try database.all("SELECT name, value FROM counter") { row in
            (row[0] as String, row[1] as Int64)
        }
        for (name, value) in counters where name == "entry" { house.counters.lastEntry = value }
        for (name, value) in counters where name == "zone" { house.counters.lastZone = Int(value) }
        for (name, value) in counters where name == "alarm" { house.counters.lastAlarm = Int(value) }
        return house
    }

    private static func zone(
        _ row: borrowing DatabaseRow, _ coder: StateCoder
    ) -> (zone: StoredZone, entries: [EntryID], playing: [EntryID], placed: EntryID?) {
        var zone = StoredZone(id: ZoneID(rawValue: row[0]), name: row[1])
        zone.wish = StoredZone.Wish(rawValue: row[2]) ?? .stopped
        zone.rate = row[3]
        zone.repeatMode = RepeatMode(rawValue: row[4]) ?? .off
        zone.isShuffled = row[5]
        let current: Int64? = row[6]
        zone.current = current.map { EntryID(rawValue: $0) }
        let placed: Int64? = row[12]
        zone.position = row[7] ?? 0
        let sleep: Data? = row[8]
        zone.sleep = sleep.flatMap { coder.part(SleepTimer.self, $0) }
        zone.queueRevision = UInt64(clamping: row[9] as Int64)
        zone.levelling = VolumeLevelling(rawValue: row[13]) ?? .off
        (zone.crossfade, zone.sleepFade) = (row[14], row[15])
        return (
            zone, EntryList.decode(row[10]), EntryList.decode(row[11]),
            placed.map { EntryID(rawValue: $0) }
        )
    }

    private func entries(
        of zone: ZoneID, in database: Database
    ) throws(DatabaseError) -> [EntryID: QueueEntry] {
        let coder = coder
        let entries = try database.all("SELECT content FROM entry WHERE zone = ?", zone.rawValue) { row in
            coder.part(QueueEntry.self, row[0])
        }
        return Dictionary(entries.compactMap(\.self).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    // MARK: Writing

    /// Writes a zone, of its queue what has changed since `old`, and the counters; `nil` writes all of the queue.
    func write(_ zone: StoredZone, _ queue: HouseQueue, old: HouseQueue?, _ counters: HouseCounters) {
        change { database throws(DatabaseError) in
            try put(counters, in: database)
            try put(zone, queue, old: old, in: database)
        }
    }

    private func put(
        _ zone: StoredZone, _ queue: HouseQueue, old: HouseQueue?, in database: Database
    ) throws(DatabaseError) {
        try database.execute(
            """
            INSERT INTO zone (id, name, wish, rate, repeat, shuffled, current, sleep, revision, levelling, crossfade,
              sleep_fade, entries, playing)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, x'', x'')
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, wish = excluded.wish, rate = excluded.rate,
              repeat = excluded.repeat, shuffled = excluded.shuffled, current = excluded.current,
              sleep = excluded.sleep, revision = excluded.revision, levelling = excluded.levelling,
              crossfade = excluded.crossfade, sleep_fade = excluded.sleep_fade
            """,
            zone.id.rawValue, zone.name, zone.wish.rawValue, zone.rate, zone.repeatMode.rawValue,
            zone.isShuffled, zone.current?.rawValue, zone.sleep.flatMap { coder.content(of: $0) },
            Int64(clamping: queue.revision), zone.levelling.rawValue, zone.crossfade, zone.sleepFade)
        try putPlace(of: zone, in: database)
        // The lists may be long.
        if old?.revision != queue.revision || old?.order != queue.order {
            try database.execute(
                "UPDATE zone SET entries = ?, playing = ? WHERE id = ?",
                EntryList.encode(queue.entries.map(\.id)),
                EntryList.encode(queue.isShuffled ? queue.order : []), zone.id.rawValue)
        }
        if old?.revision != queue.revision { try putEntries(of: zone.id, queue, old, in: database) }
    }

    private func putEntries(
        of zone: ZoneID, _ queue: HouseQueue, _ old: HouseQueue?, in database: Database
    ) throws(DatabaseError) {
        if old == nil { try database.execute("DELETE FROM entry WHERE zone = ?", zone.rawValue) }
        for entry in old?.entries ?? [] where !queue.contains(entry.id) {
            try database.execute("DELETE FROM entry WHERE id = ?", entry.id.rawValue)
        }
        for entry in queue.entries where old?.entry(entry.id) != entry {
            guard let content = coder.content(of: entry) else { continue }
            try database.execute(
                "INSERT OR REPLACE INTO entry (id, zone, content) VALUES (?, ?, ?)", entry.id.rawValue,
                zone.rawValue, content)
        }
    }

    /// Writes the position of a zone alone. May be lost by a power cut.
    func writePosition(of zone: StoredZone) {
        change(isDurable: false) { database throws(DatabaseError) in try putPlace(of: zone, in: database) }
    }

    private func putPlace(of zone: StoredZone, in database: Database) throws(DatabaseError) {
        try database.execute(
            "INSERT OR REPLACE INTO place (zone, current, position) VALUES (?, ?, ?)", zone.id.rawValue,
            zone.current?.rawValue, zone.position)
    }

    func remove(_ zone: ZoneID) {
        change { database throws(DatabaseError) in
            for (table, column) in [("entry", "zone"), ("place", "zone"), ("zone", "id")] {
                try database.execute("DELETE FROM \(table) WHERE \(column) = ?", zone.rawValue)
            }
        }
    }

    /// - Parameter isDurable: Whether a power cut must not lose the change.
    func write(_ room: StoredRoom, isDurable: Bool = true) {
        change(isDurable: isDurable) { database throws(DatabaseError) in try put(room, in: database) }
    }

    private func put(_ room: StoredRoom, in database: Database) throws(DatabaseError) {
        guard let content = coder.content(of: room) else { return }
        try database.execute(
            "INSERT OR REPLACE INTO room (id, content) VALUES (?, ?)", room.id.rawValue, content)
    }

    func remove(_ room: RoomID) {
        change { database throws(DatabaseError) in
            try database.execute("DELETE FROM room WHERE id = ?", room.rawValue)
        }
    }

    /// Writes an alarm and the counters.
    func write(_ alarm: StoredAlarm, _ counters: HouseCounters) {
        change { database throws(DatabaseError) in
            try put(counters, in: database)
            try put(alarm, in: database)
        }
    }

    private func put(_ alarm: StoredAlarm, in database: Database) throws(DatabaseError) {
        guard let content = coder.content(of: alarm.alarm) else { return }
        try database.execute(
            "INSERT OR REPLACE INTO alarm (id, content, since, rung) VALUES (?, ?, ?, ?)", alarm.id.rawValue,
            content, alarm.since, alarm.rung)
    }

    func remove(_ alarm: AlarmID) {
        change { database throws(DatabaseError) in
            try database.execute("DELETE FROM alarm WHERE id = ?", alarm.rawValue)
        }
    }

    private func put(_ counters: HouseCounters, in database: Database) throws(DatabaseError) {
        let values = [
            ("entry", counters.lastEntry), ("zone", Int64(counters.lastZone)),
            ("alarm", Int64(counters.lastAlarm)),
        ]
        for (name, value) in values {
            try database.execute("INSERT OR REPLACE INTO counter (name, value) VALUES (?, ?)", name, value)
        }
    }

    /// Whether everything is to be written after an outage at this time. If so, ten seconds pass until the next attempt.
    func beginAttempt(at time: Double) -> Bool {
        guard isBehind, time >= nextAttempt else { return false }
        nextAttempt = time + 10
        return true
    }

    /// Writes everything after an outage, or nothing while the disk still refuses.
    func writeAll(
        zones: [(StoredZone, HouseQueue)], rooms: [StoredRoom], alarms: [StoredAlarm],
        _ counters: HouseCounters
    ) {
        guard isBehind, path != nil else { return }
        reopen()
        guard database != nil, !isUnread else { return }
        (isBehind, trouble) = (false, nil)
        change { database throws(DatabaseError) in
            for table in ["zone", "entry", "place", "room", "alarm"] {
                try database.run("DELETE FROM \(table)")
            }
            try put(counters, in: database)
            for room in rooms { try put(room, in: database) }
            for alarm in alarms { try put(alarm, in: database) }
            for (zone, queue) in zones { try put(zone, queue, old: nil, in: database) }
        }
    }

    private func change(
        isDurable: Bool = true, _ body: (Database) throws(DatabaseError) -> Void
    ) {
        guard !isBehind else { return }
        let failure = attempt { database throws(DatabaseError) in
            if isDurable != self.isDurable {
                try database.run("PRAGMA synchronous=\(isDurable ? "FULL" : "NORMAL")")
                self.isDurable = isDurable
            }
            try database.transaction { () throws(DatabaseError) in try body(database) }
        }
        if let failure { note(failure) }
    }
}
