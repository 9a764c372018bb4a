import TuttiMusicLibrary

/// The alarms of a house, and the time of the next one. Belongs to the house's actor.
///
/// One task sleeps until the next moment to ring; without an alarm that is on, there is none.
final class AlarmClock {
    var list = AlarmList()
    /// The alarms that rang, and whose zones do not play yet.
    private(set) var ringingCount = 0
    private let environment: HouseEnvironment
    private let zones: ZoneRegistry
    private let troubles: HouseTroubles
    /// The time at which the next alarm rings.
    let timer: HouseTimer

    init(_ environment: HouseEnvironment, zones: ZoneRegistry, troubles: HouseTroubles) {
        (self.environment, self.zones, self.troubles) = (environment, zones, troubles)
        timer = HouseTimer(.checkAlarms, environment.tasks)
    }

    // MARK: Changes

    /// Takes the alarms that were stored, except those of zones that do not exist.
    func restore(_ alarms: [StoredAlarm]) { list.restore(alarms.filter { zones[$0.alarm.zone] != nil }) }

    /// Sets an alarm, or makes a new one if it has no identity.
    nonisolated(nonsending) func set(_ alarm: Alarm) async throws(HouseError) -> AlarmID {
        try validate(alarm)
        if list.hasNewItems(alarm) { try await music.validate(alarm.items) }
        // The library may have taken a while.
        try validate(alarm)
        let (id, change) = list.set(alarm, newID: environment.numbers.newAlarm(), at: environment.now())
        if let change {
            write(change)
            didChange()
        }
        return id
    }

    private func validate(_ alarm: Alarm) throws(HouseError) {
        _ = try zones.zone(alarm.zone)
        try list.validate(alarm)
    }

    func remove(_ id: AlarmID) throws(HouseError) {
        try list.remove(id)
        environment.store.remove(id)
        didChange()
    }

    /// Removes the alarms of a zone that is removed.
    func removeAll(of zone: ZoneID) {
        let gone = list.remove(of: zone)
        guard !gone.isEmpty else { return }
        for id in gone { environment.store.remove(id) }
        didChange()
    }

    private func didChange() {
        tell()
        troubles.publish()
        setTimer()
    }

    private func write(_ alarm: StoredAlarm) {
        environment.store.write(alarm, environment.numbers.counters)
    }

    private func tell() { environment.publisher.tell(.alarms(list.ordered)) }

    // MARK: Time

    private func setTimer() { timer.set(after: list.delay(at: environment.now())) }

    /// Rings the alarms that are due, and waits for the next one.
    func check() {
        guard !environment.tasks.isStopping else { return }
        let all = list.takeDue(at: environment.now())
        for due in all {
            write(due.alarm)
            let alarm = due.alarm.alarm
            if due.isMissed {
                let name = zones[alarm.zone]?.stored.name ?? "?"
                environment.log(
                    .warning,
                    "\(name): the alarm at \(alarm.clock) did not ring: the service or the machine was off")
            } else {
                ringingCount += 1
                environment.tasks.begin(.ring(alarm))
            }
        }
        if !all.isEmpty { tell() }
        setTimer()
    }

    func stop() { timer.set(after: nil) }

    // MARK: Ringing

    /// Lets the zone of an alarm play. Returns once it plays, or cannot.
    ///
    /// - Returns: The work that is left to the house.
    nonisolated(nonsending) func ring(_ alarm: Alarm) async -> ZoneEffect {
        defer { ringingCount -= 1 }
        let tracks = await music.tracks(of: alarm)
        // The library may have taken a while.
        guard !environment.tasks.isStopping, let id = alarm.id, list.stored[id] != nil,
            let zone = zones[alarm.zone]
        else { return [] }
        environment.log(.notice, "\(zone.stored.name): the alarm at \(alarm.clock) rings")
        var effect: ZoneEffect = []
        do throws(HouseError) {
            let ring = AlarmRing(alarm: alarm, tracks: tracks, zones: zones)
            let (begun, refusal) = try ring.begin(in: zone)
            effect = begun
            if let refusal { throw refusal }
            try requirePresentRoom(of: zone)
        } catch {
            let message = "The alarm at \(alarm.clock) cannot be heard: \(error.description)"
            environment.log(.warning, "\(zone.stored.name): \(message)")
            zone.trouble = Trouble(code: ZonePlayback.alarmTrouble, message: message)
            effect.insert(.told)
        }
        return effect
    }

    private func requirePresentRoom(of zone: Zone) throws(HouseError) {
        let rooms = zones.rooms
        guard rooms.ids(of: zone.id).contains(where: { rooms[$0]?.isPresent ?? false }) else {
            throw HouseError(.conflict, "None of its rooms is on the network. Are they switched on?")
        }
    }

    private var music: AlarmMusic { AlarmMusic(items: environment.items, log: environment.log) }
}
