import Foundation
import Playback
import TuttiMusicLibrary

/// Alarms: music that begins by itself.
///
/// One task sleeps until the next moment to ring, a minute at most, since the machine's clock and its time zone may
/// change meanwhile; without an alarm that is on, there is none.
extension House {
    /// The most alarms of a house.
    static let alarmLimit = 64
    /// The most items of an alarm.
    static let alarmItemLimit = 200
    /// The most bytes of an alarm's stored form.
    private static let alarmSizeLimit = 65_536
    /// Seconds after its moment in which an alarm still rings, such as when the service begins late.
    static let alarmPatience = 300.0
    /// The least seconds in which an alarm raises music that was lowered.
    private static let shortestRise = 10.0
    /// The most seconds between two looks at the clock.
    private static let longestAlarmSleep = 60.0

    /// The alarms in the order of their making.
    var orderedAlarms: [Alarm] { alarms.values.sorted { $0.id.rawValue < $1.id.rawValue }.map(\.alarm) }

    // MARK: Commands

    func setAlarm(_ alarm: Alarm) async throws(HouseError) -> AlarmID {
        try validate(alarm)
        if !alarm.items.isEmpty, alarm.items != alarm.id.flatMap({ alarms[$0]?.alarm.items }) {
            try await validate(alarm.items)
        }
        // The library may have taken a while.
        try validate(alarm)
        if alarm.id == nil { lastAlarm += 1 }
        let id = alarm.id ?? AlarmID(rawValue: lastAlarm)
        var new = alarm
        new.id = id
        guard alarms[id]?.alarm != new else { return id }
        let stored = StoredAlarm(id: id, new, since: now())
        alarms[id] = stored
        store.write(stored, counters)
        alarmsChanged()
        return id
    }

    func removeAlarm(_ id: AlarmID) throws(HouseError) {
        guard alarms[id] != nil else { throw Self.missing(id) }
        removeAlarms { $0.id == id }
    }

    /// Removes the alarms of a zone that is removed.
    func removeAlarms(of zone: ZoneID) { removeAlarms { $0.alarm.zone == zone } }

    private func removeAlarms(where isConcerned: (StoredAlarm) -> Bool) {
        let gone = alarms.values.filter(isConcerned)
        guard !gone.isEmpty else { return }
        for alarm in gone {
            alarms[alarm.id] = nil
            store.remove(alarm.id)
        }
        alarmsChanged()
    }

    private static func missing(_ id: AlarmID) -> HouseError {
        HouseError(.notFound, "There is no alarm \(id); somebody may have removed it.")
    }

    private func validate(_ alarm: Alarm) throws(HouseError) {
        _ = try zone(alarm.zone)
        if let id = alarm.id {
            guard alarms[id] != nil else { throw Self.missing(id) }
        } else if alarms.count >= Self.alarmLimit {
            throw HouseError(.limit, "A house has at most \(Self.alarmLimit) alarms; remove one first.")
        }
        guard (0..<1440).contains(alarm.minute) else {
            throw HouseError(.invalid, "An alarm rings at a minute of the day, from 0 to 1439.")
        }
        guard alarm.volume.map((0...100).contains) ?? true else {
            throw HouseError(.invalid, "A volume is between 0 and 100 percent.")
        }
        guard Self.fadeRange.contains(alarm.fadeSeconds) else {
            throw HouseError(.invalid, "The volume of an alarm rises within 0 to 600 seconds.")
        }
        guard alarm.items.count <= Self.alarmItemLimit, StoredAlarm.size(of: alarm) <= Self.alarmSizeLimit
        else {
            throw HouseError(
                .limit, "An alarm takes at most \(Self.alarmItemLimit) items; make a playlist of them first.")
        }
    }

    /// Refuses items that do not exist; accepts any while the library is unavailable, because it may be back in time.
    private func validate(_ items: [LibraryItem]) async throws(HouseError) {
        do throws(LibraryError) {
            if try await self.items.tracks(of: items).isEmpty {
                throw LibraryError(.notFound, "There is nothing to play in it.")
            }
        } catch  where error.kind != .unavailable {
            throw HouseError(error)
        } catch {}
    }

    private func alarmsChanged() {
        publisher.tell(.alarms(orderedAlarms))
        publishTroubles()
        keepTicking()
        awaitAlarms()
    }

    // MARK: Time

    /// Sleeps until the next alarm.
    func awaitAlarms() {
        alarmTask?.cancel()
        alarmTask = nil
        let time = now()
        guard !isStopping, let next = alarms.values.compactMap({ $0.next(at: time, in: localTime) }).min()
        else { return }
        let delay = min(max(0, next - time), Self.longestAlarmSleep)
        alarmTask = Task { [weak self] in
            do { try await Task.sleep(for: .seconds(delay)) } catch { return }
            await self?.checkAlarms()
        }
    }

