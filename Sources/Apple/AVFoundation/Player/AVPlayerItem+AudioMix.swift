import CoreMedia
import Foundation
import Playback

extension AVPlayerItem {
    /// Lets the end of this item and the beginning of another one sound together: the one fades out and the other in,
    /// so that their powers add up to one. Tutti's extension.
    ///
    /// The overlap belongs to this item; the next one begins after it, at the sample that follows. The crossfade is
    /// made if `next` follows in the queue, both items are files of known length longer than the overlap, and this
    /// one has not been given to the outputs up to the overlap already. Otherwise both play whole. Both have the
    /// volumes of their ``audioMix``; call this method again after a change of that of `next`. Any thread.
    ///
    /// - Parameters:
    ///   - next: The item that follows; `nil` for no crossfade.
    ///   - duration: The length of the overlap.
    nonisolated public func tuttiCrossfade(into next: AVPlayerItem?, for duration: CMTime) {
        let crossfade = next.flatMap { Crossfade(from: core, into: $0.core, for: duration) }
        if core.wishes.crossfade != crossfade { core.setWishes { $0.crossfade = crossfade } }
    }
}
