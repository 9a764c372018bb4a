import Playback
import Synchronization
import TuttiMediaTime
import TuttiPCM
import TuttiSoundServers
import TuttiSystemIO

/// A virtual output of the desktop as a source of live sound. Any thread.
final class DesktopSource: LiveSource {
    private struct State {
        var sink: SystemSink?
        var slider = SliderVolume()
        /// The latency with which the output begins; `nil` for the usual one.
        var latency: Duration?
    }

    private let configuration: SystemSinkConfiguration
    private let onState: @Sendable (String) -> Void
    private let onReady: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: The name for the sound server and its clients.
    ///   - title: The name that mixers show.
    ///   - onReady: Receives the name of the server that has the output now.
    ///   - onLost: Receives the reason why no server has it, in words for the user.
    init(
        name: String, title: String, server: String? = nil,
        onReady: @escaping @Sendable (String) -> Void = { _ in },
        onLost: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        var configuration = SystemSinkConfiguration(name: name, title: title)
        configuration.server = server
        (self.configuration, self.onReady, onState) = (configuration, onReady, onLost)
    }

    func open(
        _ player: LivePlayer, onVolume: @escaping @Sendable (Double) -> Void
    ) throws(RouteError) {
        var configuration = configuration
        if let latency = state.withLock({ $0.latency }) { configuration.latency = latency }
        let sink = SystemSink(configuration) { [weak self, weak player] event in
            guard let self else { return }
            switch event {
            case .sound(let buffer, let heardAt):
                guard var sound = LiveSound(buffer) else { return }
                // Silence instead of a volume of 0, which would lose the rooms' proportions.
                if state.withLock({ $0.slider.isMuted }) { sound.frames = sound.frames.map { _ in 0 } }
                player?.feed(sound, heardAt: heardAt)
            case .idle: break
            case .volume(let percent, let isMuted): volumeDidChange(percent, isMuted, onVolume)
            case .ready(let server): isReady(server)
            case .lost(let reason):
                state.withLock { $0.slider.didEnd() }
                onState(reason)
            }
        }
        state.withLock { $0.sink = sink }
    }

    private func isReady(_ server: String) {
        state.withLock { $0.slider.didBegin(at: SystemClock.now) }
        showVolume()
        onReady(server)
    }

    private func volumeDidChange(
        _ percent: Double, _ isMuted: Bool, _ onVolume: @Sendable (Double) -> Void
    ) {
        switch state.withLock({ $0.slider.take(percent, isMuted: isMuted, at: SystemClock.now) }) {
        case .none: break
        case .wish(let percent): onVolume(percent)
        case .correction: showVolume()
        }
    }

    private func showVolume() {
        let (sink, slider) = state.withLock { ($0.sink, $0.slider) }
        if let percent = slider.percent { sink?.setVolume(percent: percent, isMuted: slider.isMuted) }
    }

    func setLatency(_ seconds: Double) {
        state.withLock { $0.latency = .seconds(seconds) }
        sink?.setLatency(.seconds(seconds))
    }

    func setVolume(_ percent: Double) {
        state.withLock { $0.slider.set(percent) }
        showVolume()
    }

    func close() async {
        let sink = state.withLock { $0.sink.take() }
        await sink?.close()
    }

    private var sink: SystemSink? { state.withLock { $0.sink } }
}
