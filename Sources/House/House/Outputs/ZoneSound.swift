import AVFoundation
import Synchronization
import TuttiMusicLibrary

/// The changes that a zone makes to the sound of its tracks. A value.
struct ZoneSound: Sendable, Equatable {
    var levelling = VolumeLevelling.off
    /// Seconds; 0 for no crossfade.
    var crossfade = 0.0

    /// Returns the volume of a track.
    func volume(_ loudness: TuttiLoudness?) -> Float {
        switch levelling {
        case .off: 1
        case .track: loudness?.trackVolume ?? 1
        case .album: loudness?.albumVolume ?? 1
        }
    }

    /// Returns whether the end of an entry and the beginning of the one after it may sound together.
    ///
    /// Albums in their order stay as they were recorded, also parts of a file that follow each other. Both tracks need
    /// room for two overlaps.
    func joins(_ first: QueueEntry, _ next: QueueEntry) -> Bool {
        let tracks = [first.track, next.track]
        guard crossfade > 0, first.id != next.id, first.track.location != next.track.location,
            !tracks.contains(where: { $0.isLive || $0.location.contains("://") }),
            // An unknown length is known when the file is open; the player looks then.
            tracks.allSatisfy({ $0.duration.map { $0 > 2 * crossfade } ?? true })
        else { return false }
        return !Self.followsInAlbum(first.track, next.track)
    }

    private static func followsInAlbum(_ first: PlayableTrack, _ next: PlayableTrack) -> Bool {
        guard let album = first.albumID, album == next.albumID else {
            return first.albumID == nil && next.albumID == nil && first.album != nil
                && first.album == next.album
        }
        guard let number = first.number, let nextNumber = next.number else { return true }
        let (disc, nextDisc) = (first.disc ?? 1, next.disc ?? 1)
        return disc == nextDisc ? nextNumber == number + 1 : nextDisc == disc + 1 && nextNumber == 1
    }
}

/// The volumes that a zone's levelling gives its items. Any thread: an item's own tags are known on the player's
/// queue, before any of its sound goes to the rooms.
final class ZoneLevels: Sendable {
    private let current = Mutex(ZoneSound())

    /// The sound that items get from now on.
    var sound: ZoneSound {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Gives an item its volume: by the tags of its open file, else by those that the library knows.
    func apply(to item: AVPlayerItem, _ known: TuttiLoudness?) {
        var applied: ZoneSound?
        // Another thread may set another levelling meanwhile.
        while applied != sound {
            let sound = sound
            Self.set(sound.volume(item.tuttiMedia?.loudness ?? known), of: item)
            applied = sound
        }
    }

    private static func set(_ volume: Float, of item: AVPlayerItem) {
        guard volume != 1 else {
            if item.audioMix != nil { item.audioMix = nil }
            return
        }
        let parameters = AVMutableAudioMixInputParameters()
        parameters.setVolume(volume, at: .zero)
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        item.audioMix = mix
    }
}
