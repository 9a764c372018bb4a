import Foundation
import Playback
import Testing
import TuttiTestSupport

@testable import MediaPlayer

@Suite("Remote command events", .timeLimit(.minutes(10)))
struct CommandEventTests {
    let stage = CommandStage()

    /// Returns what a handler of `command` saw of one press, and the result.
    private func press(
        _ pressed: RemoteCommand, on command: MPRemoteCommand,
        _ read: @escaping (MPRemoteCommandEvent) -> String?
    ) async -> (String?, RemoteCommandOutcome) {
        let seen = Recorder<String?>(nil)
        let token = command.addTarget { event in
            let text = event.command === command ? read(event) : nil
            seen.update { $0 = text }
            return .success
        }
        defer { command.removeTarget(token) }
        let outcome = await stage.press(pressed)
        return (seen.value, outcome)
    }

    @Test("skips carry their seconds, or the preferred interval")
    func skips() async {
        let read: (MPRemoteCommandEvent) -> String? = {
            ($0 as? MPSkipIntervalCommandEvent).map { "\($0.interval)" }
        }
        let (forward, back) = (stage.center.skipForwardCommand, stage.center.skipBackwardCommand)
        forward.preferredIntervals = [15, 30]
        #expect(await press(.skipForward(seconds: nil), on: forward, read) == ("15.0", .success))
        #expect(await press(.skipForward(seconds: 7), on: forward, read) == ("7.0", .success))
        #expect(await press(.skipBackward(seconds: nil), on: back, read) == ("10.0", .success))
        forward.preferredIntervals = []
        #expect(await press(.skipForward(seconds: nil), on: forward, read) == ("10.0", .success))
        #expect(await press(.skipForward(seconds: .nan), on: forward, read) == (nil, .failed))
        #expect(await press(.skipForward(seconds: -3), on: forward, read) == (nil, .failed))
    }

    @Test("positions, rates and ratings are carried")
    func numbers() async {
        let center = stage.center
        let position: (MPRemoteCommandEvent) -> String? = {
            ($0 as? MPChangePlaybackPositionCommandEvent).map { "\($0.positionTime)" }
        }
        let place = center.changePlaybackPositionCommand
        #expect(await press(.changePosition(seconds: 61.5), on: place, position) == ("61.5", .success))
        #expect(await press(.changePosition(seconds: -1), on: place, position) == ("0.0", .success))
        #expect(await press(.changePosition(seconds: .infinity), on: place, position) == (nil, .failed))
        let rate = await press(.changeRate(1.5), on: center.changePlaybackRateCommand) {
            ($0 as? MPChangePlaybackRateCommandEvent).map { "\($0.playbackRate)" }
        }
        #expect(rate == ("1.5", .success))
        center.ratingCommand.minimumRating = 1
        center.ratingCommand.maximumRating = 5
        for (given, expected) in [(3.0, "3.0"), (9, "5.0"), (-1, "1.0")] {
            let rating = await press(.rate(given), on: center.ratingCommand) {
                ($0 as? MPRatingCommandEvent).map { "\($0.rating)" }
            }
            #expect(rating == (expected, .success))
        }
    }

    @Test("shuffle and repeat modes are carried")
    func modes() async {
        let center = stage.center
        let repeats: [(RemoteCommand.RepeatMode, MPRepeatType)] = [(.off, .off), (.one, .one), (.all, .all)]
        for (mode, type) in repeats {
            let seen = await press(.changeRepeatMode(mode), on: center.changeRepeatModeCommand) { event in
                (event as? MPChangeRepeatModeCommandEvent).map {
                    "\($0.repeatType == type) \($0.preservesRepeatMode)"
                }
            }
            #expect(seen == ("true true", .success))
            #expect(type.mode == mode)
        }
        let shuffles: [(RemoteCommand.ShuffleMode, MPShuffleType)] = [
            (.off, .off), (.items, .items), (.collections, .collections),
        ]
        for (mode, type) in shuffles {
            let seen = await press(.changeShuffleMode(mode), on: center.changeShuffleModeCommand) { event in
                (event as? MPChangeShuffleModeCommandEvent).map {
                    "\($0.shuffleType == type) \($0.preservesShuffleMode)"
                }
            }
            #expect(seen == ("true true", .success))
            #expect(type.mode == mode)
        }
    }

    @Test("both ends of seeking, and feedback about the item, are carried")
    func others() async {
        let center = stage.center
        for (command, target, type) in [
            (
                RemoteCommand.seekForward(.begin), center.seekForwardCommand,
                MPSeekCommandEventType.beginSeeking
            ),
            (.seekForward(.end), center.seekForwardCommand, .endSeeking),
            (.seekBackward(.begin), center.seekBackwardCommand, .beginSeeking),
        ] {
            let seen = await press(command, on: target) {
                ($0 as? MPSeekCommandEvent).map { "\($0.type == type)" }
            }
            #expect(seen == ("true", .success))
        }
        for (command, target) in [
            (RemoteCommand.like(isNegative: true), center.likeCommand),
            (.dislike(isNegative: true), center.dislikeCommand),
            (.bookmark(isNegative: true), center.bookmarkCommand),
        ] {
            let seen = await press(command, on: target) {
                ($0 as? MPFeedbackCommandEvent).map { "\($0.isNegative)" }
            }
            #expect(seen == ("true", .success))
        }
    }

    @Test("language option events carry the published options")
    func languages() async {
        let german = MPNowPlayingInfoLanguageOption(
            type: .audible, languageTag: "de", characteristics: nil, displayName: "Deutsch", identifier: "d")
        stage.info.nowPlayingInfo = [
            MPNowPlayingInfoPropertyAvailableLanguageOptions: [
                MPNowPlayingInfoLanguageOptionGroup(
                    languageOptions: [german], defaultLanguageOption: german, allowEmptySelection: false)
            ]
        ]
        let command = stage.center.enableLanguageOptionCommand
        let read: (MPRemoteCommandEvent) -> String? = {
            ($0 as? MPChangeLanguageOptionCommandEvent).flatMap { "\($0.languageOption === german)" }
        }
        #expect(await press(.enableLanguageOption(identifier: "d"), on: command, read) == ("true", .success))
        #expect(await press(.enableLanguageOption(identifier: "x"), on: command, read) == (nil, .failed))
    }

    @Test("each command of the hub maps to one command, except the volume's")
    func all() {
        let commands = RemoteCommand.Kind.allCases.compactMap { stage.center.command(for: $0) }
        #expect(Set(commands.map(ObjectIdentifier.init)).count == RemoteCommand.Kind.allCases.count - 4)
        #expect(stage.center.command(for: .setVolume) == nil)
    }

    @Test("the event time is that of the host clock")
    func timestamp() async {
        let seen = await press(.play, on: stage.center.playCommand) { "\($0.timestamp)" }
        #expect(seen == ("1000.0", .success))
    }
}
