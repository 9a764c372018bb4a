import MediaTime
import Playback
import Synchronization
import SystemIO

/// The commands that people can give from outside the program.
///
/// They come from the buttons of speakers, and from every `NowPlayingSurface` beside them. Any thread.
open class MPRemoteCommandCenter: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`; the commands are safe themselves.

    private static let instance = MPRemoteCommandCenter(
        hub: .shared, clock: SystemClock(),
        languageOption: { MPNowPlayingInfoCenter.default().languageOption(identifier: $0) })

    /// The one of the program.
    open class func shared() -> MPRemoteCommandCenter { instance }

    /// Play; ``MPRemoteCommandEvent``.
    public let playCommand: MPRemoteCommand
    /// Pause; ``MPRemoteCommandEvent``.
    public let pauseCommand: MPRemoteCommand
    /// Stop; ``MPRemoteCommandEvent``.
    public let stopCommand: MPRemoteCommand
    /// Pause what plays, play what is paused; ``MPRemoteCommandEvent``.
    public let togglePlayPauseCommand: MPRemoteCommand
    /// On to the next track; ``MPRemoteCommandEvent``.
    public let nextTrackCommand: MPRemoteCommand
    /// Back to the track before, or to this one's start; ``MPRemoteCommandEvent``.
    public let previousTrackCommand: MPRemoteCommand
    /// Some seconds on; ``MPSkipIntervalCommandEvent``.
    public let skipForwardCommand: MPSkipIntervalCommand
    /// Some seconds back; ``MPSkipIntervalCommandEvent``.
    public let skipBackwardCommand: MPSkipIntervalCommand
    /// Events are ``MPSeekCommandEvent``.
    public let seekForwardCommand: MPRemoteCommand
    /// Backward while a button is held; ``MPSeekCommandEvent``.
    public let seekBackwardCommand: MPRemoteCommand
    /// To a place in the item; ``MPChangePlaybackPositionCommandEvent``.
    public let changePlaybackPositionCommand: MPChangePlaybackPositionCommand
    /// Another rate; ``MPChangePlaybackRateCommandEvent``.
    public let changePlaybackRateCommand: MPChangePlaybackRateCommand
    /// Repeat, or not; ``MPChangeRepeatModeCommandEvent``.
    public let changeRepeatModeCommand: MPChangeRepeatModeCommand
    /// Another order; ``MPChangeShuffleModeCommandEvent``.
    public let changeShuffleModeCommand: MPChangeShuffleModeCommand
    /// A rating; ``MPRatingCommandEvent``.
    public let ratingCommand: MPRatingCommand
    /// Liked; ``MPFeedbackCommandEvent``.
    public let likeCommand: MPFeedbackCommand
    /// Disliked; ``MPFeedbackCommandEvent``.
    public let dislikeCommand: MPFeedbackCommand
    /// To be found again; ``MPFeedbackCommandEvent``.
    public let bookmarkCommand: MPFeedbackCommand
    /// Events are ``MPChangeLanguageOptionCommandEvent``.
    public let enableLanguageOptionCommand: MPRemoteCommand
    /// A language or subtitles off; ``MPChangeLanguageOptionCommandEvent``.
    public let disableLanguageOptionCommand: MPRemoteCommand

    private let hub: NowPlayingHub
    private let source: NowPlayingHub.Source
    let clock: any HostClock
    /// Finds a language among those that the program published.
    let languageOption: @Sendable (String) -> MPNowPlayingInfoLanguageOption?
    /// Held while the commands are looked at and told, so that the last to look tells last.
    private let telling = Mutex(())

    /// - Parameter source: the taker of the commands, as the hub knows it: the program or a session.
    init(
        hub: NowPlayingHub, clock: any HostClock, source: NowPlayingHub.Source = .program,
        languageOption: @escaping @Sendable (String) -> MPNowPlayingInfoLanguageOption?
    ) {
        (self.hub, self.clock, self.source) = (hub, clock, source)
        self.languageOption = languageOption
        let center = WeakCenter()
        let changed: @Sendable () -> Void = { center.value?.tell() }
        playCommand = MPRemoteCommand(changed: changed)
        pauseCommand = MPRemoteCommand(changed: changed)
        stopCommand = MPRemoteCommand(changed: changed)
        togglePlayPauseCommand = MPRemoteCommand(changed: changed)
        nextTrackCommand = MPRemoteCommand(changed: changed)
        previousTrackCommand = MPRemoteCommand(changed: changed)
        skipForwardCommand = MPSkipIntervalCommand(changed: changed)
        skipBackwardCommand = MPSkipIntervalCommand(changed: changed)
        seekForwardCommand = MPRemoteCommand(changed: changed)
        seekBackwardCommand = MPRemoteCommand(changed: changed)
        changePlaybackPositionCommand = MPChangePlaybackPositionCommand(changed: changed)
        changePlaybackRateCommand = MPChangePlaybackRateCommand(changed: changed)
        changeRepeatModeCommand = MPChangeRepeatModeCommand(changed: changed)
        changeShuffleModeCommand = MPChangeShuffleModeCommand(changed: changed)
        ratingCommand = MPRatingCommand(changed: changed)
        likeCommand = MPFeedbackCommand(changed: changed)
        dislikeCommand = MPFeedbackCommand(changed: changed)
        bookmarkCommand = MPFeedbackCommand(changed: changed)
        enableLanguageOptionCommand = MPRemoteCommand(changed: changed)
        disableLanguageOptionCommand = MPRemoteCommand(changed: changed)
        super.init()
        center.set(self)
        hub.add(CommandCenterReceiver(self), for: source)
    }

    /// Tells the surfaces which commands there are now. The hub only posts it.
    private func tell() { telling.withLock { _ in hub.setCommands(commandSet, of: source) } }

    private var commandSet: RemoteCommandSet {
        var set = RemoteCommandSet()
        set.enabled = Set(RemoteCommand.Kind.allCases.filter { command(for: $0)?.isOffered == true })
        set.forwardIntervals = skipForwardCommand.seconds
        set.backwardIntervals = skipBackwardCommand.seconds
        set.rates = changePlaybackRateCommand.values
        set.repeatMode = changeRepeatModeCommand.currentRepeatType.mode
        set.shuffleMode = changeShuffleModeCommand.currentShuffleType.mode
        set.ratings = ratingCommand.range
        set.like = likeCommand.feedback
        set.dislike = dislikeCommand.feedback
        set.bookmark = bookmarkCommand.feedback
        return set
    }
}

/// The center, for its commands, which exist before it does.
private final class WeakCenter: Sendable {
    private struct Box { weak var center: MPRemoteCommandCenter? }
    private let box = Mutex(Box())

    var value: MPRemoteCommandCenter? { box.withLock { $0.center } }

    func set(_ center: MPRemoteCommandCenter) { box.withLock { $0.center = center } }
}
