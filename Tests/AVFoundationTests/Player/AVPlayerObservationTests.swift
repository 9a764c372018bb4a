import Foundation
import KeyValueObserving
import Observation
import TestMedia
import TestSupport
import Testing

@testable import AVFoundation
@testable import Playback

@Suite("Players and Swift's Observation")
struct AVPlayerObservationTests {
    private func player(tracksReads: Bool) -> AVQueuePlayer {
        AVQueuePlayer(
            queue: RenderQueue(route: SilentRoute()),
            observations: PropertyObservations(tracksReads: tracksReads))
    }

    private func changes(_ read: () -> Void) -> Recorder<Int> {
        let count = Recorder(0)
        withObservationTracking(read) { count.update { $0 += 1 } }
        return count
    }

    @Test("what a view has read of a player is told when it changes, once")
    func told() {
        let player = player(tracksReads: true)
        let (rate, volume) = (changes { _ = player.rate }, changes { _ = player.volume })
        player.play()
        player.pause()
        #expect(rate.value == 1 && volume.value == 0)
        player.volume = 0.5
        #expect(volume.value == 1)
    }

    @Test("nothing is told where it was not chosen")
    func off() {
        let player = player(tracksReads: false)
        let rate = changes { _ = player.rate }
        player.play()
        #expect(rate.value == 0)
    }

    @Test("the current item is told when it is another one")
    func currentItem() {
        let player = player(tracksReads: true)
        let count = changes { _ = player.currentItem }
        player.insert(AVPlayerItem(url: URL(fileURLWithPath: "/none.wav")), after: nil)
        #expect(count.value == 1)
    }
}
