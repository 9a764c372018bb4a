import Playback
import TuttiKeyValueObserving

extension PlayerItem.Events {
    /// Makes the callbacks that notify the observers of an item, and its asset.
    init(of item: AVPlayerItem) {
        self.init()
        change = { [weak item, observations = item.observations] properties, change in
            observations.change(of: properties.map { ObservedProperty($0.rawValue) }) {
                change()
                if properties.contains(.tracks), let item { item.source.learn(from: item.core) }
            }
        }
        post = { [weak item] notice in if let item { notice.post(of: item) } }
    }
}

extension AVAsset {
    /// Copies the facts about the source from an item, so that they need not be loaded again.
    fileprivate func learn(from item: PlayerItem) {
        // An asset takes its duration and metadata from its default track only.
        if let info = item.state.facts?.info, item.wishes.stream == nil { learn(info) }
    }
}
