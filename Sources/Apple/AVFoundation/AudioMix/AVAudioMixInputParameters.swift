import CoreMedia
import Foundation
import Playback
import Synchronization

/// The volume of one track over time, as a part of an ``AVAudioMix``.
///
/// The volume is 1 before the first time for which one is set. It holds after the last one, and between the end of a
/// ramp and the next time. Any thread.
open class AVAudioMixInputParameters: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Safe to share: everything that changes is in `content`, a lock.

    struct Content: Sendable {
        var trackID = kCMPersistentTrackID_Invalid
        var pitch: AVAudioTimePitchAlgorithm?
        var volume = VolumeCurve()
    }

    let content: Mutex<Content>

    init(content: Content) { self.content = Mutex(content) }

    /// The track whose volume this is, as ``AVAssetTrack/trackID``. Without a track,
    /// `kCMPersistentTrackID_Invalid`, it is the volume of the track that plays, whichever it is.
    open var trackID: CMPersistentTrackID { content.withLock { $0.trackID } }

    /// The treatment of pitch at rates other than 1. Stored without effect: see
    /// ``AVPlayerItem/audioTimePitchAlgorithm``.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? { content.withLock { $0.pitch } }

    /// Gets the ramp, or the constant volume, of a time.
    ///
    /// - Parameters:
    ///   - time: A time of the item.
    ///   - startVolume: Receives the volume at the beginning of the range.
    ///   - endVolume: Receives the volume at the end of the range.
    ///   - timeRange: Receives the range.
    /// - Returns: `false` if the time is after the end of the last ramp; the values are then those of the volume that
    ///   holds from there on.
    open func getVolumeRamp(
        for time: CMTime, startVolume: UnsafeMutablePointer<Float>?, endVolume: UnsafeMutablePointer<Float>?,
        timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        guard time.isNumeric else { return false }
        let curve = content.withLock { $0.volume }
        let next = curve.pieces.first { $0.start > time }?.start
        guard let piece = curve.piece(at: time) else {
            startVolume?.pointee = 1
            endVolume?.pointee = 1
            timeRange?.pointee = CMTimeRange(start: .zero, end: next ?? .positiveInfinity)
            return next != nil
        }
        let isRamp = time < piece.end
        startVolume?.pointee = isRamp ? piece.from : piece.to
        endVolume?.pointee = piece.to
        timeRange?.pointee =
            isRamp
            ? CMTimeRange(start: piece.start, end: piece.end)
            : CMTimeRange(start: piece.end, end: next ?? .positiveInfinity)
        return isRamp || next != nil
    }

    /// Returns an immutable copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        AVAudioMixInputParameters(content: content.withLock { $0 })
    }

    /// Returns a mutable copy.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        AVMutableAudioMixInputParameters(content: content.withLock { $0 })
    }
}

/// The volume of one track over time, which can be changed.
///
/// A mix that a player item has is a copy: set the mix again to apply a change. Any thread.
open class AVMutableAudioMixInputParameters: AVAudioMixInputParameters, @unchecked Sendable {
    // Safe to share: the class adds no stored properties.

    override init(content: Content) { super.init(content: content) }

    /// Creates parameters for the track that plays, whichever it is.
    public convenience init() { self.init(content: Content()) }

    /// Creates parameters for a track; `nil` for the track that plays, whichever it is.
    public convenience init(track: AVAssetTrack?) {
        var content = Content()
        content.trackID = track?.trackID ?? kCMPersistentTrackID_Invalid
        self.init(content: content)
    }

    /// The track whose volume this is.
    open override var trackID: CMPersistentTrackID {
        get { super.trackID }
        set { content.withLock { $0.trackID = newValue } }
    }

    /// The treatment of pitch. Stored without effect.
    open override var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? {
        get { super.audioTimePitchAlgorithm }
        set { content.withLock { $0.pitch = newValue } }
    }

    /// Sets a linear ramp; ramps and volumes that begin in the range are replaced.
    ///
    /// Each sample gets the volume of its own time. Volumes are from 0 to 16; samples that exceed full scale are
    /// limited. A range without a numeric start and a positive, numeric length has no effect.
    open func setVolumeRamp(
        fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange
    ) {
        guard timeRange.start.isNumeric, timeRange.duration.isNumeric, timeRange.duration > .zero else {
            return
        }
        content.withLock { $0.volume.ramp(from: startVolume, to: endVolume, in: timeRange) }
    }

    /// Sets the volume from a time on, up to the next time for which one is set.
    ///
    /// - Parameters:
    ///   - volume: From 0 to 16; 1 leaves the samples as they are.
    ///   - time: A numeric time of the item; another one has no effect.
    open func setVolume(_ volume: Float, at time: CMTime) {
        content.withLock { $0.volume.set(volume, at: time) }
    }
}
