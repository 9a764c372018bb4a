import Playback

/// A receiver for commands from speakers' buttons, sent over the event channel or DACP.
final class PlayRemote: RemoteCommandReceiver {
    private let perform: @Sendable (PlayRequest) -> Void

    init(perform: @escaping @Sendable (PlayRequest) -> Void) { self.perform = perform }

    func attach(to hub: NowPlayingHub) {
        var commands = RemoteCommandSet()
        commands.enabled = [
            .play, .pause, .togglePlayPause, .nextTrack, .previousTrack, .skipForward, .skipBackward,
            .changePosition,
        ]
        hub.setCommands(commands)
        hub.add(self)
    }

    func detach(from hub: NowPlayingHub) {
        hub.remove(self)
        hub.setCommands(RemoteCommandSet())
    }

    func perform(
        _ command: RemoteCommand, from origin: RemoteCommandOrigin,
        completion: @escaping @Sendable (RemoteCommandOutcome) -> Void
    ) {
        guard let request = PlayRequest(command) else { return completion(.unsupported) }
        perform(request)
        completion(.success)
    }
}

extension PlayRequest {
    /// The default skip, in seconds, for buttons that name no length.
    private static let usualSkip = 10.0

    /// - Returns: `nil` for a command that does not apply to a list of tracks.
    init?(_ command: RemoteCommand) {
        switch command {
        case .play: self = .resume
        case .pause, .stop: self = .pause
        case .togglePlayPause: self = .toggle
        case .nextTrack: self = .next
        case .previousTrack: self = .previous
        case .skipForward(let seconds): self = .skip(seconds ?? Self.usualSkip)
        case .skipBackward(let seconds): self = .skip(-(seconds ?? Self.usualSkip))
        case .changePosition(let seconds) where seconds.isFinite: self = .seek(max(0, seconds))
        default: return nil
        }
    }
}
