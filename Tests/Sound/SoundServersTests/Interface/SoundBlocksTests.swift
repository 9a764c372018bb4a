import Testing
import TuttiMediaTime
import TuttiPCM

@testable import TuttiSoundServers

@Suite struct SoundBlocksTests {
    @Test("a long block becomes blocks of 20 ms, each with its own time")
    func cut() {
        let block = PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: (0..<4_000).map { Float($0) })
        let parts = SoundBlocks.parts(of: block, heardAt: HostTime(nanoseconds: 1_000))
        #expect(parts.map(\.0.frameCount) == [882, 882, 236])
        #expect(parts.map(\.1.nanoseconds) == [1_000, 20_001_000, 40_001_000])
        #expect(parts.flatMap(\.0.floatSamples) == block.floatSamples)
    }

    @Test("an empty block is no block")
    func empty() {
        let block = PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: [Float]())
        #expect(SoundBlocks.parts(of: block, heardAt: HostTime(nanoseconds: 0)).isEmpty)
    }
}
