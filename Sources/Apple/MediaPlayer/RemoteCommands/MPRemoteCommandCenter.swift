import Playback
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// The commands that the user gives outside the program.
///
/// Commands come from speakers' buttons and from every other `NowPlayingSurface`. Callable from any thread.
open class MPRemoteCommandCenter: NSObject, @unchecked Sendable {
    // Safe to share: immutable after `init`; the commands are Sendable.

    private static let instance = MPRemoteCommandCenter(
        hub: .shared, clock: SystemClock(),
        languageOption: { MPNowPlayingInfoCenter.default().languageOption(identifier: $0) })

    /// Returns the program's shared command center.
    open class func shared() -> MPRemoteCommandCenter { instance }

    /// Starts playback; sends ``MPRemoteCommandEvent``.
    public let playCommand: MPRemoteCommand
    /// Pauses playback; sends ``MPRemoteCommandEvent``.
    public let pauseCommand: MPRemoteCommand
    /// Stops playback; sends ``MPRemoteCommandEvent``.
    public let stopCommand: MPRemoteCommand
    /// Toggles between play and pause; sends ``MPRemoteCommandEvent``.
    public let togglePlayPauseCommand: MPRemoteCommand
    /// Skips to the next track; sends ``MPRemoteCommandEvent``.
    public let nextTrackCommand: MPRemoteCommand
    /// Skips to the previous track or the current track's start; sends ``MPRemoteCommandEvent``.
    public let previousTrackCommand: MPRemoteCommand
    /// Skips forward by an interval; sends ``MPSkipIntervalCommandEvent``.
    public let skipForwardCommand: MPSkipIntervalCommand
    /// Skips backward by an interval; sends ``MPSkipIntervalCommandEvent``.
    public let skipBackwardCommand: MPSkipIntervalCommand
    /// Seeks forward while a button is held; sends ``MPSeekCommandEvent``.
    public let seekForwardCommand: MPRemoteCommand
    /// Seeks backward while a button is held; sends ``MPSeekCommandEvent``.
    public let seekBackwardCommand: MPRemoteCommand
    /// Seeks to a time in the item; sends ``MPChangePlaybackPositionCommandEvent``.
    public let changePlaybackPositionCommand: MPChangePlaybackPositionCommand
    /// Changes the rate; sends ``MPChangePlaybackRateCommandEvent``.
    public let changePlaybackRateCommand: MPChangePlaybackRateCommand
    /// Changes the repeat mode; sends ``MPChangeRepeatModeCommandEvent``.
    public let changeRepeatModeCommand: MPChangeRepeatModeCommand
    /// Changes the shuffle mode; sends ``MPChangeShuffleModeCommandEvent``.
    public let changeShuffleModeCommand: MPChangeShuffleModeCommand
    /// Rates the item; sends ``MPRatingCommandEvent``.
    public let ratingCommand: MPRatingCommand
    /// Likes the item; sends ``MPFeedbackCommandEvent``.
    public let likeCommand: MPFeedbackCommand
    /// Dislikes the item; sends ``MPFeedbackCommandEvent``.
    public let dislikeCommand: MPFeedbackCommand
    /// Bookmarks the item; sends ``MPFeedbackCommandEvent``.
    public let bookmarkCommand: MPFeedbackCommand
    /// Enables a language or subtitles; sends ``MPChangeLanguageOptionCommandEvent``.
    public let enableLanguageOptionCommand: MPRemoteCommand
    /// Disables a language or subtitles; sends ``MPChangeLanguageOptionCommandEvent``.
    public let disableLanguageOptionCommand: MPRemoteCommand

    private let hub: NowPlayingHub
    private let source: NowPlayingHub.Source
    let clock: any HostClock
    /// Finds a language option that the program published.
    let languageOption: @Sendable (String) -> MPNowPlayingInfoLanguageOption?
    /// Serializes reading and publishing the commands; the latest state wins.
    private let publishing = Mutex(())

    /// - Parameter source: The hub's identity of the receiver of commands: the program or a session.
    init(
        hub: NowPlayingHub, clock: any HostClock, source: NowPlayingHub.Source = .program,
        languageOption: @escaping @Sendable (String) -> MPNowPlayingInfoLanguageOption?
    ) {
        (self.hub, self.clock, self.source) = (hub, clock, source)
        self.languageOption = languageOption
        let center = Mutex(WeakReference<MPRemoteCommandCenter>(nil))
        let changed: @Sendable () -> Void = { center.withLock { $0 }.object?.publish() }
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
        center.withLock { $0 = WeakReference(self) }
        hub.add(CommandCenterReceiver(self), for: source)
    }

    /// Publishes the current commands to the surfaces. The hub only posts them, so the lock is held briefly.
    private func publish() { publishing.withLock { _ in hub.setCommands(commandSet, of: source) } }

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
