/// The numbers that a house never gives twice, also after a restart. Belongs to the house's actor.
final class HouseNumbers {
    /// The numbers that were given last, which are stored with all that has them.
    private(set) var counters = HouseCounters()

    /// Takes the numbers that were given before.
    func restore(_ counters: HouseCounters) { self.counters = counters }

    func newEntry() -> EntryID {
        counters.lastEntry += 1
        return EntryID(rawValue: counters.lastEntry)
    }

    func newZone() -> ZoneID {
        counters.lastZone += 1
        return ZoneID(rawValue: counters.lastZone)
    }

    func newAlarm() -> AlarmID {
        counters.lastAlarm += 1
        return AlarmID(rawValue: counters.lastAlarm)
    }
}
