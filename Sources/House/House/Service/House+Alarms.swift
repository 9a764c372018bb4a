import TuttiMusicLibrary

/// Alarms: music that begins by itself.
///
/// One task sleeps until the next moment to ring; without an alarm that is on, there is none.
extension House {
    // MARK: Commands

    func setAlarm(_ alarm: Alarm) async throws(HouseError) -> AlarmID {
        try validate(alarm)
        if alarms.hasNewItems(alarm) { try await alarmMusic.validate(alarm.items) }
        // The library may have taken a while.
        try validate(alarm)
        let (id, change) = alarms.set(alarm, newID: environment.numbers.newAlarm(), at: now())
        if let change {
            store.write(change, environment.numbers.counters)
            alarmsChanged()
        }
        return id
    }

    private func validate(_ alarm: Alarm) throws(HouseError) {
        _ = try zones.zone(alarm.zone)
        try alarms.validate(alarm)
    }

    func removeAlarm(_ id: AlarmID) throws(HouseError) {
        try alarms.remove(id)
        store.remove(id)
        alarmsChanged()
    }

    /// Removes the alarms of a zone that is removed.
    func removeAlarms(of zone: ZoneID) {
        let gone = alarms.remove(of: zone)
        guard !gone.isEmpty else { return }
        for id in gone { store.remove(id) }
        alarmsChanged()
    }

    private func alarmsChanged() {
        publisher.tell(.alarms(alarms.ordered))
        troubles.publish()
        ticker.start()
        awaitAlarms()
    }

    // MARK: Time

    /// Sleeps until the next alarm.
    private func awaitAlarms() {
        alarmTask?.cancel()
        alarmTask = nil
        guard !isStopping, let delay = alarms.delay(at: now()) else { return }
        alarmTask = Task { [weak self] in
            do { try await Task.sleep(for: .seconds(delay)) } catch { return }
            await self?.checkAlarms()
        }
    }

    /// Rings the alarms that are due.
    func checkAlarms() {
        guard !isStopping else { return }
        let all = alarms.takeDue(at: now())
        for due in all {
            store.write(due.alarm, environment.numbers.counters)
            let alarm = due.alarm.alarm
            if due.isMissed {
                let name = zones[alarm.zone]?.stored.name ?? "?"
                log(
                    .warning,
                    "\(name): the alarm at \(alarm.clock) did not ring: the service or the machine was off")
            } else {
                alarms.ringingCount += 1
                // Ends once the zone plays, or cannot.
                Task { [weak self] in await self?.ring(alarm) }
            }
        }
        if !all.isEmpty { publisher.tell(.alarms(alarms.ordered)) }
        awaitAlarms()
    }

    // MARK: Ringing

    private func ring(_ alarm: Alarm) async {
        defer { alarms.ringingCount -= 1 }
        let tracks = await alarmMusic.tracks(of: alarm)
        // The library may have taken a while.
        guard !isStopping, let id = alarm.id, alarms.stored[id] != nil, let zone = zones[alarm.zone] else {
            return
        }
        log(.notice, "\(zone.stored.name): the alarm at \(alarm.clock) rings")
        do throws(HouseError) {
            let ring = AlarmRing(alarm: alarm, tracks: tracks, zones: zones, settings: settings)
            let (effect, refusal) = try ring.begin(in: zone)
            carryOut(effect, in: zone)
            if let refusal { throw refusal }
            if !rooms.ids(of: zone.id).contains(where: { rooms[$0]?.isPresent ?? false }) {
                throw HouseError(.conflict, "None of its rooms is on the network. Are they switched on?")
            }
        } catch {
            let message = "The alarm at \(alarm.clock) cannot be heard: \(error.description)"
            log(.warning, "\(zone.stored.name): \(message)")
            zone.trouble = Trouble(code: ZonePlayback.alarmTrouble, message: message)
            zones.publish(zone)
        }
    }

    private var alarmMusic: AlarmMusic { AlarmMusic(items: items, log: log) }
}
