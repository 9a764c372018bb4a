import Playback

/// Carries out the commands of speakers' buttons, by the event channel and by DACP.
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
    /// Seconds of a skip whose length the button leaves open.
    private static let usualSkip = 10.0

    /// - Returns: `nil` for a command that a list of tracks has no meaning for.
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
