import Playback

// The words in which a player tells of itself.
extension AVPlayer {
    /// Whether the player can be used.
    public enum Status: Int, Sendable {
        /// No item could be played yet.
        case unknown
        /// An item could be played.
        case readyToPlay
        /// For good: make a new player.
        case failed
    }

    /// What the player does about ``rate``.
    public enum TimeControlStatus: Int, Sendable {
        /// ``rate`` is 0.
        case paused = 0
        /// It will play when there is enough, or an item.
        case waitingToPlayAtSpecifiedRate = 1
        /// It plays.
        case playing = 2
    }

    /// What happens when an item has been heard to its end.
    public enum ActionAtItemEnd: Int, Sendable {
        /// Another one follows; as ``pause`` in a player that is no queue.
        case advance = 0
        /// ``AVPlayer/rate`` becomes 0; time stays at the end.
        case pause = 1
        /// The rate stays, and so does time.
        case none = 2
    }

    /// Why a player waits.
    public struct WaitingReason: RawRepresentable, Hashable, Sendable {
        /// The reason's name.
        public let rawValue: String

        /// The reason of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Too little is at hand to play on without a stall.
        public static let toMinimizeStalls = WaitingReason(
            rawValue: "AVPlayerWaitingToMinimizeStallsReason")
        /// The player looks how fast its item comes.
        public static let evaluatingBufferingRate = WaitingReason(
            rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
        /// There is nothing to play.
        public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
        /// Never here: nothing is put in between.
        public static let interstitialEvent = WaitingReason(
            rawValue: "AVPlayerWaitingDuringInterstitialEventReason")
        /// Never here: no others take part.
        public static let waitingForCoordinatedPlayback = WaitingReason(
            rawValue: "AVPlayerWaitingForCoordinatedPlaybackReason")
    }

    /// Why ``rate`` changed, in the user info of ``rateDidChangeNotification``.
    public struct RateDidChangeReason: RawRepresentable, Hashable, Sendable {
        /// The reason's name.
        public let rawValue: String

        /// The reason of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The program asked for it.
        public static let setRateCalled = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonSetRateCalled")
        /// It could not be played.
        public static let setRateFailed = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonSetRateFailed")
        /// Another player took the speakers.
        public static let audioSessionInterrupted = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonAudioSessionInterrupted")
        /// Never here.
        public static let appBackgrounded = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonAppBackgrounded")
    }
}

extension AVPlayer.WaitingReason {
    init(_ reason: TransportMachine.WaitingReason) {
        switch reason {
        case .toMinimizeStalls: self = .toMinimizeStalls
        case .evaluatingBufferingRate: self = .evaluatingBufferingRate
        case .noItemToPlay: self = .noItemToPlay
        }
    }
}

extension AVPlayer.RateDidChangeReason {
    init?(_ reason: PlayerCore.RateReason) {
        switch reason {
        case .ended: return nil
        case .asked: self = .setRateCalled
        case .failed: self = .setRateFailed
        case .interrupted: self = .audioSessionInterrupted
        }
    }
}
