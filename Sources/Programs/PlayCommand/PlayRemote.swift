import MediaPlayer

/// A receiver for commands from speakers' buttons, sent over the event channel or DACP.
final class PlayRemote {
    private let perform: @Sendable (PlayRequest) -> Void
    private var handlers: [(command: MPRemoteCommand, token: Any)] = []

    init(perform: @escaping @Sendable (PlayRequest) -> Void) { self.perform = perform }

    func attach(to center: MPRemoteCommandCenter) {
        handle(center.playCommand) { _ in .resume }
        handle(center.pauseCommand) { _ in .pause }
        handle(center.stopCommand) { _ in .pause }
        handle(center.togglePlayPauseCommand) { _ in .toggle }
        handle(center.nextTrackCommand) { _ in .next }
        handle(center.previousTrackCommand) { _ in .previous }
        handle(center.skipForwardCommand) { Self.interval($0).map { .skip($0) } }
        handle(center.skipBackwardCommand) { Self.interval($0).map { .skip(-$0) } }
        handle(center.changePlaybackPositionCommand) {
            ($0 as? MPChangePlaybackPositionCommandEvent).map { .seek($0.positionTime) }
        }
    }

    func detach() {
        for (command, token) in handlers { command.removeTarget(token) }
        handlers = []
    }

    private func handle(
        _ command: MPRemoteCommand, _ request: @escaping @Sendable (MPRemoteCommandEvent) -> PlayRequest?
    ) {
        let token = command.addTarget { [perform] event in
            guard let request = request(event) else { return .commandFailed }
            perform(request)
            return .success
        }
        handlers.append((command, token))
    }

    /// Returns the seconds to skip; 10 for buttons that name no length.
    private static func interval(_ event: MPRemoteCommandEvent) -> Double? {
        (event as? MPSkipIntervalCommandEvent)?.interval
    }
}
