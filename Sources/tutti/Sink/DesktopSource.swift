import Playback
import Synchronization
import TuttiMediaTime
import TuttiPCM
import TuttiSoundServers
import TuttiSystemIO

/// A virtual output of the desktop as a source of live sound. Any thread.
final class DesktopSource: LiveSource {
    /// The time after the output's beginning in which its volume is the server's memory, and no wish of a
    /// user.
    private static let settling = Duration.seconds(1)

    private struct State {
        var sink: SystemSink?
        var volume: Double?
        var isMuted = false
        var readyAt: HostTime?
        /// The latency with which the output begins; `nil` for the usual one.
        var latency: Duration?
    }

    private let configuration: SystemSinkConfiguration
    private let onState: @Sendable (String) -> Void
    private let onReady: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: the name for the sound server and its clients.
    ///   - title: the name that mixers show.
    ///   - onReady: receives the name of the server that has the output now.
    ///   - onLost: receives the reason why no server has it, in words for the user.
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
                // Silence in place of a volume of 0, which would lose the rooms' proportions.
                if state.withLock({ $0.isMuted }) { sound.frames = sound.frames.map { _ in 0 } }
                player?.feed(sound, heardAt: heardAt)
            case .idle: break
            case .volume(let percent, let isMuted): volumeDidChange(percent, isMuted, onVolume)
            case .ready(let server): isReady(server)
            case .lost(let reason):
                // Another server's memory is no wish of a user either.
                state.withLock { $0.readyAt = nil }
                onState(reason)
            }
        }
        state.withLock { $0.sink = sink }
    }

    private func isReady(_ server: String) {
        let (sink, volume, isMuted) = state.withLock { state in
            state.readyAt = SystemClock.now
            return (state.sink, state.volume, state.isMuted)
        }
        if let volume { sink?.setVolume(percent: volume, isMuted: isMuted) }
        onReady(server)
    }

    private func volumeDidChange(
        _ percent: Double, _ isMuted: Bool, _ onVolume: @Sendable (Double) -> Void
    ) {
        let percent = max(0, min(100, percent))
        let isNew = state.withLock { state in
            state.isMuted = isMuted
            // A slider that was told no volume shows the server's, from which a step may lead anywhere.
            guard let ready = state.readyAt, SystemClock.now.since(ready) > Self.settling,
                let shown = state.volume, abs(percent - shown) > 0.5
            else { return false }
            state.volume = percent
            return true
        }
        if isNew { onVolume(percent) }
    }

    func setLatency(_ seconds: Double) {
        state.withLock { $0.latency = .seconds(seconds) }
        sink?.setLatency(.seconds(seconds))
    }

    func setVolume(_ percent: Double) {
        let (sink, isMuted) = state.withLock { state in
            state.volume = percent
            return (state.sink, state.isMuted)
        }
        sink?.setVolume(percent: percent, isMuted: isMuted)
    }

    func close() async {
        let sink = state.withLock { $0.sink.take() }
        await sink?.close()
    }

    private var sink: SystemSink? { state.withLock { $0.sink } }
}
