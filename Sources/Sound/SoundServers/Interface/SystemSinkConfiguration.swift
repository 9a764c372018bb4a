import TuttiMediaTime

/// The properties of a ``SystemSink``.
package struct SystemSinkConfiguration: Hashable, Sendable {
    /// The range of a sink's latency; others are clamped. The longest is that of the slowest speaker, 2.85 s, and a
    /// room's longest delay, 1 s.
    package static let latencies = Duration.milliseconds(100)...Duration.milliseconds(4000)

    /// The name by which the server and its clients remember the output, such as `tutti.kitchen`. Characters
    /// other than ASCII letters, digits, `.`, `_` and `-` become `_`.
    package var name: String
    /// The name that mixers show.
    package var title: String
    /// The name of an icon of the desktop's theme.
    package var icon: String
    /// The time from the arrival of a frame here to the moment when it is heard.
    package var latency: Duration
    /// The rate of the frames that arrive; the server resamples what its clients play at other rates.
    package var sampleRate: SampleRate
    /// The sound server's address like in `PULSE_SERVER`, or `pipewire:` and the name or path of a PipeWire
    /// socket; `nil` for the user's own server.
    package var server: String?

    /// Creates a configuration.
    package init(
        name: String, title: String, icon: String = "audio-speakers", latency: Duration = .milliseconds(500),
        sampleRate: SampleRate = .hz44100, server: String? = nil
    ) {
        self.name = name
        self.title = title
        self.icon = icon
        self.latency = latency
        self.sampleRate = sampleRate
        self.server = server
    }
}
