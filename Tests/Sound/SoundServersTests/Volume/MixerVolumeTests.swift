import Testing

@testable import TuttiSoundServers

@Suite struct MixerVolumeTests {
    @Test("half of the slider is half of PulseAudio's scale and an eighth of the amplitude")
    func scales() {
        #expect(PulseLevels.level(percent: 50) == 32_768)
        #expect(AmplitudeLevels.level(percent: 50) == 0.125)
        #expect(PulseLevels.slider([32_768, 16_384]) == 50)
        #expect(abs((AmplitudeLevels.slider([0.125, 0.01]) ?? 0) - 50) < 1e-4)
    }

    @Test("a moved slider keeps the balance")
    func balance() {
        #expect(PulseLevels.levels(100, balancedLike: [32_768, 16_384]) == [65_536, 32_768])
        #expect(PulseLevels.levels(50, balancedLike: []) == [32_768, 32_768])
        #expect(PulseLevels.levels(50, balancedLike: [0, 0]) == [32_768, 32_768])
    }

    @Test(
        "levels of any value make a volume",
        arguments: [Float.nan, .infinity, -1, 0, 1e30, .leastNonzeroMagnitude])
    func hostile(level: Float) {
        let volume = MixerVolume(percent: AmplitudeLevels.slider([level]) ?? 0, isMuted: false)
        #expect((0...MixerVolume.limit).contains(volume.percent))
    }

    @Test("a volume that is no number is silence")
    func noNumber() {
        #expect(MixerVolume(percent: .nan, isMuted: false).percent == 0)
        #expect(PulseLevels.slider([]) == nil)
        #expect(PulseLevels.level(percent: 1e9) == PulseLevels.level(percent: MixerVolume.limit))
    }
}
