import CTuttiPulse
import Glibc
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// The connection of one ``PulseOutput``, run by the library's own thread.
final class PulseSession: @unchecked Sendable {
    // Safe to share: mutable state is accessed only with the main loop's lock, which the library holds during
    // callbacks and `begin` and `end` acquire. The loop's thread has ended after `end`.

    /// Seconds between attempts to reconnect.
    private static let retrySeconds = 1
    private static let priority: Int32 = 20
    /// Interval between two requests for the stream's times.
    private static let timesInterval = Duration.milliseconds(100)

    private let sink: String?
    private let server: String?
    private let format: PCMFormat
    private let source: any RenderSource
    private let reporter: StateReporter

    private let mainloop: OpaquePointer
    private let api: UnsafeMutablePointer<pa_mainloop_api>
    private var context: OpaquePointer?
    private var stream: OpaquePointer?
    private var retry: OpaquePointer?
    private var isLost = false
    private var askedAt = HostTime(nanoseconds: 0)
    private var feeder: PulseFeeder

    init(
        sink: String?, server: String?, format: PCMFormat, periodFrames: Int, source: any RenderSource
    ) throws(OutputError) {
        guard let mainloop = pa_threaded_mainloop_new() else {
            throw .pulse("pa_threaded_mainloop_new", ENOMEM, "out of memory")
        }
        guard let api = pa_threaded_mainloop_get_api(mainloop) else {
            pa_threaded_mainloop_free(mainloop)
            throw .pulse("pa_threaded_mainloop_get_api", ENOMEM, "out of memory")
        }
        self.sink = sink
        self.server = server
        self.format = format
        self.source = source
        self.mainloop = mainloop
        self.api = api
        reporter = StateReporter(source: source, machine: SystemMachine())
        feeder = PulseFeeder(format: format, periodFrames: periodFrames)
    }

    deinit { pa_threaded_mainloop_free(mainloop) }

    func begin() throws(OutputError) {
        pa_threaded_mainloop_set_name(mainloop, "output.pulse")
        guard pa_threaded_mainloop_start(mainloop) >= 0 else {
            throw .pulse("pa_threaded_mainloop_start", EAGAIN, "the system has no thread for the output")
        }
        pa_threaded_mainloop_lock(mainloop)
        connect()
        pa_threaded_mainloop_unlock(mainloop)
    }

    /// Ends the connection; no render call follows. Call once.
    func end() {
        reporter.end()
        pa_threaded_mainloop_lock(mainloop)
        cancelRetry()
        disconnect()
        pa_threaded_mainloop_unlock(mainloop)
        pa_threaded_mainloop_stop(mainloop)
    }

    // MARK: On the loop's thread, or with its lock

    private var this: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func of(_ this: UnsafeMutableRawPointer?) -> PulseSession? {
        this.map { Unmanaged<PulseSession>.fromOpaque($0).takeUnretainedValue() }
    }

    private func connect() {
        guard let context = pa_context_new(api, "tutti") else { return lose("out of memory") }
        self.context = context
        pa_context_set_state_callback(context, { _, this in PulseSession.of(this)?.contextChanged() }, this)
        if pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { lose(because: context) }
    }

    private func disconnect() {
        if let stream {
            pa_stream_set_state_callback(stream, nil, nil)
            pa_stream_set_write_callback(stream, nil, nil)
            pa_stream_set_latency_update_callback(stream, nil, nil)
            pa_stream_set_underflow_callback(stream, nil, nil)
            pa_stream_set_moved_callback(stream, nil, nil)
            pa_stream_set_suspended_callback(stream, nil, nil)
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
        }
        stream = nil
        if let context {
            pa_context_set_state_callback(context, nil, nil)
            pa_context_disconnect(context)
            pa_context_unref(context)
        }
        context = nil
    }

    private func contextChanged() {
        guard let context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY:
            RealtimeThread.raiseCurrent(to: Self.priority)
            openStream(in: context)
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: lose(because: context)
        default: break
        }
    }

    private func openStream(in context: OpaquePointer) {
        var sample = pa_sample_spec(
            format: PA_SAMPLE_FLOAT32LE, rate: UInt32(format.sampleRate.hertz),
            channels: UInt8(format.channelCount))
        guard let stream = pa_stream_new(context, "tutti", &sample, nil) else {
            return lose(because: context)
        }
        self.stream = stream
        feeder.begin()
        pa_stream_set_state_callback(stream, { _, this in PulseSession.of(this)?.streamChanged() }, this)
        pa_stream_set_write_callback(stream, { _, count, this in PulseSession.of(this)?.feed(count) }, this)
        pa_stream_set_latency_update_callback(
            stream, { _, this in PulseSession.of(this)?.observe() }, this)
        pa_stream_set_underflow_callback(stream, { _, this in PulseSession.of(this)?.feeder.reset() }, this)
        pa_stream_set_moved_callback(stream, { _, this in PulseSession.of(this)?.feeder.reset() }, this)
        pa_stream_set_suspended_callback(stream, { _, this in PulseSession.of(this)?.feeder.reset() }, this)
        var buffer = feeder.bufferAttributes
        let flags = pa_stream_flags_t(
            PA_STREAM_AUTO_TIMING_UPDATE.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue)
        if pa_stream_connect_playback(stream, sink, &buffer, flags, nil, nil) < 0 { lose(because: context) }
    }

    private func streamChanged() {
        guard let stream, let context else { return }
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY:
            if isLost { reporter.report(.running) }
            isLost = false
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED: lose(because: context)
        default: break
        }
    }

    private func feed(_ byteCount: Int) {
        guard let stream else { return }
        feeder.feed(stream, byteCount: byteCount, source: source)
        askForTimes(of: stream)
    }

    private func observe() {
        if let stream { feeder.observe(stream) }
    }

    /// Asks for a snapshot more often than the library does by itself, which is every 1.5 s in the long run.
    private func askForTimes(of stream: OpaquePointer) {
        let now = SystemClock.now
        guard now.since(askedAt) >= Self.timesInterval else { return }
        askedAt = now
        if let operation = pa_stream_update_timing_info(stream, nil, nil) { pa_operation_unref(operation) }
    }

    private func lose(because context: OpaquePointer) {
        lose(OutputError.pulse("", of: context).description)
    }

    /// Reports the loss, and schedules a retry in a second, after the current callback.
    private func lose(_ reason: String) {
        if !isLost { reporter.report(.lost(reason: reason)) }
        isLost = true
        guard retry == nil else { return }
        var time = timeval()
        gettimeofday(&time, nil)
        time.tv_sec += Self.retrySeconds
        retry = api.pointee.time_new(
            api, &time, { _, _, _, this in PulseSession.of(this)?.tryAgain() }, this)
    }

    private func tryAgain() {
        cancelRetry()
        disconnect()
        connect()
    }

    private func cancelRetry() {
        if let retry { api.pointee.time_free(retry) }
        retry = nil
    }
}
