import AVFoundation
import TuttiViews

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
        guard let media = item.tuttiMedia else { return values }
        values[MPMediaItemPropertyTitle] = media.title
        values[MPMediaItemPropertyArtist] = media.artist
        values[MPMediaItemPropertyAlbumTitle] = media.album
        values[MPMediaItemPropertyAlbumArtist] = media.albumArtist
        values[MPMediaItemPropertyGenre] = media.genre
        values[MPMediaItemPropertyComposer] = media.composer
        values[MPMediaItemPropertyAlbumTrackNumber] = media.trackNumber
        values[MPMediaItemPropertyDiscNumber] = media.discNumber
        values[MPMediaItemPropertyArtwork] = artwork(of: item, media)
        if media.isLive { values[MPNowPlayingInfoPropertyIsLiveStream] = true }
        let titles = item.timedMetadata ?? []
        if let title = titles.first(where: { $0.identifier == .commonIdentifierTitle })?.stringValue {
            values[MPMediaItemPropertyAlbumTitle] = media.title
            values[MPMediaItemPropertyTitle] = title
            values[MPMediaItemPropertyArtist] =
                titles.first { $0.identifier == .commonIdentifierArtist }?.stringValue
        }
        return values
    }

    private mutating func artwork(of item: AVPlayerItem, _ media: TuttiMedia) -> MPMediaItemArtwork? {
        if let picture, picture.item == ObjectIdentifier(item) { return picture.artwork }
        guard let bytes = media.artwork, let image = UIImage(data: Data(bytes)) else { return nil }
        let artwork = MPMediaItemArtwork(boundsSize: image.size) { _ in image }
        picture = (ObjectIdentifier(item), artwork)
        return artwork
    }
}
