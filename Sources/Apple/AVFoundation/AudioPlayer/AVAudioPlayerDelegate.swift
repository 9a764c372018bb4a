import Foundation

/// The recipient of an audio player's events. All calls are made on the main queue.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    /// Reports that a sound has ended on its own; not called after ``AVAudioPlayer/pause()`` and
    /// ``AVAudioPlayer/stop()``.
    ///
    /// - Parameter flag: `false` if the sound could not be decoded to its end.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)

    /// Reports that the sound cannot be decoded or rendered any further; ``audioPlayerDidFinishPlaying(_:successfully:)``
    /// follows.
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)

    /// Reports that the player is paused, because another player took the outputs or they are gone.
    func audioPlayerBeginInterruption(_ player: AVAudioPlayer)

    /// Reports the end of an interruption; never called: the session's notification tells it.
    func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int)
}

extension AVAudioPlayerDelegate {
    /// Does nothing.
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}

    /// Does nothing.
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}

    /// Does nothing.
    public func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {}

    /// Does nothing.
    public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {}
}
