import Playback

/// What a handler made of a command.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
    /// It was done.
    case success = 0
    /// The requested content does not exist.
    case noSuchContent = 100
    /// Nothing is playing that the command could act on.
    case noActionableNowPlayingItem = 110
    /// A device that the command needs is not there.
    case deviceNotFound = 120
    /// It did not work.
    case commandFailed = 200

    var outcome: RemoteCommandOutcome {
        switch self {
        case .success: .success
        case .noSuchContent: .noSuchContent
        case .noActionableNowPlayingItem: .noActionableItem
        case .deviceNotFound: .deviceNotFound
        case .commandFailed: .failed
        }
    }
}
