/// A virtual output in this machine's sound server, PulseAudio or PipeWire.
///
/// The desktop's mixer shows the output, and programs play to it. Its latency is told to the server, so that
/// a film player delays its pictures by it. Thread-safe.
package final class SystemSink: Sendable {
    private let keeper: SinkKeeper

    /// Adds the output as soon as a server is there; retries until ``close()``.
    ///
    /// - Parameter onEvent: Called in order on one serial queue; must not block.
    package init(
        _ configuration: SystemSinkConfiguration, onEvent: @escaping @Sendable (SystemSinkEvent) -> Void
    ) {
        keeper = SinkKeeper(configuration, onEvent: onEvent)
    }

    deinit { keeper.close {} }

    /// Changes the latency of sound that arrives from now on, and tells it to the server.
    package func setLatency(_ latency: Duration) { keeper.setLatency(latency) }

    /// Sets the volume that the desktop's mixer shows; the output gets it too when it is made again.
    ///
    /// - Parameter percent: 0 ... 100, on the scale of the mixer's slider; clamped.
    package func setVolume(percent: Double, isMuted: Bool) {
        keeper.setVolume(MixerVolume(percent: percent, isMuted: isMuted))
    }

    /// Removes the output from the server. No event follows the return.
    package func close() async {
        await withCheckedContinuation { continuation in keeper.close { continuation.resume() } }
    }
}
