import Foundation
import Observation
import Testing
import TuttiKeyValueObserving
import TuttiTestMedia
import TuttiTestSupport

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

    @Test("a view that read a property is notified once when it changes")
    func told() {
        let player = player(tracksReads: true)
        let (rate, volume) = (changes { _ = player.rate }, changes { _ = player.volume })
        player.play()
        player.pause()
        #expect(rate.value == 1 && volume.value == 0)
        player.volume = 0.5
        #expect(volume.value == 1)
    }

    @Test("without opting in nothing is tracked")
    func off() {
        let player = player(tracksReads: false)
        let rate = changes { _ = player.rate }
        player.play()
        #expect(rate.value == 0)
    }

    @Test("a change of the current item is reported")
    func currentItem() {
        let player = player(tracksReads: true)
        let count = changes { _ = player.currentItem }
        player.insert(AVPlayerItem(url: URL(fileURLWithPath: "/none.wav")), after: nil)
        #expect(count.value == 1)
    }
}
