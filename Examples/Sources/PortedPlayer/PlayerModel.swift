import AVFoundation
import MediaPlayer

/// The model behind an app's player screen, the same file on iOS and on Linux.
@MainActor
final class PlayerModel: NSObject {
    @objc private(set) dynamic var isPlaying = false
    @objc private(set) dynamic var isWaiting = false
    @objc private(set) dynamic var title = ""

    /// Called after a change of these properties.
    var onChange: (() -> Void)?

    let player = AVQueuePlayer()
    private var observations: [NSKeyValueObservation] = []
    private var notifications: [any NSObjectProtocol] = []

    override init() {
        super.init()
        watchPlayer()
        watchSession()
        takeCommands()
    }

    // MARK: Playing

    func activateSession() throws {
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playback, mode: .default, policy: .longFormAudio, options: [])
        try session.setActive(true)
    }

    func play(_ urls: [URL]) {
        for url in urls { player.insert(AVPlayerItem(asset: AVURLAsset(url: url)), after: nil) }
        player.play()
    }

    func toggle() {
        if player.timeControlStatus == .paused { player.play() } else { player.pause() }
    }

    // MARK: Observing

    private func watchPlayer() {
        // Observers run on the thread that made the change.
        observations.append(
            player.observe(\.timeControlStatus, options: [.initial]) { [weak self] _, _ in
                Task { @MainActor in self?.statusDidChange() }
            })
        observations.append(
            player.observe(\.currentItem?.status) { [weak self] _, _ in
                Task { @MainActor in await self?.showCurrentItem() }
            })
    }

    private func statusDidChange() {
        isPlaying = player.timeControlStatus == .playing
        isWaiting = player.timeControlStatus == .waitingToPlayAtSpecifiedRate
        publish()
        onChange?()
    }

    private func showCurrentItem() async {
        guard let item = player.currentItem, let asset = item.asset as? AVURLAsset else { return }
        let metadata = (try? await asset.load(.commonMetadata)) ?? []
        let titles = AVMetadataItem.metadataItems(
            from: metadata, filteredByIdentifier: .commonIdentifierTitle)
        let loaded = try? await titles.first?.load(.stringValue)
        // Another item may have become the current one meanwhile.
        guard item == player.currentItem else { return }
        title = loaded ?? asset.url.lastPathComponent
        publish()
        onChange?()
    }

    private func watchSession() {
        listen(AVAudioSession.interruptionNotification) { [weak self] notification in
            guard let raw = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt,
                AVAudioSession.InterruptionOptions(rawValue: raw).contains(.shouldResume)
            else { return }
            self?.player.play()
        }
        listen(AVAudioSession.routeChangeNotification) { notification in
            let outputs = AVAudioSession.sharedInstance().currentRoute.outputs
            print("route:", outputs.map(\.portName).joined(separator: ", "))
        }
    }

    private func listen(
        _ name: NSNotification.Name, _ body: @escaping @Sendable (Notification) -> Void
    ) {
        notifications.append(
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main, using: body))
    }

    // MARK: The lock screen on iOS; the speakers and the desktop on Linux

    private func takeCommands() {
        let center = MPRemoteCommandCenter.shared()
        center.playCommand.addTarget { [player] _ in
            player.play()
            return .success
        }
        center.pauseCommand.addTarget { [player] _ in
            player.pause()
            return .success
        }
        center.nextTrackCommand.addTarget { [player] _ in
            player.advanceToNextItem()
            return .success
        }
    }

    private func publish() {
        guard let item = player.currentItem, item.status == .readyToPlay else { return }
        MPNowPlayingInfoCenter.default().nowPlayingInfo = [
            MPMediaItemPropertyTitle: title,
            MPMediaItemPropertyPlaybackDuration: item.duration.seconds,
            MPNowPlayingInfoPropertyElapsedPlaybackTime: item.currentTime().seconds,
            MPNowPlayingInfoPropertyPlaybackRate: player.rate,
        ]
    }
}
