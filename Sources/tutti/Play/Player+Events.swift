import AVFoundation
import AirPlaySender
import Codecs
import MediaTime
import Playback
import SystemIO

/// The observers of the player, until the end.
struct PlayObservers {
    var progress: Any?
    var notifications: [any NSObjectProtocol] = []
    var values: [NSKeyValueObservation] = []
    var news: RouteObservation?

    mutating func end(_ player: AVPlayer) {
        if let progress { player.removeTimeObserver(progress) }
        for one in notifications { NotificationCenter.default.removeObserver(one) }
        self = PlayObservers()
    }
}

/// Events of the player and its items, handled on the player's queue.
extension Player {
    func observe() {
        let half = CMTime(value: 1, timescale: 2)
        observers.progress = player.addPeriodicTimeObserver(forInterval: half, queue: queue) {
            [weak self] _ in
            self?.showProgress()
        }
        observers.values = [
            player.observe(\.currentItem) { [weak self] _, _ in self?.hear { $0.itemChanged() } },
            player.observe(\.status) { [weak self] _, _ in self?.hear { $0.statusChanged() } },
        ]
        observers.news = player.playerCore.observeNews { [weak self] news in self?.hear { $0.take(news) } }
        listen(CMTimebase.effectiveRateChanged, of: player.playerCore.timeline.timebase) { player, _ in
            player.showStart()
        }
        listen(AVPlayer.tuttiEditWasLateNotification, of: player) { player, _ in
            player.warn("late-edit", "the edit came too late to be without a gap")
        }
        listen(AVPlayerItem.didPlayToEndTimeNotification) { player, item in player.ended(item) }
        listen(AVPlayerItem.playbackStalledNotification) { player, item in
            let isRemote = item?.playerItem.state.facts?.isRemote == true
            player.warn("slow", "the \(isRemote ? "network" : "file") is too slow; playing waits for it")
        }
    }

    private func hear(_ body: @escaping @Sendable (Player) -> Void) {
        queue.async { [self] in
            if !hasEnded { body(self) }
        }
    }

    private func listen(
        _ name: NSNotification.Name, of object: AnyObject? = nil,
        _ body: @escaping @Sendable (Player, AVPlayerItem?) -> Void
    ) {
        let observer = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
            [weak self] notification in
            let item = notification.object as? AVPlayerItem
            self?.hear { body($0, item) }
        }
        observers.notifications.append(observer)
    }

    func makeItem(_ track: PlayTrack) -> QueuedItem {
        let item = AVPlayerItem(location: track.path)
        return QueuedItem(
            item: item,
            observations: [
                item.observe(\.status) { [weak self] item, _ in self?.hear { $0.statusChanged(of: item) } },
                item.observe(\.timedMetadata) { [weak self] item, _ in
                    self?.hear { $0.titleChanged(of: item) }
                },
            ])
    }

    private func warn(_ code: String, _ message: String) {
        report.show(.warning(code: code, speaker: nil, message: message))
    }

    private func unplayable(_ message: String) {
        report.show(.error(code: "unplayable", speaker: nil, message: message))
    }

    // MARK: Items

    private func itemChanged() {
        follow()
        fill()
    }

    func statusChanged(of item: AVPlayerItem) {
        guard let index = list.index(of: item) else { return }
        switch item.status {
        case .unknown: break
        case .readyToPlay: opened(index, item)
        case .failed: failed(index, item)
        }
    }

    private func opened(_ index: Int, _ item: AVPlayerItem) {
        let state = item.playerItem.state
        list.open(index, state.facts?.info)
        var index = index
        if let found = state.list {
            guard !list.tracks[index].isFromList else { return refuse(index, item) }
            let (failed, played) = list.expand(index, to: found, isPlayable: true)
            for place in failed { unplayable(list.tracks[place].failure ?? "") }
            index = played ?? index
        }
        if let info = state.facts?.info { report.show(.source(index: index, info)) }
        present()
        fill()
    }

    private func failed(_ index: Int, _ item: AVPlayerItem) {
        if let found = item.playerItem.state.list, !list.tracks[index].isFromList {
            let (failed, _) = list.expand(index, to: found, isPlayable: false)
            for place in failed { unplayable(list.tracks[place].failure ?? "") }
        } else {
            let message = item.error?.localizedDescription ?? "it cannot be played"
            list.fail(index, message)
            unplayable(message)
        }
        goOn()
    }

    /// Rejects a playlist inside a playlist.
    private func refuse(_ index: Int, _ item: AVPlayerItem) {
        let message = "\(MediaError.playlist(name: list.tracks[index].path))"
        list.fail(index, message)
        unplayable(message)
        player.remove(item)
        goOn()
    }

    private func ended(_ item: AVPlayerItem?) {
        guard let item, let index = list.index(of: item) else { return }
        list.finish(index)
        goOn()
    }

    private func titleChanged(of item: AVPlayerItem) {
        guard let index = list.index(of: item), let title = item.playerItem.state.title else { return }
        list.hear(title, on: index)
        report.show(.title(index: index, title))
        present()
    }

    private func take(_ news: PlayerNews) {
        switch news {
        case .placed(let places):
            self.places = places
            present()
        case .warned(let item, let warning):
            guard let index = list.index(where: { $0.playerItem === item }) else { return }
            warn("damaged", "\(list.tracks[index].path): \(warning)")
        }
    }

    // MARK: The player

    private func statusChanged() {
        guard player.status == .failed else { return }
        let message = player.error.map { "\($0)" } ?? "the sound cannot be rendered"
        report.show(.error(code: "render", speaker: nil, message: message))
        end(.failed)
    }

    /// Reports the instant at which sound becomes audible: the timebase stands still until then.
    private func showStart() {
        let timeline = player.playerCore.timeline
        guard !isPaused, player.rate != 0, CMTimebaseGetRate(timeline.timebase) != 0,
            let start = timeline.start
        else { return }
        follow()
        // Subtracts the delay of this notification, so that the report names the exact instant.
        let passed = (timeline.currentTime - start.time).seconds
        report.show(
            .playing(
                index: list.current, position: max(0, player.currentTime().seconds - passed),
                startMilliseconds: start.host.since(commandTime).inSeconds * 1000))
    }

    func showProgress() {
        guard !hasEnded else { return }
        follow()
        guard let track = list.currentTrack else { return }
        var progress = PlayProgress(
            index: list.current, title: PlayTitle.of(track), position: player.currentTime().seconds,
            duration: track.info?.duration?.inSeconds, isPaused: isPaused, volume: volume, speakers: [])
        Task { [self] in
            progress.speakers = await RouteCatalogue.shared.depths()
            let whole = progress
            hear { $0.report.show(.progress(whole)) }
        }
    }

    /// Updates the speakers' displays.
    private func present() {
        let tracks = places.compactMap { place -> PresentedTrack? in
            guard let index = list.index(where: { $0.playerItem === place.item }),
                let info = list.tracks[index].info
            else { return nil }
            let track = list.tracks[index]
            return PresentedTrack(
                start: place.start, duration: info.duration.map { Self.time($0.inSeconds) } ?? .invalid,
                metadata: TrackMetadata(info, title: track.title, heard: track.heardTitle))
        }
        RouteCatalogue.shared.show(tracks)
    }
}
