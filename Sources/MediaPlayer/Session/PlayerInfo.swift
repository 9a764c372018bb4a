import AVFoundation
import Codecs
import Playback
import Views

/// A builder of the now-playing values that a session publishes for a player.
struct PlayerInfo {
    /// The cached artwork of the last published item.
    private var picture: (item: ObjectIdentifier, artwork: MPMediaItemArtwork)?

    /// - Returns: `nil` without an item.
    mutating func info(of player: AVPlayer, isPlaying: Bool) -> [String: Any]? {
        guard let item = player.currentItem else { return nil }
        var info = values(of: item)
        info.merge(item.nowPlayingInfo ?? [:]) { _, own in own }
        info[MPNowPlayingInfoPropertyElapsedPlaybackTime] = player.currentTime().seconds
        info[MPNowPlayingInfoPropertyPlaybackRate] = isPlaying ? Double(player.rate) : 0
        info[MPNowPlayingInfoPropertyDefaultPlaybackRate] = Double(player.defaultRate)
        return info
    }

    /// Returns the values of the item's tags, duration and stream title.
    private mutating func values(of item: AVPlayerItem) -> [String: Any] {
        var values: [String: Any] = [:]
        if item.duration.isNumeric { values[MPMediaItemPropertyPlaybackDuration] = item.duration.seconds }
        let state = item.playerItem.state
        guard let media = state.facts?.info else { return values }
        values[MPMediaItemPropertyTitle] = media.tags.title
        values[MPMediaItemPropertyArtist] = media.tags.artist
        values[MPMediaItemPropertyAlbumTitle] = media.tags.album
        values[MPMediaItemPropertyAlbumArtist] = media.tags.albumArtist
        values[MPMediaItemPropertyGenre] = media.tags.genre
        values[MPMediaItemPropertyComposer] = media.tags.composer
        values[MPMediaItemPropertyAlbumTrackNumber] = media.tags.track
        values[MPMediaItemPropertyDiscNumber] = media.tags.disc
        values[MPMediaItemPropertyArtwork] = artwork(of: item, media)
        if media.isLive { values[MPNowPlayingInfoPropertyIsLiveStream] = true }
        if let heard = state.title, !heard.title.isEmpty {
            values[MPMediaItemPropertyAlbumTitle] = media.tags.title
            values[MPMediaItemPropertyTitle] = heard.title
            values[MPMediaItemPropertyArtist] = heard.artist
        }
        return values
    }

    private mutating func artwork(of item: AVPlayerItem, _ media: MediaInfo) -> MPMediaItemArtwork? {
        if let picture, picture.item == ObjectIdentifier(item) { return picture.artwork }
        guard let bytes = media.artwork?.bytes, let image = UIImage(data: Data(bytes)) else { return nil }
        let artwork = MPMediaItemArtwork(boundsSize: image.size) { _ in image }
        picture = (ObjectIdentifier(item), artwork)
        return artwork
    }
}
