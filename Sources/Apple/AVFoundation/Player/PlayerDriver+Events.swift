import Playback
import TuttiKeyValueObserving

extension PlayerDriver.Events {
    /// Makes the callbacks that notify the observers of a player and its items, and the speakers' displays.
    init(of player: AVPlayer) {
        self.init()
        change = { [observations = player.observations] properties, change in
            observations.change(of: properties.map { ObservedProperty($0.rawValue) }, by: change)
        }
        rateDidChange = { [weak player] reason in
            guard let player else { return }
            let facade = type(of: player)
            AVPlayer.poster.post(facade.rateDidChangeNotification, of: player) {
                AVPlayer.RateDidChangeReason(reason).map { [facade.rateDidChangeReasonKey: $0] }
            }
        }
        editWasLate = { [weak player] in
            guard let player else { return }
            AVPlayer.poster.post(AVPlayer.tuttiEditWasLateNotification, of: player)
        }
        let displays = SpeakerDisplays { [weak routes = player.tuttiRoutes] in routes?.show($0) }
        placed = { places in
            displays.schedule(
                places.compactMap { place in AVPlayerItem.of(place.item).map { ($0, place.start) } })
        }
        warned = { item, warning in if let item = AVPlayerItem.of(item) { warning.post(of: item) } }
    }
}
