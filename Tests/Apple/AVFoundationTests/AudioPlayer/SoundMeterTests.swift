import Foundation
import Testing

@testable import AVFoundation
@testable import Playback

@Suite("Levels of an audio player", .timeLimit(.minutes(5)))
struct SoundMeterTests {
    /// A wave file of a second at 8000 Hz: 0.5 and -0.5 in turn at the left, silence at the right.
    private static var wave: [UInt8] {
        func word(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let data = (0..<8000).flatMap { word($0 % 2 == 0 ? 16_384 : -16_384, 2) + word(0, 2) }
        let format = word(1, 2) + word(2, 2) + word(8000, 4) + word(32_000, 4) + word(4, 2) + word(16, 2)
        let content =
            Array("WAVEfmt ".utf8) + word(16, 4) + format + Array("data".utf8) + word(data.count, 4) + data
        return Array("RIFF".utf8) + word(content.count, 4) + content
    }

    @Test("the levels are those of the sound at the playhead, and of silence otherwise")
    func levels() async throws {
        let stage = try AudioPlayerStage(Self.wave)
        let player = stage.player
        player.play()
        await stage.pass(0.3)
        player.updateMeters()
        #expect(player.averagePower(forChannel: 0) == -160)
        player.isMeteringEnabled = true
        player.updateMeters()
        #expect(abs(player.averagePower(forChannel: 0) + 6.0206) < 0.001)
        #expect(abs(player.peakPower(forChannel: 0) + 6.0206) < 0.001)
        #expect(player.averagePower(forChannel: 1) == -160 && player.peakPower(forChannel: 1) == -160)
        #expect(player.averagePower(forChannel: 2) == -160 && player.peakPower(forChannel: -1) == -160)
        await stage.pass(0.1)
        player.updateMeters()
        #expect(abs(player.averagePower(forChannel: 0) + 6.0206) < 0.001)
        player.stop()
        player.updateMeters()
        #expect(player.averagePower(forChannel: 0) == -160)
    }

    @Test(
        "amplitudes become decibels, no less than those of silence",
        arguments: [(1, 0), (0.1, -20), (0, -160), (1e-30, -160), (2, 6.0206)] as [(Float, Float)])
    func decibels(amplitude: Float, level: Float) {
        #expect(abs(SoundLevels.decibels(amplitude) - level) < 0.001)
    }
}
