import AVFoundation
import Playback

/// The observers of the player, until the end.
struct PlayObservers {
    var progress: Any?
    var notifications: [any NSObjectProtocol] = []
    var values: [NSKeyValueObservation] = []

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
        listen(CMTimebase.effectiveRateChanged, of: player.tuttiTimebase) { player, _ in
            player.showStart()
        }
        listen(AVPlayer.tuttiEditWasLateNotification, of: player) { player, _ in
            player.report.warn(
                "late-edit",
                "the edit came too late: the speakers had already played that far, so there is a gap")
        }
        listen(AVPlayerItem.didPlayToEndTimeNotification) { player, item in player.ended(item) }
        listenForWarnings()
        listenForInterruptions()
        listen(AVPlayerItem.playbackStalledNotification) { player, item in
            let isRemote = item?.tuttiMedia?.isRemote == true
            let isPipe = item.flatMap { player.list.index(of: $0) }.map { player.list.tracks[$0].pipe != nil }
            let place = isPipe == true ? "pipe's writer" : isRemote ? "network" : "file"
            player.report.warn("slow", "the \(place) is too slow; playback waits for data")
        }
    }

    private func listenForWarnings() {
        observers.notifications.append(
            NotificationCenter.default.addObserver(
                forName: AVPlayerItem.tuttiWarningNotification, object: nil, queue: nil
            ) { [weak self] notification in
                guard let item = notification.object as? AVPlayerItem,
                    let warning = notification.userInfo?[AVPlayerItem.tuttiWarningKey] as? String
                else { return }
                self?.hear { $0.warned(of: item, warning) }
            })
    }

    private func listenForInterruptions() {
        observers.notifications.append(
            NotificationCenter.default.addObserver(
                forName: AVPlayer.rateDidChangeNotification, object: player, queue: nil
            ) { [weak self] notification in
                let reason = notification.userInfo?[AVPlayer.rateDidChangeReasonKey]
                guard reason as? AVPlayer.RateDidChangeReason == .audioSessionInterrupted else { return }
                self?.hear { $0.wasInterrupted() }
            })
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
        let item = track.makeItem()
        return QueuedItem(
            item: item,
            observations: [
                item.observe(\.status) { [weak self] item, _ in self?.hear { $0.statusChanged(of: item) } },
                item.observe(\.timedMetadata) { [weak self] item, _ in
                    self?.hear { $0.titleChanged(of: item) }
                },
            ])
    }

    private func reject(_ index: Int, _ message: String) {
        list.fail(index, message)
        report.fail("unplayable", message)
    }

    /// Replaces a track by its playlist's entries, and reports those that cannot be played.
    ///
    /// - Returns: The entry that the track's item plays.
    private func expand(_ index: Int, to found: TuttiPlaylist, isPlayable: Bool) -> Int? {
        let (failed, played) = list.expand(index, to: found, isPlayable: isPlayable)
        for place in failed { report.fail("unplayable", list.tracks[place].failure ?? "") }
        return played
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
        let media = item.tuttiMedia
        list.open(index, media)
        var index = index
        if let found = item.tuttiPlaylist {
            guard !list.tracks[index].isFromList else {
                reject(index, "\(list.tracks[index].path) is a playlist")
                player.remove(item)
                return proceed()
            }
            index = expand(index, to: found, isPlayable: true) ?? index
        }
        if let media { report.show(.source(index: index, media)) }
        film?.show(item, title: PlayTitle.of(list.tracks[index]))
        present(index)
        fill()
    }

    private func failed(_ index: Int, _ item: AVPlayerItem) {
        if let found = item.tuttiPlaylist, !list.tracks[index].isFromList {
            _ = expand(index, to: found, isPlayable: false)
        } else {
            reject(index, item.error?.localizedDescription ?? "it cannot be played")
        }
        proceed()
    }

    private func ended(_ item: AVPlayerItem?) {
        guard let item, let index = list.index(of: item) else { return }
        list.finish(index)
        proceed()
    }

    private func titleChanged(of item: AVPlayerItem) {
        guard let index = list.index(of: item), let metadata = item.timedMetadata else { return }
        let title = StreamTitle(metadata)
        list.hear(title, on: index)
        report.show(.title(index: index, title))
        present(index)
    }

    private func warned(of item: AVPlayerItem, _ warning: String) {
        guard let index = list.index(of: item) else { return }
        report.warn("damaged", "\(list.tracks[index].path): \(warning)")
    }

    // MARK: The player

    private func statusChanged() {
        guard player.status == .failed else { return }
        let message = player.error.map { "\($0)" } ?? "the sound cannot be rendered"
        report.fail("render", message)
        end(.failed)
    }

    /// Shows that playback stands, because another sender took the speakers or the output is gone.
    private func wasInterrupted() {
        guard !isPaused, player.rate == 0 else { return }
        follow()
        showPause()
    }

    /// Reports the instant at which sound becomes audible: the timebase stands still until then.
    private func showStart() {
        guard !isPaused, player.rate != 0, CMTimebaseGetRate(player.tuttiTimebase) != 0,
            let start = player.tuttiStart
        else { return }
        follow()
        report.show(
            .playing(
                index: list.current, position: start.itemTime.seconds,
                startMilliseconds: (start.hostTime - commandTime).seconds * 1000))
    }

    func showProgress() {
        guard !hasEnded else { return }
        follow()
        guard let track = list.currentTrack else { return }
        var progress = PlayProgress(
            index: list.current, title: PlayTitle.of(track), position: player.currentTime().seconds,
            duration: track.media?.duration, isPaused: isPaused, volume: heardVolume, speakers: [])
        Task { [self] in
            progress.speakers = await RouteCatalogue.shared.depths()
            let whole = progress
            hear { $0.report.show(.progress(whole)) }
        }
    }

    /// Updates the texts and the picture that speakers show for a track.
    private func present(_ index: Int) {
        let track = list.tracks[index]
        if let display = track.display { track.item?.tuttiSpeakerDisplay = display }
    }
}
