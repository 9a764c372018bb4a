import Dispatch
import Foundation
import Playback
import Testing
import TuttiTestMedia
import TuttiTestSupport

@testable import AVFoundation

// In the Swift 6 language mode a closure written in main-actor code, for a parameter that is not Sendable, belongs to the
// main actor, and stops the process when it is called on another thread. So these tests end the process when they fail.

@Suite("Closures written on the main actor may be called from any thread")
@MainActor
struct MainActorClosuresTests {
    let renderer = AVSampleBufferAudioRenderer(queue: RenderQueue(route: SilentRoute()))
    let synchronizer = AVSampleBufferRenderSynchronizer()
    let queue = DispatchQueue(label: "not the main one")
    let notes = Recorder<Set<String>>([])

    init() { synchronizer.addRenderer(renderer) }

    /// Waits until all of these names were noted.
    private func noted(_ expected: Set<String>) async throws {
        _ = try await notes.wait(for: "\(expected)") { $0.isSuperset(of: expected) ? true : nil }
    }

    @Test("a request block and a flush handler")
    func data() async throws {
        let (renderer, notes) = (renderer, notes)
        renderer.requestMediaDataWhenReady(on: queue) {
            renderer.stopRequestingMediaData()
            notes.note("request")
        }
        try await noted(["request"])
        renderer.flush(fromSourceTime: .zero) { _ in notes.note("flush") }
        try await noted(["request", "flush"])
    }

    @Test("periodic and boundary observers, and a removal handler")
    func time() async throws {
        let (renderer, notes) = (renderer, notes)
        synchronizer.delaysRateChangeUntilHasSufficientMediaData = false
        let hour = CMTime(value: 3600, timescale: 1)
        let periodic = synchronizer.addPeriodicTimeObserver(forInterval: hour, queue: queue) { time in
            if time == .zero { notes.note("periodic") }
        }
        let boundary = synchronizer.addBoundaryTimeObserver(
            forTimes: [NSValue(time: CMTime(value: 1, timescale: 100))], queue: queue
        ) {
            notes.note("boundary")
        }
        synchronizer.setRate(1, time: .zero)
        try await noted(["boundary", "periodic"])
        synchronizer.removeTimeObserver(periodic)
        synchronizer.removeTimeObserver(boundary)
        let soon = synchronizer.currentTime() + CMTime(value: 1, timescale: 1000)
        synchronizer.removeRenderer(renderer, at: soon) { isDone in
            notes.note("removed \(isDone)")
        }
        try await noted(["removed true"])
    }

    @Test("handlers of key-value observing and of our notifications")
    func observing() async throws {
        let (renderer, synchronizer, notes) = (renderer, synchronizer, notes)
        let observation = renderer.observe(\.status, options: [.new]) { renderer, _ in
            notes.note("status \(renderer.status == .rendering)")
        }
        let token = NotificationCenter.default.addObserver(
            forName: AVSampleBufferRenderSynchronizer.rateDidChangeNotification, object: synchronizer,
            queue: nil
        ) { _ in
            notes.note("rate")
        }
        let buffer = try SilentSound.buffer(second: 0)
        queue.async {
            renderer.enqueue(buffer)
            synchronizer.rate = 1
        }
        try await noted(["status true", "rate"])
        observation.invalidate()
        NotificationCenter.default.removeObserver(token)
    }

    @Test("completion handlers of asset, track and metadata loads")
    func loads() async throws {
        let folder = try TestFolder()
        try MediaFile.kind("a.wav").write(Signal.sweep(frameCount: 1000), to: folder.file("a.wav"))
        let (asset, notes) = (AVURLAsset(url: URL(fileURLWithPath: folder.file("a.wav"))), notes)
        asset.loadTracks(withMediaType: .audio) { tracks, _ in
            notes.note("tracks \(tracks?.count ?? 0)")
        }
        asset.loadMetadata(for: .iTunesMetadata) { _, error in
            notes.note("metadata \(error == nil)")
        }
        asset.loadValuesAsynchronously(forKeys: ["duration"]) { notes.note("values") }
        try await noted(["tracks 1", "metadata true", "values"])
        // The async forms return to the main actor.
        let duration = try await asset.load(.duration)
        MainActor.assertIsolated()
        #expect(duration.seconds > 0)
    }

    @Test("completion handlers of the session")
    func session() async throws {
        let (session, notes) = (AVAudioSession(catalogue: RouteCatalogue()), notes)
        session.activate { isActive, _ in notes.note("active \(isActive)") }
        session.prepareRouteSelectionForPlayback { isReady, _ in
            notes.note("route \(isReady)")
        }
        try await noted(["active true", "route true"])
    }
}

extension Recorder<Set<String>> {
    fileprivate func note(_ text: String) { update { _ = $0.insert(text) } }
}
