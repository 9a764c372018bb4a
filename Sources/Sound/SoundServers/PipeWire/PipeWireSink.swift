import CTuttiPipeWire
import Glibc
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// An output in PipeWire: a stream that presents itself as a sink. It goes when its connection ends, however
/// this program ends.
final class PipeWireSink: SinkBackend, @unchecked Sendable {
    // Safe to share: the loop's lock guards the mutable state; the library holds it during callbacks on the
    // loop's thread. The data thread uses the ring, and the stream and the event, which exist while the
    // stream is connected. After `close` no thread runs.

    /// Time within which a server answers the connection.
    private static let answerSeconds: Int32 = 2
    /// Longest cycle that this output asks for: 11 ms.
    static let cycle = "512/48000"
    /// Room for a parameter.
    static let parameterSize: UInt32 = 1024
    static let channelLimit = 64
    static let priority: Int32 = 20
    /// libpipewire's global state.
    private static let library: Void = {
        pw_init(nil, nil)
        // Failures are reported here; the library would write to standard error.
        pw_log_set_level(SPA_LOG_LEVEL_NONE)
    }()

    let configuration: SystemSinkConfiguration
    private let queue: SerialQueue
    private let onReport: @Sendable (SinkReport) -> Void

    let loop: OpaquePointer
    var context: OpaquePointer?
    var core: OpaquePointer?
    var stream: OpaquePointer?
    var event: UnsafeMutablePointer<spa_source>?
    private let listeners = PipeWireListeners()
    let ring = CycleRing()
    var isPriorityRaised = false

    var timeline: CycleTimeline
    var levels: [Float] = []
    var isMuted = false
    var wantedVolume: MixerVolume?
    var hasOpened = false
    var isStreaming = false
    private var isClosed = false

    /// The version of the server.
    var serverVersion = ""

    /// Makes the output. Blocks for two seconds at most; not on the queue.
    ///
    /// - Parameters:
    ///   - remote: The name or path of PipeWire's socket; empty for the user's own.
    ///   - queue: The sink's serial queue.
    static func open(
        _ configuration: SystemSinkConfiguration, latency: Duration, remote: String, queue: SerialQueue,
        onReport: @escaping @Sendable (SinkReport) -> Void
    ) throws(SinkFailure) -> PipeWireSink {
        _ = library
        guard let loop = pw_thread_loop_new("tutti-pipewire", nil) else {
            throw SinkFailure(text: "PipeWire: the system has no thread for it.")
        }
        let sink = PipeWireSink(configuration, latency: latency, loop: loop, queue: queue, onReport: onReport)
        do throws(SinkFailure) {
            try sink.connect(to: remote)
            return sink
        } catch {
            sink.close()
            throw error
        }
    }

    private init(
        _ configuration: SystemSinkConfiguration, latency: Duration, loop: OpaquePointer,
        queue: SerialQueue,
        onReport: @escaping @Sendable (SinkReport) -> Void
    ) {
        (self.configuration, self.loop, self.queue, self.onReport) = (configuration, loop, queue, onReport)
        timeline = CycleTimeline(rate: configuration.sampleRate, latency: latency)
    }

    deinit {
        close()
        pw_thread_loop_destroy(loop)
    }

    func setLatency(_ latency: Duration) {
        locked {
            timeline.latency = latency
            tellLatency()
        }
    }

    func setVolume(_ volume: MixerVolume) {
        locked {
            wantedVolume = volume
            applyVolume()
        }
    }

    func close() {
        pw_thread_loop_lock(loop)
        let isFirst = !isClosed
        isClosed = true
        if isFirst {
            listeners.remove()
            if let stream { pw_stream_destroy(stream) }
            if let event { shim_remove_source(pw_thread_loop_get_loop(loop), event) }
            if let core { pw_core_disconnect(core) }
            if let context { pw_context_destroy(context) }
            (stream, event, core, context) = (nil, nil, nil, nil)
        }
        pw_thread_loop_unlock(loop)
        guard isFirst else { return }
        pw_thread_loop_stop(loop)
    }

    // MARK: With the loop's lock

    /// Runs `body` with the loop's lock, unless the output is closed.
    private func locked<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) {
        pw_thread_loop_lock(loop)
        defer { pw_thread_loop_unlock(loop) }
        if !isClosed { try body() }
    }

    private func connect(to remote: String) throws(SinkFailure) {
        guard pw_thread_loop_start(loop) >= 0 else {
            throw SinkFailure(text: "PipeWire: the system has no thread for it.")
        }
        try locked { () throws(SinkFailure) in
            guard let context = pw_context_new(pw_thread_loop_get_loop(loop), nil, 0) else {
                throw SinkFailure(
                    text:
                        "PipeWire's library does not start; is the package libpipewire-0.3-modules installed?"
                )
            }
            self.context = context
            let properties = remote.isEmpty ? nil : Self.properties([("remote.name", remote)])
            guard let core = pw_context_connect(context, properties, 0) else {
                throw SinkFailure(text: "PipeWire does not answer: \(String(cString: strerror(errno))).")
            }
            self.core = core
            listeners.listen(toCore: core, for: self)
            while serverVersion.isEmpty {
                guard pw_thread_loop_timed_wait(loop, Self.answerSeconds) == 0 else {
                    throw SinkFailure(text: "PipeWire does not answer.")
                }
            }
            try makeStream(in: core)
        }
    }

    private func makeStream(in core: OpaquePointer) throws(SinkFailure) {
        event = shim_add_event(
            pw_thread_loop_get_loop(loop), { data, _ in PipeWireSink.of(data)?.drain() }, this)
        let name = ModuleArguments.identifier(configuration.name)
        let properties = Self.properties([
            ("media.type", "Audio"), ("media.class", "Audio/Sink"),
            ("node.name", name),
            ("node.description", ModuleArguments.printable(configuration.title)),
            ("node.nick", ModuleArguments.printable(configuration.title)),
            ("device.icon-name", ModuleArguments.printable(configuration.icon)),
            ("node.latency", Self.cycle), ("node.network", "true"),
            ("node.rate", "1/\(configuration.sampleRate.hertz)"),
        ])
        // Session managers remember the volume by the stream's name (`media.name`).
        guard let stream = pw_stream_new(core, name, properties) else {
            throw SinkFailure(text: "PipeWire created no output: \(String(cString: strerror(errno))).")
        }
        self.stream = stream
        listeners.listen(toStream: stream, for: self)
        let result = Self.withParameterMemory { memory in
            let format = shim_stereo_format(
                memory, Self.parameterSize, UInt32(clamping: configuration.sampleRate.hertz))
            return shim_connect_sink(stream, format)
        }
        guard result >= 0 else {
            throw SinkFailure(text: "PipeWire created no output: \(String(cString: strerror(-result))).")
        }
    }

    var this: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func of(_ this: UnsafeMutableRawPointer?) -> PipeWireSink? {
        this.map { Unmanaged<PipeWireSink>.fromOpaque($0).takeUnretainedValue() }
    }

    static func withParameterMemory<Result>(_ body: (UnsafeMutableRawPointer?) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: Int(parameterSize), alignment: 8) { body($0.baseAddress) }
    }

    /// Returns properties that the library's next call takes over.
    private static func properties(_ pairs: [(String, String)]) -> UnsafeMutablePointer<pw_properties>? {
        guard let properties = pw_properties_new_string("") else { return nil }
        for (key, value) in pairs { pw_properties_set(properties, key, value) }
        return properties
    }

    func report(_ report: SinkReport) { queue.async { [onReport] in onReport(report) } }
}
