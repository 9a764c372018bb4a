import Dispatch
import Playback
import TuttiMediaTime
import TuttiSystemIO

/// A receiver of the hub's commands that does not retain its command center.
final class CommandCenterReceiver: RemoteCommandReceiver {
    private weak let center: MPRemoteCommandCenter?

    init(_ center: MPRemoteCommandCenter) { self.center = center }

    func perform(
        _ command: RemoteCommand, from origin: RemoteCommandOrigin,
        completion: @escaping @Sendable (RemoteCommandOutcome) -> Void
    ) {
        guard let center else { return completion(.unsupported) }
        center.perform(command, completion: completion)
    }
}

extension MPRemoteCommandCenter {
    /// Calls the handlers of a command on the main queue.
    func perform(
        _ command: RemoteCommand, completion: @escaping @Sendable (RemoteCommandOutcome) -> Void
    ) {
        guard let target = self.command(for: command.kind) else { return completion(.unsupported) }
        let time = clock.now
        DispatchQueue.main.async { [self] in
            // Check on the main queue: the program may have just disabled the command.
            guard target.isOffered else { return completion(.unsupported) }
            guard let event = event(for: command, of: target, at: time) else { return completion(.failed) }
            completion(target.handle(event))
        }
    }

    /// - Returns: `nil` for a volume command, which the program does not handle.
    func command(for kind: RemoteCommand.Kind) -> MPRemoteCommand? {
        switch kind {
        case .play: playCommand
        case .pause: pauseCommand
        case .stop: stopCommand
        case .togglePlayPause: togglePlayPauseCommand
        case .nextTrack: nextTrackCommand
        case .previousTrack: previousTrackCommand
        case .skipForward: skipForwardCommand
        case .skipBackward: skipBackwardCommand
        case .seekForward: seekForwardCommand
        case .seekBackward: seekBackwardCommand
        case .changePosition: changePlaybackPositionCommand
        case .changeRate: changePlaybackRateCommand
        case .changeRepeatMode: changeRepeatModeCommand
        case .changeShuffleMode: changeShuffleModeCommand
        case .rate: ratingCommand
        case .like: likeCommand
        case .dislike: dislikeCommand
        case .bookmark: bookmarkCommand
        case .enableLanguageOption: enableLanguageOptionCommand
        case .disableLanguageOption: disableLanguageOptionCommand
        case .volumeUp, .volumeDown, .setVolume, .toggleMute: nil
        }
    }

    /// - Returns: `nil` for a command with an invalid parameter.
    private func event(
        for command: RemoteCommand, of target: MPRemoteCommand, at time: HostTime
    ) -> MPRemoteCommandEvent? {
        switch command {
        case .skipForward(let seconds): skip(skipForwardCommand, seconds, at: time)
        case .skipBackward(let seconds): skip(skipBackwardCommand, seconds, at: time)
        case .seekForward(let phase), .seekBackward(let phase): MPSeekCommandEvent(target, phase, at: time)
        case .changePosition(let seconds):
            seconds.isFinite
                ? MPChangePlaybackPositionCommandEvent(target, positionTime: max(0, seconds), at: time) : nil
        case .changeRate(let rate):
            rate.isFinite
                ? MPChangePlaybackRateCommandEvent(target, playbackRate: Float(rate), at: time) : nil
        case .changeRepeatMode(let mode):
            MPChangeRepeatModeCommandEvent(target, repeatType: MPRepeatType(mode), at: time)
        case .changeShuffleMode(let mode):
            MPChangeShuffleModeCommandEvent(target, shuffleType: MPShuffleType(mode), at: time)
        case .rate(let rating):
            rating.isFinite ? MPRatingCommandEvent(target, rating: limited(rating), at: time) : nil
        case .like(let isNegative), .dislike(let isNegative), .bookmark(let isNegative):
            MPFeedbackCommandEvent(target, isNegative: isNegative, at: time)
        case .enableLanguageOption(let identifier), .disableLanguageOption(let identifier):
            languageOption(identifier).map { MPChangeLanguageOptionCommandEvent(target, $0, at: time) }
        default: MPRemoteCommandEvent(target, at: time)
        }
    }

    private func skip(
        _ command: MPSkipIntervalCommand, _ seconds: Double?, at time: HostTime
    ) -> MPRemoteCommandEvent? {
        let interval = seconds ?? command.seconds.first ?? MPSkipIntervalCommand.usualInterval
        guard interval.isFinite, interval >= 0 else { return nil }
        return MPSkipIntervalCommandEvent(command, interval: interval, at: time)
    }

    private func limited(_ rating: Double) -> Float {
        let range = ratingCommand.range
        return Float(max(range.lowerBound, min(rating, range.upperBound)))
    }
}
