import TuttiSystemIO

/// A zone of the house: what is to be heard in its rooms, from its queue or an input. Belongs to the house's actor.
final class Zone {
    let playback: ZonePlayback
    /// The queue as it was written last.
    var writtenQueue: HouseQueue?
    /// The rooms that have sessions, or had some that may not be closed yet.
    var held: Set<RoomID> = []
    /// Whether the player's sound goes to the held rooms.
    var isConnected = false { didSet { updateMayRun() } }
    /// The addresses to which the held rooms' sessions were opened.
    var heldAddresses: [RoomID: [[SocketAddress]]] = [:]
    /// The task that brings the rooms of the player to what is wanted.
    var roomTask: Task<Void, Never>?
    /// The rooms of the announcement for which the music waits; `nil` for none.
    var announcement: Set<RoomID>? { didSet { updateMayRun() } }
    /// Announcements that wait for that one.
    private var announcementWaiters: [AsyncStream<Void>.Continuation] = []
    /// The sources besides the queue.
    var inputs = ZoneInputs()
    /// The volumes that are lower than users see, while the zone falls asleep or wakes.
    var fade = ZoneFade()
    /// The last published state.
    var published: ZoneSnapshot?

    init(
        _ stored: StoredZone, queue: HouseQueue, player: any ZonePlaying,
        now: @escaping @Sendable () -> Double, log: @escaping HouseLog
    ) {
        playback = ZonePlayback(stored, queue: queue, player: player, now: now, log: log)
        playback.didApplyRate = { [unowned self] in
            if self.playback.mayRun { self.inputs.startActive() }
        }
    }

    private func updateMayRun() { playback.mayRun = isConnected && announcement == nil }

    // MARK: Playback

    var id: ZoneID { stored.id }
    var player: any ZonePlaying { playback.player }
    var stored: StoredZone {
        get { playback.stored }
        set { playback.stored = newValue }
    }
    var wish: StoredZone.Wish { playback.wish }
    var queue: HouseQueue { playback.queue }
    /// The position in the current entry in seconds.
    var position: Double { playback.position }
    var trouble: Trouble? {
        get { playback.trouble }
        set { playback.trouble = newValue }
    }
    /// Whether the rooms have, or are to get, sessions.
    var isOpen: Bool {
        get { playback.isOpen }
        set { playback.isOpen = newValue }
    }
    /// The Unix time since which the zone does not play; `nil` while it plays.
    var idleSince: Double? {
        get { playback.idleSince }
        set { playback.idleSince = newValue }
    }

    /// Takes over what the player has reached.
    func follow() { playback.follow() }

    func now() -> Double { playback.now() }

    func log(_ level: HouseLogLevel, _ line: String) { playback.log(level, line) }

    // MARK: State

    /// The activity of the zone, as users see it.
    var state: ZoneSnapshot.State {
        if let input { return input.state }
        return switch wish {
        case .stopped: .stopped
        case .paused: .paused
        case .playing: playback.observed == .playing ? .playing : .waiting
        }
    }

    /// Returns when announcements are to look again whether another one is over; also when the task is cancelled.
    nonisolated(nonsending) func waitForAnnouncement() async {
        let (ends, emit) = AsyncStream<Void>.makeStream()
        announcementWaiters.append(emit)
        for await _ in ends {}
    }

    /// Lets announcements that wait for another one look again.
    func wakeAnnouncements() {
        let waiters = announcementWaiters
        announcementWaiters = []
        for waiter in waiters { waiter.finish() }
    }

    /// Returns the zone as users see it.
    ///
    /// - Parameters:
    ///   - rooms: The rooms that are to play what the zone plays.
    ///   - volume: The volume of the loudest of them; `nil` if none is known.
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
        (snapshot.streamTitle, snapshot.trouble) = (playback.streamTitle, trouble)
        inputs.show(in: &snapshot, at: now())
        return snapshot
    }
}
