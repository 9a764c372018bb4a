/// The volumes of all zones that fall asleep or wake. Belongs to the house's actor.
final class ZoneFader {
    private let zones: ZoneRegistry
    private let announcer: Announcer
    private let tasks: HouseTasks
    /// The time of the next step of a fade.
    let timer: HouseTimer

    init(_ environment: HouseEnvironment, zones: ZoneRegistry, announcer: Announcer) {
        (self.zones, self.announcer, tasks) = (zones, announcer, environment.tasks)
        timer = HouseTimer(.stepFades, environment.tasks)
    }

    /// Brings the volumes of a zone's rooms to where its fade is at this moment, if it has one. When the house stops, it
    /// has set them back.
    func update(_ zone: Zone) {
        guard !tasks.isStopping else { return }
        zone.updateFade { room in
            // A room that leaves still sounds; its next session begins with its own volume. An announcement has its own.
            guard let stored = zones.rooms[room]?.stored, stored.zone == zone.id,
                !announcer.hasOwnVolume(in: room)
            else { return nil }
            return stored.volume
        }
        // The ticker finds the beginning of a fade.
        if !timer.isSet { timer.set(after: interval) }
    }

    /// Takes the next step of all fades.
    func step() {
        for zone in zones.all.values { update(zone) }
        timer.set(after: interval)
    }

    func stop() { timer.set(after: nil) }

    /// Seconds to the next step of any zone; `nil` if none fades.
    private var interval: Double? { zones.all.values.compactMap(\.fadeInterval).min() }
}
