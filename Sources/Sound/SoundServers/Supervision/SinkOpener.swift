import TuttiAudioOutput
import TuttiSystemIO

/// Makes an output in the server that this machine has.
enum SinkOpener {
    /// Prefix of an address that names a socket of PipeWire.
    private static let pipeWirePrefix = "pipewire:"
    /// Failed attempts after which a PipeWire counts that has no server for PulseAudio's clients: it may
    /// serve only video, and PulseAudio may still be starting.
    private static let patience = 3

    /// An output and the server that it is in.
    struct Opened: Sendable {
        var backend: any SinkBackend
        var server: String
    }

    /// Looks for a server and makes the output there. Blocks for some seconds at most.
    ///
    /// PipeWire answers PulseAudio's clients too, and then names itself: only its own interface tells the
    /// latency right there.
    static func open(
        _ configuration: SystemSinkConfiguration, latency: Duration, failures: Int, queue: SerialQueue,
        onReport: @escaping @Sendable (SinkReport) -> Void
    ) throws(SinkFailure) -> Opened {
        let address = configuration.server
        if let address, address.hasPrefix(pipeWirePrefix) {
            return try openPipeWire(
                configuration, latency, remote: String(address.dropFirst(pipeWirePrefix.count)), queue,
                onReport)
        }
        let identity: PulseIdentity
        do throws(OutputError) {
            identity = try PulseIdentity.ask(address)
        } catch {
            guard address == nil, failures >= patience else { throw SinkFailure(text: error.description) }
            return try openPipeWire(configuration, latency, remote: "", queue, onReport)
        }
        if identity.isPipeWire {
            return try openPipeWire(
                configuration, latency, remote: remote(besidePulse: address), queue, onReport)
        }
        let sink = try TunnelSink.open(
            configuration, latency: latency, server: address, queue: queue, onReport: onReport)
        return Opened(backend: sink, server: "PulseAudio \(identity.version)")
    }

    /// Returns the socket of the PipeWire whose server for PulseAudio's clients has an address: both are in
    /// the folder of one user. Empty for the user's own.
    static func remote(besidePulse address: String?) -> String {
        guard var path = address?[...] else { return "" }
        // PulseAudio's addresses may begin with the name of a machine.
        if path.first == "{", let end = path.firstIndex(of: "}") { path = path[path.index(after: end)...] }
        if path.hasPrefix("unix:") { path = path.dropFirst("unix:".count) }
        let suffix = "/pulse/native"
        guard path.hasPrefix("/"), path.hasSuffix(suffix) else { return "" }
        return path.dropLast(suffix.count) + "/pipewire-0"
    }

    private static func openPipeWire(
        _ configuration: SystemSinkConfiguration, _ latency: Duration, remote: String, _ queue: SerialQueue,
        _ onReport: @escaping @Sendable (SinkReport) -> Void
    ) throws(SinkFailure) -> Opened {
        let sink = try PipeWireSink.open(
            configuration, latency: latency, remote: remote, queue: queue, onReport: onReport)
        return Opened(backend: sink, server: "PipeWire \(sink.serverVersion)")
    }
}
