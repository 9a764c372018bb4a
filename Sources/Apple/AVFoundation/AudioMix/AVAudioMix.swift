import CoreMedia
import Foundation
import Playback
import Synchronization

/// The volumes of an item's tracks over time.
///
/// Tutti applies a mix to the samples before they are encoded, each sample at its own time. Compressed sound that
/// would pass through to the speakers untouched is decoded where the volume is not 1, and only there. Any thread.
open class AVAudioMix: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Safe to share: everything that changes is in `parameters`, a lock.

    let parameters: Mutex<[AVAudioMixInputParameters]>

    init(parameters: [AVAudioMixInputParameters]) { self.parameters = Mutex(parameters) }

    /// The volumes, one for each track that has one.
    open var inputParameters: [AVAudioMixInputParameters] { parameters.withLock { $0 } }

    /// Returns an immutable copy, also of the parameters.
    open func copy(with zone: NSZone? = nil) -> Any { AVAudioMix(parameters: copiedParameters) }

    /// Returns a mutable copy.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableAudioMix(parameters: copiedParameters) }

    private var copiedParameters: [AVAudioMixInputParameters] {
        inputParameters.compactMap { $0.copy() as? AVAudioMixInputParameters }
    }

    /// The mix as the player takes it; the last of several parameters of a track counts.
    var itemMix: ItemMix {
        var mix = ItemMix()
        for one in inputParameters {
            let (track, volume) = one.content.withLock { ($0.trackID, $0.volume) }
            if track == kCMPersistentTrackID_Invalid {
                mix.playing = volume
            } else {
                mix.tracks[track] = volume
            }
        }
        return mix
    }
}

/// The volumes of an item's tracks over time, which can be changed. Any thread.
open class AVMutableAudioMix: AVAudioMix, @unchecked Sendable {
    // Safe to share: the class adds no stored properties.

    override init(parameters: [AVAudioMixInputParameters]) { super.init(parameters: parameters) }

    /// Creates a mix without parameters, which leaves all tracks as they are.
    public convenience init() { self.init(parameters: []) }

    /// The volumes, one for each track that has one.
    open override var inputParameters: [AVAudioMixInputParameters] {
        get { super.inputParameters }
        set { parameters.withLock { $0 = newValue } }
    }
}
