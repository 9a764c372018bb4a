/// What somebody asks of the program that plays: with a button of a speaker, of the desktop, of a web page.
public enum RemoteCommand: Sendable, Hashable {
    public enum RepeatMode: Sendable, Hashable { case off, one, all }
    public enum ShuffleMode: Sendable, Hashable { case off, items, collections }
    /// The two ends of a button that is held.
    public enum SeekPhase: Sendable, Hashable { case begin, end }

    case play
    case pause
    case stop
    case togglePlayPause
    case nextTrack
    case previousTrack
    /// Seconds; `nil` for what the program prefers.
    case skipForward(seconds: Double?)
    case skipBackward(seconds: Double?)
    case seekForward(SeekPhase)
    case seekBackward(SeekPhase)
    /// Seconds from the start of the item.
    case changePosition(seconds: Double)
    /// 1 is the normal speed.
    case changeRate(Double)
    case changeRepeatMode(RepeatMode)
    case changeShuffleMode(ShuffleMode)
    /// On the program's own scale, ``RemoteCommandSet/ratings``.
    case rate(Double)
    /// `isNegative` takes it back.
    case like(isNegative: Bool)
    case dislike(isNegative: Bool)
    case bookmark(isNegative: Bool)
    /// By the identifier that the program gave it.
    case enableLanguageOption(identifier: String)
    case disableLanguageOption(identifier: String)

    // About the output and not the program: carried out by the routes.
    case volumeUp
    case volumeDown
    /// 0 ... 100; 0 is silence.
    case setVolume(percent: Double)
    case toggleMute
}

extension RemoteCommand {
    /// A command without what it carries.
    public enum Kind: Sendable, Hashable, CaseIterable {
        case play, pause, stop, togglePlayPause, nextTrack, previousTrack
        case skipForward, skipBackward, seekForward, seekBackward
        case changePosition, changeRate, changeRepeatMode, changeShuffleMode
        case rate, like, dislike, bookmark, enableLanguageOption, disableLanguageOption
        case volumeUp, volumeDown, setVolume, toggleMute
    }

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

/// What became of a command.
public enum RemoteCommandOutcome: Sendable, Hashable {
    case success
    /// What was asked for is not there.
    case noSuchContent
    /// Nothing is there that the command could act on.
    case noActionableItem
    /// A device that it needs is not there.
    case deviceNotFound
    case failed
    /// Nobody takes this command now.
    case unsupported
}

/// Who sends a command.
public struct RemoteCommandOrigin: Sendable, Hashable {
    /// For logs: `"airplay"`, `"mpris"`.
    public var surface: String
    /// The output that it comes from; commands about the volume are about this one. `nil` for all that play.
    public var route: RouteOption.ID?

    public init(surface: String, route: RouteOption.ID? = nil) {
        (self.surface, self.route) = (surface, route)
    }
}
