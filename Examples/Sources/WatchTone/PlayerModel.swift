import AVFoundation

/// A model object of an app for Apple's platforms, unchanged for Linux: access-notes.yaml, written by
/// `access-notes`, removes its attributes.
@MainActor
final class PlayerModel: NSObject {
    @objc private(set) dynamic var isRendering = false
    @objc private(set) dynamic var secondsHeard = 0.0, secondsPaused = 0.0

    private let renderer: AVSampleBufferAudioRenderer
    private let synchronizer: AVSampleBufferRenderSynchronizer
    private var statusToken: NSKeyValueObservation?
    private var clockToken: Any?

    @objc(initWithRenderer:synchronizer:)
    init(renderer: AVSampleBufferAudioRenderer, synchronizer: AVSampleBufferRenderSynchronizer) {
        self.renderer = renderer
        self.synchronizer = synchronizer
        super.init()
        // Runs on the thread that changed the status.
        statusToken = renderer.observe(\.status, options: [.initial]) { [weak self] renderer, _ in
            let isRendering = renderer.status == .rendering
            Task { @MainActor in self?.isRendering = isRendering }
        }
        clockToken = synchronizer.addPeriodicTimeObserver(
            forInterval: CMTime(value: 1, timescale: 2), queue: .main
        ) { [weak self] time in
            MainActor.assumeIsolated { self?.secondsHeard = time.seconds }
        }
    }

    isolated deinit {
        if let clockToken { synchronizer.removeTimeObserver(clockToken) }
    }

    @objc func togglePlayback(_ sender: Any?) {
        synchronizer.rate = synchronizer.rate == 0 ? 1 : 0
    }
}
