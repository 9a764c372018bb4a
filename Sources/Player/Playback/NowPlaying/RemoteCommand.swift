/// A command to the playing program, from a button of a speaker, of the desktop or of a web page.
public enum RemoteCommand: Sendable, Hashable {
    /// The repeat mode of the program's queue.
    public typealias RepeatMode = PlayQueueRepeatMode
    /// The shuffle mode of the program's queue.
    public enum ShuffleMode: Sendable, Hashable {
        /// Nothing, items, or collections such as albums.
        case off, items, collections
    }
    /// The press and the release of a held button.
    public enum SeekPhase: Sendable, Hashable {
        /// The button was pressed or released.
        case begin, end
    }

    /// Starts playback.
    case play
    /// Pauses playback.
    case pause
    /// Stops playback.
    case stop
    /// Toggles between play and pause.
    case togglePlayPause
    /// Skips to the next item.
    case nextTrack
    /// Skips to the previous item.
    case previousTrack
    /// Seconds; `nil` for the program's preferred interval.
    case skipForward(seconds: Double?)
    /// Skips back by seconds; `nil` leaves the interval to the program.
    case skipBackward(seconds: Double?)
    /// Starts or ends fast-forwarding.
    case seekForward(SeekPhase)
    /// Starts or ends rewinding.
    case seekBackward(SeekPhase)
    /// Seconds from the start of the item.
    case changePosition(seconds: Double)
    /// The new speed; 1 is normal.
    case changeRate(Double)
    /// Selects a repeat mode.
    case changeRepeatMode(RepeatMode)
    /// Selects a shuffle mode.
    case changeShuffleMode(ShuffleMode)
    /// A rating within ``RemoteCommandSet/ratings``.
    case rate(Double)
    /// `isNegative` withdraws the feedback.
    case like(isNegative: Bool)
    /// Dislikes the item; `isNegative` withdraws the feedback.
    case dislike(isNegative: Bool)
    /// Bookmarks the item; `isNegative` withdraws the feedback.
    case bookmark(isNegative: Bool)
    /// The identifier is the program's own.
    case enableLanguageOption(identifier: String)
    /// Deselects a language option; the identifier is the program's own.
    case disableLanguageOption(identifier: String)

    // Volume commands address the output, not the program. The routes carry them out.
    /// Raises the output's volume by one step.
    case volumeUp
    /// Lowers the output's volume by one step.
    case volumeDown
    /// 0 ... 100; 0 is silence.
    case setVolume(percent: Double)
    /// Mutes or unmutes the output.
    case toggleMute
}

extension RemoteCommand {
    /// A command without its parameters.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Transport commands.
        case play, pause, stop, togglePlayPause, nextTrack, previousTrack
        /// Skipping and seeking commands.
        case skipForward, skipBackward, seekForward, seekBackward
        /// Commands that change a position or mode.
        case changePosition, changeRate, changeRepeatMode, changeShuffleMode
        /// Feedback and language commands.
        case rate, like, dislike, bookmark, enableLanguageOption, disableLanguageOption
        /// Volume commands, which address the output.
        case volumeUp, volumeDown, setVolume, toggleMute
    }

    /// The command without its parameters.
    public var kind: Kind {
        switch self {
        case .play: .play
        case .pause: .pause
        case .stop: .stop
        case .togglePlayPause: .togglePlayPause
        case .nextTrack: .nextTrack
        case .previousTrack: .previousTrack
        case .skipForward: .skipForward
        case .skipBackward: .skipBackward
        case .seekForward: .seekForward
        case .seekBackward: .seekBackward
        case .changePosition: .changePosition
        case .changeRate: .changeRate
        case .changeRepeatMode: .changeRepeatMode
        case .changeShuffleMode: .changeShuffleMode
        case .rate: .rate
        case .like: .like
        case .dislike: .dislike
        case .bookmark: .bookmark
        case .enableLanguageOption: .enableLanguageOption
        case .disableLanguageOption: .disableLanguageOption
        case .volumeUp: .volumeUp
        case .volumeDown: .volumeDown
        case .setVolume: .setVolume
        case .toggleMute: .toggleMute
        }
    }
}

/// The outcome of a command.
public enum RemoteCommandOutcome: Sendable, Hashable {
    /// The command was carried out.
    case success
    /// The requested content does not exist.
    case noSuchContent
    /// There is no item for the command to act on.
    case noActionableItem
    /// A device that the command needs is not available.
    case deviceNotFound
    /// The command failed.
    case failed
    /// No receiver takes this command now.
    case unsupported
}

/// The sender of a command.
public struct RemoteCommandOrigin: Sendable, Hashable {
    /// The surface's name for logs: `"airplay"`, `"mpris"`.
    public var surface: String
    /// The output that sent the command, and that volume commands address; `nil` for all playing outputs.
    public var route: RouteOption.ID?

    /// Makes a sender; without `route`, volume commands address all playing outputs.
    public init(surface: String, route: RouteOption.ID? = nil) {
        (self.surface, self.route) = (surface, route)
    }
}
