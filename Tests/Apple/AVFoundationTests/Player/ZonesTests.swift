import AVFoundation
import Foundation
import Playback
import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia
import TuttiTestSupport

/// Zones as a program has them: by public names alone.
@Suite("Several zones in one program", .timeLimit(.minutes(10)), .tags(.machine))
struct ZonesTests {
    /// A selection of outputs, its player, and the file that has the sound of its output.
    private struct Zone {
        let routes: RouteCatalogue
        let player: AVPlayer
        let heard: String
    }

    private let folder: TestFolder
    private let program = RouteCatalogue()

    init() throws { folder = try TestFolder() }

    /// Makes a zone that plays samples of one level, for longer than the test takes.
    ///
    /// - Parameter output: The name of the file that has the sound of its output.
    private func zone(_ name: String, level: Float, on output: String) throws -> Zone {
        let (source, heard) = (folder.file("\(name).wav"), folder.file(output))
        let samples = [Float](repeating: level, count: 2 * 44_100 * 30)
        try MediaFile.kind("a.wav").write(
            PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: samples), to: source)
        let routes = program.makeSelection()
        routes.setLocalOutput(try OutputSpecification(parsing: "wave:\(heard)"))
        let player = AVPlayer(tuttiRoutes: routes)
        player.replaceCurrentItem(with: AVPlayerItem(url: URL(fileURLWithPath: source)))
        return Zone(routes: routes, player: player, heard: heard)
    }

    /// Lets a zone play, and waits until it has played for a time from now on.
    private func play(_ zone: Zone, for seconds: Double = 0.2) async throws {
        let isHeard = Recorder(false)
        let token = zone.player.addBoundaryTimeObserver(
            forTimes: [
                NSValue(time: zone.player.currentTime() + CMTime(seconds: seconds, preferredTimescale: 1000))
            ], queue: .global()
        ) { isHeard.update { $0 = true } }
        zone.player.play()
        _ = try await isHeard.wait(for: "the sound of \(zone.heard)") { $0 ? true : nil }
        zone.player.removeTimeObserver(token)
    }

    /// Returns the levels of a file's samples.
    private func samples(of path: String) throws -> [Float] {
        var converter = SampleConverter(to: .float32)
        return converter.convert(try DecodedRun(path: path).buffer).floatSamples.map(abs)
    }

    /// Returns the level of the loudest sample in a file.
    private func level(of path: String) throws -> Float { try samples(of: path).max() ?? 0 }

    @Test("two zones play different files at the same time, each on its own output")
    func atOnce() async throws {
        let (kitchen, bath) = (
            try zone("kitchen", level: 0.2, on: "a.wav"), try zone("bath", level: 0.6, on: "b.wav")
        )
        try await play(kitchen)
        try await play(bath)
        #expect(kitchen.player.timeControlStatus == .playing && bath.player.timeControlStatus == .playing)
        kitchen.player.pause()
        #expect(kitchen.player.timeControlStatus == .paused && bath.player.timeControlStatus == .playing)
        await kitchen.routes.deselect()
        await bath.routes.deselect()
        // A mix of both would be louder than either.
        let (quiet, loud) = (try level(of: kitchen.heard), try level(of: bath.heard))
        #expect(quiet > 0.15 && quiet < 0.3)
        #expect(loud > 0.5 && loud < 0.7)
    }

    @Test("two zones on one output are heard together, and the end of one leaves the other playing")
    func oneOutput() async throws {
        let (kitchen, bath) = (
            try zone("kitchen", level: 0.2, on: "both.wav"), try zone("bath", level: 0.6, on: "both.wav")
        )
        try await play(kitchen)
        try await play(bath)
        await bath.routes.deselect()
        try await play(kitchen, for: 1)
        #expect(kitchen.player.timeControlStatus == .playing)
        await kitchen.routes.deselect()
        let heard = try samples(of: kitchen.heard)
        let (both, alone) = (heard.max() ?? 0, heard.suffix(8820).max() ?? 0)
        #expect(both > 0.75 && both < 0.95)
        #expect(alone > 0.15 && alone < 0.3)
    }
}
