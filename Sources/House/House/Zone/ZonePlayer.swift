import AirPlaySender
import AVFoundation
import MediaPlayer
import Playback
import TuttiMusicLibrary

/// The playback of one zone by an `AVQueuePlayer` on a selection of outputs of its own.
///
/// The player's queue holds the current entry and a few that it has not opened yet; the house's queue may be long.
/// Belongs to the house's actor; the player's notifications come as ``events``.
final class ZonePlayer: ZonePlaying {
    /// The number of unopened items to keep in the player's queue.
    private static let waitingCount = 3

    let events: AsyncStream<ZoneEvent>
    private let emit: AsyncStream<ZoneEvent>.Continuation
    let routes: RouteCatalogue
    private let options: RouteCatalogue.Options
    private let player: AVQueuePlayer
    private let session: MPNowPlayingSession
    private let buttons: ZoneButtons
    private let names = RoomNames()
    private let entries = ItemEntries()
    private let levels = ZoneLevels()
    private var items: [ScheduledItem] = []
    private var observations: [NSKeyValueObservation] = []
    private var notifications: [any NSObjectProtocol] = []
    private var listening: Task<Void, Never>?

    /// - Parameter routes: The selection; nobody else uses it.
    init(routes: RouteCatalogue, options: RouteCatalogue.Options) {
        (self.routes, self.options) = (routes, options)
        (events, emit) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
        // Without rooms, nothing is heard: not even on this machine's device.
        routes.selectNothing()
        player = AVQueuePlayer(tuttiRoutes: routes)
        session = MPNowPlayingSession(players: [player])
        session.automaticallyPublishesNowPlayingInfo = true
        buttons = ZoneButtons(session.remoteCommandCenter) { [emit] in emit.yield(.button($0)) }
        observe()
    }

    // MARK: Playing

    var position: (entry: EntryID, seconds: Double)? {
        guard let item = player.currentItem, let entry = entries.entry(of: item) else { return nil }
        let start = items.first { $0.item === item }?.start ?? 0
        let seconds = player.currentTime().seconds
        return (entry, seconds.isFinite ? max(0, seconds - start) : 0)
    }

    func setSound(_ sound: ZoneSound) {
        guard sound != levels.sound else { return }
        levels.sound = sound
        for item in items { levels.apply(to: item.item, item.latest.track.loudness) }
        setCrossfades()
    }

    /// Tells the items which of them sound together.
    private func setCrossfades() {
        let sound = levels.sound
        for (place, one) in items.enumerated() {
            let next = place + 1 < items.count ? items[place + 1] : nil
            let joined = next.flatMap { sound.joins(one.latest, $0.latest) ? $0.item : nil }
            one.item.tuttiCrossfade(into: joined, for: Self.time(sound.crossfade))
        }
    }

    func setRate(_ rate: Double) { player.rate = Float(rate) }

    func seek(to seconds: Double) {
        let start = items.first { $0.item === player.currentItem }?.start ?? 0
        player.seek(to: Self.time(start + seconds))
    }

