import Foundation
import Testing

@testable import AVFoundation
@testable import Playback

@Suite("Settings that are stored without effect")
struct StoredNamesTests {
    @Test("a session keeps its preferences and refuses more channels than outputs have")
    func session() throws {
        let session = AVAudioSession(catalogue: .shared)
        #expect(session.preferredOutputNumberOfChannels == 2 && session.renderingMode == .monoStereo)
        try session.setPreferredOutputNumberOfChannels(1)
        for count in [0, 3, -1, Int.max] {
            #expect(throws: NSError.self) { try session.setPreferredOutputNumberOfChannels(count) }
        }
        #expect(session.preferredOutputNumberOfChannels == 1)
        try session.setSupportsMultichannelContent(true)
        try session.setPrefersNoInterruptionsFromSystemAlerts(true)
        try session.setPrefersInterruptionOnRouteDisconnect(true)
        try session.setAggregatedIOPreference(.aggregated)
        try session.setOutputDataSource(nil)
        #expect(session.supportsMultichannelContent && session.prefersNoInterruptionsFromSystemAlerts)
        #expect(session.prefersInterruptionOnRouteDisconnect && session.promptStyle == .normal)
        #expect(session.outputDataSources == nil && session.outputDataSource == nil)
    }

    @Test("a player keeps the criteria of each characteristic")
    func criteria() {
        let player = AVPlayer(queue: RenderQueue(route: SilentRoute()))
        let criteria = AVPlayerMediaSelectionCriteria(
            preferredLanguages: ["de"], preferredMediaCharacteristics: nil)
        player.setMediaSelectionCriteria(criteria, forMediaCharacteristic: .audible)
        #expect(player.mediaSelectionCriteria(forMediaCharacteristic: .audible) === criteria)
        #expect(player.mediaSelectionCriteria(forMediaCharacteristic: .legible) == nil)
        #expect(criteria.preferredLanguages == ["de"] && criteria.principalMediaCharacteristics == nil)
        player.setMediaSelectionCriteria(nil, forMediaCharacteristic: .audible)
        #expect(player.mediaSelectionCriteria(forMediaCharacteristic: .audible) == nil)
    }

    @Test("an item keeps its distance from live, as do its copies, and seeks to no date")
    func live() async throws {
        let item = AVPlayerItem(tuttiLocation: "/a.wav")
        #expect(!item.configuredTimeOffsetFromLive.isValid && !item.recommendedTimeOffsetFromLive.isValid)
        item.configuredTimeOffsetFromLive = CMTime(value: 6, timescale: 1)
        item.automaticallyPreservesTimeOffsetFromLive = true
        let copy = try #require(item.copy() as? AVPlayerItem)
        #expect(copy.configuredTimeOffsetFromLive.seconds == 6)
        #expect(copy.automaticallyPreservesTimeOffsetFromLive)
        #expect(!item.seek(to: Date(), completionHandler: nil))
        #expect(await item.seek(to: Date()) == false)
    }

    @Test("a transaction's completion block is called, as nothing is animated")
    func transaction() async {
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        CATransaction.setAnimationDuration(2)
        #expect(CATransaction.disableActions() && CATransaction.animationDuration() == 0)
        await withCheckedContinuation { done in
            CATransaction.setCompletionBlock { done.resume() }
            CATransaction.commit()
        }
    }
}
