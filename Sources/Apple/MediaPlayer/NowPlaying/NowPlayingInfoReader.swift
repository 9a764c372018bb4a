import Playback
import TuttiMediaTime

/// A typed reader of a program's now-playing dictionary. Ignores values of a wrong type; accepts every
/// numeric type.
struct NowPlayingInfoReader {
    private let info: [String: Any]

    init(_ info: [String: Any]) { self.info = info }

    /// Returns a snapshot of all values except the artwork.
    func snapshot(at time: HostTime) -> NowPlayingSnapshot {
        var snapshot = NowPlayingSnapshot(at: time)
        snapshot.isEmpty = info.isEmpty
        readItem(into: &snapshot)
        readPlaying(into: &snapshot)
        return snapshot
    }

    var artwork: MPMediaItemArtwork? { info[MPMediaItemPropertyArtwork] as? MPMediaItemArtwork }

    /// Elapsed seconds; 0 or more.
    var elapsed: Double? {
        number(MPNowPlayingInfoPropertyElapsedPlaybackTime).map { max(0, $0) }
    }

    private func readItem(into snapshot: inout NowPlayingSnapshot) {
        snapshot.title = text(MPMediaItemPropertyTitle)
        snapshot.artist = text(MPMediaItemPropertyArtist)
        snapshot.album = text(MPMediaItemPropertyAlbumTitle)
        snapshot.albumArtist = text(MPMediaItemPropertyAlbumArtist)
        snapshot.genre = text(MPMediaItemPropertyGenre)
        snapshot.composer = text(MPMediaItemPropertyComposer)
        snapshot.trackNumber = count(MPMediaItemPropertyAlbumTrackNumber)
        snapshot.trackCount = count(MPMediaItemPropertyAlbumTrackCount)
        snapshot.discNumber = count(MPMediaItemPropertyDiscNumber)
        snapshot.discCount = count(MPMediaItemPropertyDiscCount)
        snapshot.duration = number(MPMediaItemPropertyPlaybackDuration).flatMap { $0 > 0 ? $0 : nil }
        snapshot.persistentID = identifier(MPMediaItemPropertyPersistentID)
        let url = info[MPNowPlayingInfoPropertyAssetURL] ?? info[MPMediaItemPropertyAssetURL]
        snapshot.assetURL = url as? URL
    }

    private func readPlaying(into snapshot: inout NowPlayingSnapshot) {
        snapshot.elapsed = elapsed
        snapshot.rate = number(MPNowPlayingInfoPropertyPlaybackRate) ?? 1
        snapshot.defaultRate = number(MPNowPlayingInfoPropertyDefaultPlaybackRate) ?? 1
        snapshot.queueIndex = count(MPNowPlayingInfoPropertyPlaybackQueueIndex)
        snapshot.queueCount = count(MPNowPlayingInfoPropertyPlaybackQueueCount)
        snapshot.chapterNumber = count(MPNowPlayingInfoPropertyChapterNumber)
        snapshot.chapterCount = count(MPNowPlayingInfoPropertyChapterCount)
        snapshot.isLiveStream = flag(MPNowPlayingInfoPropertyIsLiveStream)
        snapshot.contentIdentifier = text(MPNowPlayingInfoPropertyExternalContentIdentifier)
        snapshot.collectionIdentifier = text(MPNowPlayingInfoCollectionIdentifier)
        switch count(MPNowPlayingInfoPropertyMediaType) {
        case 1: snapshot.mediaKind = .audio
        case 2: snapshot.mediaKind = .video
        default: break
        }
    }

    private func text(_ key: String) -> String? {
        let text = info[key] as? String ?? (info[key] as? NSString).map { "\($0)" }
        return text?.isEmpty == false ? text : nil
    }

    /// Returns a finite number.
    private func number(_ key: String) -> Double? {
        let number: Double? =
            switch info[key] {
            case let number as NSNumber: number.doubleValue
            case let number as any BinaryFloatingPoint: Double(number)
            case let number as any BinaryInteger: Double(number)
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns a rounded integer, 0 or more.
    private func count(_ key: String) -> Int? {
        number(key).flatMap { Int(exactly: $0.rounded()) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Returns all 64 bits, which a `Double` cannot hold.
    private func identifier(_ key: String) -> UInt64? {
        switch info[key] {
        case let number as NSNumber: number.uint64Value
        case let number as any BinaryInteger: UInt64(truncatingIfNeeded: number)
        default: nil
        }
    }

    private func flag(_ key: String) -> Bool { info[key] as? Bool ?? (number(key) ?? 0 != 0) }
}
