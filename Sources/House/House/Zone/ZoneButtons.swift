import MediaPlayer

/// A receiver of the commands that speakers' buttons send to a zone's session.
final class ZoneButtons {
    private let press: @Sendable (ZoneButton) -> Void
    private var handlers: [(command: MPRemoteCommand, token: Any)] = []

    /// - Parameter press: Called on the main queue.
    init(_ center: MPRemoteCommandCenter, press: @escaping @Sendable (ZoneButton) -> Void) {
        self.press = press
        handle(center.playCommand) { _ in .play }
        handle(center.pauseCommand) { _ in .pause }
        handle(center.stopCommand) { _ in .stop }
        handle(center.togglePlayPauseCommand) { _ in .toggle }
        handle(center.nextTrackCommand) { _ in .next }
        handle(center.previousTrackCommand) { _ in .previous }
        handle(center.changePlaybackPositionCommand) {
            ($0 as? MPChangePlaybackPositionCommandEvent).map { .seek($0.positionTime) }
        }
        handle(center.changeShuffleModeCommand) {
            ($0 as? MPChangeShuffleModeCommandEvent).map { .shuffle($0.shuffleType != .off) }
        }
        handle(center.changeRepeatModeCommand) {
            ($0 as? MPChangeRepeatModeCommandEvent).map { .repeatMode(Self.mode($0.repeatType)) }
        }
    }

    func detach() {
        for (command, token) in handlers { command.removeTarget(token) }
        handlers = []
    }

    private func handle(
        _ command: MPRemoteCommand, _ button: @escaping @Sendable (MPRemoteCommandEvent) -> ZoneButton?
    ) {
        let token = command.addTarget { [press] event in
            guard let button = button(event) else { return .commandFailed }
            press(button)
            return .success
        }
        handlers.append((command, token))
    }

    private static func mode(_ type: MPRepeatType) -> RepeatMode {
        switch type {
        case .off: .off
        case .one: .one
        case .all: .all
        }
    }
}
