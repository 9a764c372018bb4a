import TuttiSystemIO

/// A zone of the house: what is to be heard, and what plays it. Belongs to the house's actor.
final class Zone {
    let player: any ZonePlaying
    var stored: StoredZone
    var queue: HouseQueue
    /// The queue as it was written last.
    var writtenQueue: HouseQueue?
    /// The player's last reported state.
    var observed = ZoneSnapshot.State.paused
    var streamTitle: String?
    var trouble: Trouble?
    /// Whether the player has the queue's entries.
    var isScheduled = false
    /// Whether the rooms have, or are to get, sessions.
    var isOpen = false
    /// The rooms that have sessions, or had some that may not be closed yet.
    var held: Set<RoomID> = []
    /// Whether the player's sound goes to the held rooms. Before that it would run unheard.
    var isConnected = false
    /// The addresses to which the held rooms' sessions were opened.
    var heldAddresses: [RoomID: [[SocketAddress]]] = [:]
    /// The task that brings the rooms of the player to what is wanted.
    var roomTask: Task<Void, Never>?
    /// The Unix time since which the zone does not play; `nil` while it plays.
    var idleSince: Double?
    /// The rooms of the announcement for which the music waits; `nil` for none.
    var announcement: Set<RoomID>?
    /// Announcements that wait for that one.
    var announcementWaiters: [CheckedContinuation<Void, Never>] = []
    /// The sources besides the queue.
    var inputs = ZoneInputs()
    /// The volumes that are lower than users see, while the zone falls asleep or wakes.
    var fade = ZoneFade()
    /// The entries of the queue that are away; `nil` if none is.
    var absence: ZoneAbsence?
    /// The last published state.
    var published: ZoneSnapshot?

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

    var id: ZoneID { stored.id }
    var wish: StoredZone.Wish { stored.wish }

    /// Takes over what the player has reached.
    func follow() {
        guard isScheduled, let position = player.position, queue.contains(position.entry) else { return }
        queue.setCurrent(position.entry)
        (stored.current, stored.position) = (position.entry, position.seconds)
    }

    /// The position in the current entry in seconds.
    var position: Double {
        guard isScheduled, let position = player.position, position.entry == queue.currentID else {
            return stored.position
        }
        return position.seconds
    }

    /// The activity of the zone, as users see it.
    var state: ZoneSnapshot.State {
        if let input { return input.state }
        return switch wish {
        case .stopped: .stopped
        case .paused: .paused
        case .playing: observed == .playing ? .playing : .waiting
        }
    }

    /// Continues at a place that was heard before.
    func goBack(to entry: EntryID, _ seconds: Double) -> ZoneEffect {
        // An item may have ended meanwhile.
        follow()
        if queue.currentID == entry {
            player.seek(to: seconds)
        } else {
            queue.setCurrent(entry)
            (stored.position, streamTitle) = (seconds, nil)
            schedule(from: seconds)
            applyRate()
        }
        published = nil
        return .changed
    }

    /// Lets announcements that wait for another one look again.
    func wakeAnnouncements() {
        let waiters = announcementWaiters
        announcementWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// Returns the zone as users see it.
    ///
    /// - Parameters:
    ///   - rooms: the rooms that are to play what the zone plays.
    ///   - volume: the volume of the loudest of them; `nil` if none is known.
    func snapshot(rooms: [RoomID], volume: Double?) -> ZoneSnapshot {
        var snapshot = ZoneSnapshot(id: id, name: stored.name)
        (snapshot.rooms, snapshot.volume, snapshot.state) = (rooms, volume, state)
        (snapshot.current, snapshot.index) = (queue.current, queue.currentPlace)
        (snapshot.position, snapshot.positionTime) = (position, now())
        snapshot.rate = stored.rate
        (snapshot.length, snapshot.queueRevision) = (queue.entries.count, queue.revision)
        (snapshot.shuffle, snapshot.repeatMode) = (queue.isShuffled, queue.repeatMode)
        (snapshot.sleep, snapshot.sleepFade) = (stored.sleep, stored.sleepFade)
        (snapshot.levelling, snapshot.crossfade) = (stored.levelling, stored.crossfade)
        (snapshot.streamTitle, snapshot.trouble) = (streamTitle, trouble)
        inputs.show(in: &snapshot, at: now())
        return snapshot
    }
}