    /// Rings the alarms that are due.
    func checkAlarms() {
        guard !isStopping else { return }
        let time = now()
        var isChanged = false
        for var alarm in alarms.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
            guard let moment = alarm.take(at: time, in: localTime, patience: Self.alarmPatience) else {
                continue
            }
            alarms[alarm.id] = alarm
            store.write(alarm, counters)
            isChanged = true
            if time - moment <= Self.alarmPatience {
                ringingCount += 1
                // Ends once the zone plays, or cannot.
                Task { [weak self, alarm = alarm.alarm] in await self?.ring(alarm) }
            } else {
                let name = zones[alarm.alarm.zone]?.stored.name ?? "?"
                log(
                    .warning,
                    "\(name): the alarm at \(alarm.alarm.clock) did not ring: the service or the machine was off"
                )
            }
        }
        if isChanged { publisher.tell(.alarms(orderedAlarms)) }
        awaitAlarms()
    }

    // MARK: Ringing

    private func ring(_ alarm: Alarm) async {
        defer { ringingCount -= 1 }
        let tracks = await tracks(of: alarm)
        // The library may have taken a while.
        guard !isStopping, let id = alarm.id, alarms[id] != nil, let zone = zones[alarm.zone] else { return }
        log(.notice, "\(zone.stored.name): the alarm at \(alarm.clock) rings")
        do throws(HouseError) {
            try ring(alarm, tracks, in: zone)
            if !roomIDs(of: zone.id).contains(where: { rooms[$0]?.isPresent ?? false }) {
                throw HouseError(.conflict, "None of its rooms is on the network. Are they switched on?")
            }
        } catch {
            let message = "The alarm at \(alarm.clock) cannot be heard: \(error.description)"
            log(.warning, "\(zone.stored.name): \(message)")
            zone.trouble = Trouble(code: Self.alarmTrouble, message: message)
            publish(zone)
        }
    }

    /// The code of a zone's trouble that ends when the zone is heard.
    static let alarmTrouble = "alarm"

    private func ring(_ alarm: Alarm, _ tracks: [PlayableTrack], in zone: Zone) throws(HouseError) {
        try requireRooms(of: zone)
        // A timer of the evening before must not end the morning's music.
        zone.stored.sleep = nil
        let goesOn = tracks.isEmpty && zone.wish == .playing
        // Music that plays keeps its volume, and does not jump back to it: a sleeper would be startled.
        if goesOn {
            raiseLoweredVolumes(of: zone, within: max(alarm.fadeSeconds, Self.shortestRise))
            return changed(zone)
        }
        zone.fade.beginRise(alarm.fadeSeconds)
        if let volume = alarm.volume {
            if alarm.fadeSeconds > 0 {
                storeVolume(volume, of: zone)
            } else {
                try setVolume(volume, of: zone)
            }
        }
        guard !tracks.isEmpty else {
            do throws(HouseError) { return try play(zone) } catch {
                zone.fade.endRise()
                changed(zone)
                throw error
            }
        }
        zone.follow()
        let entries = newEntries(Array(tracks.prefix(HouseQueueLimits.entries)))
        do throws(PlayQueueError<EntryID>) {
            try zone.queue.insert(entries, at: .replace, using: &random)
        } catch {
            throw HouseError(error)
        }
        try jump(zone, to: entries[0].id)
    }

    /// Returns the tracks of an alarm's items that are available.
    private func tracks(of alarm: Alarm) async -> [PlayableTrack] {
        guard !alarm.items.isEmpty else { return [] }
        // On an error each item is tried alone, and the log names those that fail.
        if let all = try? await items.tracks(of: alarm.items), !all.isEmpty { return all }
        var tracks: [PlayableTrack] = []
        for item in alarm.items {
            do throws(LibraryError) { tracks += try await items.tracks(of: [item]) } catch {
                log(.warning, "the alarm at \(alarm.clock): \(error.description)")
            }
        }
        if tracks.isEmpty {
            log(.warning, "the alarm at \(alarm.clock): its music is not available, so the queue plays")
        }
        return tracks
    }
}

extension Alarm {
    /// The time of the day, such as `7:05`.
    var clock: String {
        let (hour, minute) = minute.quotientAndRemainder(dividingBy: 60)
        return minute < 10 ? "\(hour):0\(minute)" : "\(hour):\(minute)"
    }
}
