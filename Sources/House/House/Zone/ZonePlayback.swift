/// The queue of a zone and the player that plays it, whatever else the zone has in its rooms. Belongs to the house's
/// actor.
final class ZonePlayback {
    let player: any ZonePlaying
    var stored: StoredZone
    var queue: HouseQueue
    /// The player's last reported state.
    var observed = ZoneSnapshot.State.paused
    /// The title that a station announced last, and the station's entry.
    private var announced: (entry: EntryID, title: String)?
    var trouble: Trouble?
    /// Whether the player has the queue's entries.
    var isScheduled = false
    /// The entries of the queue that are away; `nil` if none is.
    var absence: ZoneAbsence?
    /// Whether the rooms have, or are to get, sessions.
    var isOpen = false
    /// The Unix time since which the zone does not play; `nil` while it plays.
    var idleSince: Double?
    /// Whether the player's sound has rooms to go to, and no announcement has them. Otherwise it would run unheard.
    var mayRun = false
    /// The call after each decision whether the player runs.
    var didApplyRate: () -> Void = {}
    /// Unix time in seconds.
    let now: @Sendable () -> Double
    let log: HouseLog

    init(
        _ stored: StoredZone, queue: HouseQueue, player: any ZonePlaying,
        now: @escaping @Sendable () -> Double, log: @escaping HouseLog
    ) {
        (self.stored, self.queue, self.player) = (stored, queue, player)
        (self.now, self.log) = (now, log)
    }

    var wish: StoredZone.Wish { stored.wish }

    /// The title that the current entry's station announced. Another entry never shows it, whatever makes that one the
    /// current one.
    var streamTitle: String? {
        get { announced.flatMap { $0.entry == queue.currentID ? $0.title : nil } }
        set { announced = newValue.flatMap { title in queue.currentID.map { (entry: $0, title: title) } } }
    }

    /// Takes over what the player has reached.
    func follow() {
        guard isScheduled, let position = player.position, queue.contains(position.entry) else { return }
        queue.setCurrent(position.entry)
        (stored.current, stored.position) = (position.entry, position.seconds)
    }

    /// Takes over into the stored state what the queue and the player say.
    func noteQueue() {
        (stored.current, stored.position) = (queue.currentID, position)
        (stored.repeatMode, stored.isShuffled) = (queue.repeatMode, queue.isShuffled)
    }

    /// The position in the current entry in seconds.
    var position: Double {
        guard isScheduled, let position = player.position, position.entry == queue.currentID else {
            return stored.position
        }
        return position.seconds
    }
}
