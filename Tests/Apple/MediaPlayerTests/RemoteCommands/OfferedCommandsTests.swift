import Foundation
import Playback
import Testing

@testable import MediaPlayer

@Suite("Commands offered to surfaces")
struct OfferedCommandsTests {
    let stage = CommandStage()

    @Test("enabled commands with a handler are offered")
    func offered() {
        let center = stage.center
        #expect(stage.hub.commands.enabled.isEmpty)
        let token = center.playCommand.addTarget { _ in .success }
        center.seekForwardCommand.addTarget { _ in .success }
        #expect(stage.hub.commands.enabled == [.play, .seekForward])
        center.seekForwardCommand.isEnabled = false
        center.playCommand.removeTarget(token)
        #expect(stage.hub.commands.enabled.isEmpty)
    }

    @Test("offers carry their parameters")
    func details() {
        let center = stage.center
        center.skipForwardCommand.preferredIntervals = [15, -1, NSNumber(value: Double.nan), 0]
        center.skipBackwardCommand.preferredIntervals = [5]
        center.changePlaybackRateCommand.supportedPlaybackRates = [0.5, 1, 2]
        center.changeRepeatModeCommand.currentRepeatType = .all
        center.changeShuffleModeCommand.currentShuffleType = .items
        center.ratingCommand.maximumRating = 5
        center.likeCommand.isActive = true
        center.likeCommand.localizedTitle = "Love"
        center.dislikeCommand.localizedShortTitle = "No"
        let set = stage.hub.commands
        #expect(set.forwardIntervals == [15] && set.backwardIntervals == [5] && set.rates == [0.5, 1, 2])
        #expect(center.skipForwardCommand.preferredIntervals == [15])
        #expect(set.repeatMode == .all && set.shuffleMode == .items && set.ratings == 0...5)
        #expect(set.like == RemoteCommandSet.Feedback(isActive: true, title: "Love"))
        #expect(set.dislike.shortTitle == "No" && !set.bookmark.isActive)
        // Reversed bounds are not a range yet.
        center.ratingCommand.minimumRating = 9
        #expect(stage.hub.commands.ratings == 0...0)
    }

    @Test("the program has one shared center")
    func shared() {
        #expect(MPRemoteCommandCenter.shared() === MPRemoteCommandCenter.shared())
        #expect(MPNowPlayingInfoCenter.default() === MPNowPlayingInfoCenter.default())
    }
}
