import Testing

@testable import TuttiSoundServers

@Suite struct KeptVolumeTests {
    private func volume(_ percent: Double) -> MixerVolume { MixerVolume(percent: percent, isMuted: false) }

    @Test("the memory of a server that started again does not replace a volume that is known")
    func restart() {
        var kept = KeptVolume()
        kept.set(volume(30))
        let isTaken = kept.take(volume(100), isReady: false)
        #expect(!isTaken && kept.wanted == volume(30))
        // The output shows ours, which is no change.
        let isEcho = kept.take(volume(30), isReady: true)
        #expect(!isEcho)
        let isMoved = kept.take(volume(35), isReady: true)
        #expect(isMoved && kept.wanted == volume(35))
    }

    @Test("the memory of a server counts as long as no volume is known")
    func first() {
        var kept = KeptVolume()
        let isTaken = kept.take(volume(80), isReady: false)
        #expect(isTaken && kept.wanted == volume(80))
    }
}
