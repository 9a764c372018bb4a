import Playback

// Status and reason types of a player.
extension AVPlayer {
    /// Whether the player can be used.
    public enum Status: Int, Sendable {
        /// No item has been ready to play yet.
        case unknown
        /// An item has been ready to play.
        case readyToPlay
        /// The player cannot recover: make a new player.
        case failed
    }

    /// The player's response to ``rate``.
    public enum TimeControlStatus: Int, Sendable {
        /// ``rate`` is 0.
        case paused = 0
        /// The player waits for more data or for an item.
        case waitingToPlayAtSpecifiedRate = 1
        /// The current item plays.
        case playing = 2
    }

    /// The action when an item has been played to its end.
    public enum ActionAtItemEnd: Int, Sendable {
        /// The next item follows; outside a queue player, same as ``pause``.
        case advance = 0
        /// ``AVPlayer/rate`` becomes 0 and time stays at the end.
        case pause = 1
        /// The rate stays unchanged and time stays at the end.
        case none = 2
    }

    /// The reason a player waits.
    public struct WaitingReason: RawRepresentable, Hashable, Sendable {
        /// The reason's name.
        public let rawValue: String

        /// The reason of this name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The reason for a change of ``rate``, in the user info of ``rateDidChangeNotification``.
    public struct RateDidChangeReason: RawRepresentable, Hashable, Sendable {
        /// The reason's name.
        public let rawValue: String

        /// The reason of this name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension AVPlayer.WaitingReason {
    /// Too little sound is buffered to play without a stall.
    public static let toMinimizeStalls = Self(
        rawValue: "AVPlayerWaitingToMinimizeStallsReason")
    /// The player measures the fill rate of its item.
    public static let evaluatingBufferingRate = Self(
        rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
    /// The player has no item.
    public static let noItemToPlay = Self(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
    /// Never used: Tutti has no interstitials.
    public static let interstitialEvent = Self(
        rawValue: "AVPlayerWaitingDuringInterstitialEventReason")
    /// Never used: Tutti has no coordinated playback.
    public static let waitingForCoordinatedPlayback = Self(
        rawValue: "AVPlayerWaitingForCoordinatedPlaybackReason")

    init(_ reason: TransportMachine.WaitingReason) {
        switch reason {
        case .toMinimizeStalls: self = .toMinimizeStalls
        case .evaluatingBufferingRate: self = .evaluatingBufferingRate
        case .noItemToPlay: self = .noItemToPlay
        }
    }
}

extension AVPlayer.RateDidChangeReason {
    /// The program set the rate.
    public static let setRateCalled = Self(
        rawValue: "AVPlayerRateDidChangeReasonSetRateCalled")
    /// Playback failed or stalled, so the item does not play at the requested rate.
    public static let setRateFailed = Self(
        rawValue: "AVPlayerRateDidChangeReasonSetRateFailed")
    /// Another player of this process or another sender took over the route, or the outputs were lost.
    public static let audioSessionInterrupted = Self(
        rawValue: "AVPlayerRateDidChangeReasonAudioSessionInterrupted")
    /// Never used by Tutti.
    public static let appBackgrounded = Self(
        rawValue: "AVPlayerRateDidChangeReasonAppBackgrounded")

    init?(_ reason: PlayerEngine.RateReason) {
        switch reason {
        case .ended: return nil
        case .asked: self = .setRateCalled
        case .failed: self = .setRateFailed
        case .interrupted: self = .audioSessionInterrupted
        }
    }
}

extension PlayerEngine.EndAction {
    /// - Parameter isQueue: Whether the player has items after the current one.
    init(_ action: AVPlayer.ActionAtItemEnd, isQueue: Bool) {
        switch action {
        case .advance: self = isQueue ? .advance : .pause
        case .pause: self = .pause
        case .none: self = .none
        }
    }
}
