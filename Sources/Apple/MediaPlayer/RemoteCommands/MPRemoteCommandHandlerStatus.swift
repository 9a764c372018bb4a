import Playback

/// The result of a command handler.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
    /// The handler carried out the command.
    case success = 0
    /// The requested content does not exist.
    case noSuchContent = 100
    /// The command has no now-playing item to act on.
    case noActionableNowPlayingItem = 110
    /// A required device is missing.
    case deviceNotFound = 120
    /// The command failed.
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