    static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: max(0, seconds), preferredTimescale: 1_000_000)
    }

    // MARK: Scheduling

    func schedule(_ wanted: [QueueEntry], from start: Double?) {
        defer { setCrossfades() }
        dropPlayed()
        guard let first = wanted.first else { return removeAll() }
        var start = start
        // The sound that rooms hold may begin with a part of another track, so a jump begins with new items.
        if start == nil, items.first?.entry != first.id { start = 0 }
        if start != nil { removeAll() }
        removeItems(notIn: Set(wanted.map(\.id)))
        for (place, entry) in wanted.enumerated() {
            if items.indices.contains(place), items[place].entry == entry.id {
                items[place].latest = entry
                continue
            }
            guard let later = items.dropFirst(place + 1).firstIndex(where: { $0.entry == entry.id }) else {
                guard insert(entry, at: place, from: place == 0 ? start : nil) else { break }
                continue
            }
            guard move(later, to: place) else { return }
        }
        removeItems(from: min(wanted.count, items.count))
    }

    /// Forgets the items before the one that is heard.
    private func dropPlayed() {
        guard let current = player.currentItem else { return removeAll() }
        let played = items.firstIndex { $0.item === current } ?? items.count
        for item in items[..<played] { entries.set(nil, of: item.item) }
        items.removeFirst(played)
    }

    private func removeAll() {
        for item in items { entries.set(nil, of: item.item) }
        items = []
        player.removeAllItems()
    }

    private func removeItems(notIn wanted: Set<EntryID>) {
        for item in items where !wanted.contains(item.entry) {
            entries.set(nil, of: item.item)
            player.remove(item.item)
        }
        items.removeAll { !wanted.contains($0.entry) }
    }

    private func removeItems(from place: Int) {
        for item in items[place...] {
            entries.set(nil, of: item.item)
            player.remove(item.item)
        }
        items.removeSubrange(place...)
    }

    /// - Returns: `false` if the queue has moved on.
    private func move(_ later: Int, to place: Int) -> Bool {
        let moved = items.remove(at: later)
        player.remove(moved.item)
        // The item before may have ended meanwhile; its event brings the rest.
        guard player.tuttiInsert(moved.item, after: place > 0 ? items[place - 1].item : nil) else {
            entries.set(nil, of: moved.item)
            removeItems(from: place)
            return false
        }
        items.insert(moved, at: place)
        return true
    }

    /// - Returns: `false` if enough items wait already.
    private func insert(_ entry: QueueEntry, at place: Int, from start: Double?) -> Bool {
        let isBetween = place < items.count
        guard isBetween || items.count(where: { !$0.isOpen }) < Self.waitingCount else { return false }
        let scheduled = makeItem(entry, from: start)
        // The item before may have ended meanwhile; its event brings the rest.
        guard player.tuttiInsert(scheduled.item, after: place > 0 ? items[place - 1].item : nil) else {
            entries.set(nil, of: scheduled.item)
            removeItems(from: place)
            return false
        }
        items.insert(scheduled, at: place)
        return true
    }

    private func makeItem(_ entry: QueueEntry, from start: Double?) -> ScheduledItem {
        let track = entry.track
        let item = AVPlayerItem(tuttiLocation: track.location)
        let seconds = track.start + (start ?? 0)
        if seconds > 0 { item.seek(to: Self.time(seconds)) { _ in } }
        if let end = track.end { item.forwardPlaybackEndTime = Self.time(end) }
        item.nowPlayingInfo = Self.information(of: track)
        entries.set(entry.id, of: item)
        levels.apply(to: item, track.loudness)
        return ScheduledItem(
            entry, item: item,
            observations: [
                item.observe(\.status) { [emit, levels] item, _ in
                    levels.apply(to: item, track.loudness)
                    if let event = Self.event(of: item, entry.id) { emit.yield(event) }
                },
                item.observe(\.timedMetadata) { [emit] item, _ in
                    emit.yield(.streamTitle(entry.id, Self.streamTitle(of: item)))
                },
            ])
    }

    /// Returns what the rooms' displays show instead of the file's tags.
    private static func information(of track: PlayableTrack) -> [String: Any] {
        var information: [String: Any] = [:]
        if !track.isLive { information[MPMediaItemPropertyTitle] = track.title }
        information[MPMediaItemPropertyArtist] = track.artist
        information[MPMediaItemPropertyAlbumTitle] = track.album
        if track.start > 0 || track.end != nil {
            information[MPMediaItemPropertyPlaybackDuration] = track.duration
        }
        return information
    }

    /// The errors of files and servers that are not available.
    private static let passing: Set<AVError.Code> = [.contentIsUnavailable, .failedToLoadMediaData]

    private static func event(of item: AVPlayerItem, _ entry: EntryID) -> ZoneEvent? {
        switch item.status {
        case .unknown: return nil
        case .failed:
            let mayPass = (item.error as? AVError).map { Self.passing.contains($0.code) } ?? false
            return .failed(
                entry, item.error?.localizedDescription ?? "it cannot be played", mayPass: mayPass)
        case .readyToPlay:
            guard let media = item.tuttiMedia else { return nil }
            return .opened(
                entry,
                TrackFacts(
                    title: media.title, artist: media.artist, album: media.album, duration: media.duration,
                    isLive: media.isLive))
        }
    }

    private static func streamTitle(of item: AVPlayerItem) -> String? {
        let values = item.timedMetadata ?? []
        let artist = values.first { $0.identifier == .commonIdentifierArtist }?.stringValue
        let title = values.first { $0.identifier == .commonIdentifierTitle }?.stringValue
        let parts = [artist, title].compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " – ")
    }

    // MARK: Rooms

    nonisolated(nonsending) func setRooms(_ rooms: [ZoneRoom]) async {
        names.set(rooms)
        await routes.setSpeakers(rooms.flatMap(\.targets), options: options)
    }

    nonisolated(nonsending) func release() async { await routes.release() }

    func setVolume(_ percent: Double, of room: RoomID) {
        names.expect(percent, of: room)
        routes.setVolume(percent, of: room.rawValue)
    }

    func setDelay(_ delay: SpeakerDelay, of room: RoomID) {
        routes.setDelay(delay, of: room.rawValue)
    }

    func setMaximumVolume(_ percent: Double, of room: RoomID) {
        routes.setMaximumVolume(percent, of: room.rawValue)
    }

    func setTreatment(_ treatment: SoundTreatment, of room: RoomID) {
        routes.setTreatment(treatment, of: room.rawValue)
    }

    nonisolated(nonsending) func depths() async -> [RoomID: RoomSnapshot.Depth] {
        var depths: [RoomID: RoomSnapshot.Depth] = [:]
        for depth in await routes.depths() {
            guard let room = names.room(of: depth.speaker), depth.bufferBytes > 0 else { continue }
            let fraction = Double(depth.bytesHeld) / Double(depth.bufferBytes)
            // The emptier half of a stereo pair counts.
            if let known = depths[room], known.seconds <= depth.secondsAhead { continue }
            depths[room] = RoomSnapshot.Depth(seconds: depth.secondsAhead, fraction: min(1, fraction))
        }
        return depths
    }

    func close() -> Task<Void, Never> {
        player.pause()
        removeAll()
        let closing = Task { [routes, listening] in
            await routes.deselect()
            listening?.cancel()
        }
        for token in notifications { NotificationCenter.default.removeObserver(token) }
        buttons.detach()
        emit.finish()
        return closing
    }

    func open(
        _ input: HouseInput, tell: @escaping @Sendable (InputEvent) -> Void
    ) throws(RouteError) -> any LiveInputPlaying {
        let live = LivePlayer(routes: routes) { tell(.live($0)) }
        try input.source.open(live) { tell(.volume($0)) }
        return live
    }

    // MARK: Events

    private func observe() {
        let (emit, entries, names) = (emit, entries, names)
        observations = [
            player.observe(\.currentItem) { player, _ in
                if let entry = entries.entry(of: player.currentItem) { emit.yield(.current(entry)) }
            },
            player.observe(\.timeControlStatus) { player, _ in emit.yield(Self.state(of: player)) },
            player.observe(\.status) { player, _ in
                guard player.status == .failed else { return }
                emit.yield(
                    .playerFailed(player.error?.localizedDescription ?? "the sound cannot be rendered"))
            },
        ]
        notifications.append(
            NotificationCenter.default.addObserver(
                forName: AVPlayerItem.didPlayToEndTimeNotification, object: nil, queue: nil
            ) { notification in
                let item = notification.object as? AVPlayerItem
                if let entry = entries.entry(of: item) { emit.yield(.ended(entry)) }
            })
        notifications.append(
            NotificationCenter.default.addObserver(
                forName: CMTimebase.effectiveRateChanged, object: player.tuttiTimebase, queue: nil
            ) { [weak player] _ in
                if let player { emit.yield(Self.state(of: player)) }
            })
        notifications.append(
            NotificationCenter.default.addObserver(
                forName: AVPlayer.rateDidChangeNotification, object: player, queue: nil
            ) { notification in
                let reason = notification.userInfo?[AVPlayer.rateDidChangeReasonKey]
                guard reason as? AVPlayer.RateDidChangeReason == .audioSessionInterrupted else { return }
                emit.yield(.interrupted)
            })
        listening = Task { [events = routes.events] in
            for await event in events {
                for event in RoomEvents.events(of: event, names) { emit.yield(event) }
            }
        }
    }

    private static func state(of player: AVPlayer) -> ZoneEvent {
        switch player.timeControlStatus {
        // The timebase stands until sound is heard.
        case .playing: .state(CMTimebaseGetRate(player.tuttiTimebase) == 0 ? .waiting : .playing)
        case .waitingToPlayAtSpecifiedRate: .state(.waiting)
        case .paused: .state(.paused)
        }
    }
}
