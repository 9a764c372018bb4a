internal import CPulse
internal import Glibc
internal import MediaTime
internal import SystemIO

/// A sink of a sound server.
struct PulseSink: Hashable, Sendable {
    /// The sink's name, for `--output pulse:`.
    var name: String
    /// A description for the user.
    var description: String
    var hertz: Int
    var isDefault = false
}

/// Queries a sound server once, with a deadline.
enum PulseServer {
    /// Deadline of a query; a local server responds in milliseconds.
    static let timeout = Duration.seconds(2)
    /// Maximum number of sinks; a longer list is cut.
    static let sinkLimit = 256

    /// Returns all sinks, the default first.
    ///
    /// - Parameter address: an address like in `PULSE_SERVER`; `nil` for the user's own server.
    static func sinks(of address: String? = nil) throws(OutputError) -> [PulseSink] {
        let query = try PulseQuery()
        try query.run(address, until: SystemClock.now.advanced(by: timeout))
        return query.sinks.filter(\.isDefault) + query.sinks.filter { !$0.isDefault }
    }

    /// Returns the named sink, or the default sink for `nil`.
    static func sink(named name: String?, of address: String? = nil) throws(OutputError) -> PulseSink {
        let sinks = try sinks(of: address)
        if let found = name.map({ name in sinks.first { $0.name == name } }) ?? sinks.first { return found }
        throw OutputError(
            operation: "pa_context_get_sink_info_by_name", code: Int32(PA_ERR_NOENTITY.rawValue),
            description: name.map { "PulseAudio has no sink \($0); 'tutti outputs' lists the sinks" }
                ?? "PulseAudio has no sink")
    }
}

/// One query for the default sink and the list of sinks. Confined to one thread.
private final class PulseQuery {
    private let mainloop: OpaquePointer
    private let context: OpaquePointer
    private(set) var sinks: [PulseSink] = []
    private var defaultName: String?
    private var isComplete = false

    init() throws(OutputError) {
        guard let mainloop = pa_mainloop_new() else {
            throw .pulse("pa_mainloop_new", ENOMEM, "out of memory")
        }
        guard let context = pa_context_new(pa_mainloop_get_api(mainloop), "tutti") else {
            pa_mainloop_free(mainloop)
            throw .pulse("pa_context_new", ENOMEM, "out of memory")
        }
        self.mainloop = mainloop
        self.context = context
    }

    deinit {
        pa_context_disconnect(context)
        pa_context_unref(context)
        pa_mainloop_free(mainloop)
    }

    func run(_ address: String?, until deadline: HostTime) throws(OutputError) {
        guard pa_context_connect(context, address, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else { throw failure() }
        try wait(until: deadline) { pa_context_get_state(self.context) == PA_CONTEXT_READY }
        let this = Unmanaged.passUnretained(self).toOpaque()
        let server = pa_context_get_server_info(
            context, { _, info, this in PulseQuery.of(this)?.take(info) }, this)
        // Replies keep the order of the requests, so the end of this list ends the wait.
        let list = pa_context_get_sink_info_list(
            context, { _, info, end, this in PulseQuery.of(this)?.take(info, end: end) }, this)
        defer { for operation in [server, list] { operation.map { pa_operation_unref($0) } } }
        guard server != nil, list != nil else { throw failure() }
        try wait(until: deadline) { self.isComplete }
    }

    private static func of(_ this: UnsafeMutableRawPointer?) -> PulseQuery? {
        this.map { Unmanaged<PulseQuery>.fromOpaque($0).takeUnretainedValue() }
    }

    private func take(_ info: UnsafePointer<pa_server_info>?) {
        defaultName = info?.pointee.default_sink_name.map { String(cString: $0) }
    }

    private func take(_ info: UnsafePointer<pa_sink_info>?, end: Int32) {
        guard end == 0, let info = info?.pointee, let name = info.name else { return isComplete = true }
        guard sinks.count < PulseServer.sinkLimit else { return }
        let text = String(cString: name)
        sinks.append(
            PulseSink(
                name: text, description: info.description.map { String(cString: $0) } ?? text,
                hertz: Int(info.sample_spec.rate), isDefault: text == defaultName))
    }

    private func wait(until deadline: HostTime, for isDone: () -> Bool) throws(OutputError) {
        while !isDone() {
            let state = pa_context_get_state(context)
            guard state != PA_CONTEXT_FAILED, state != PA_CONTEXT_TERMINATED else { throw failure() }
            let rest = deadline.since(SystemClock.now)
            guard rest > .zero else { throw .pulse("pa_mainloop_poll", ETIMEDOUT, "it does not answer") }
            let microseconds = Int32(clamping: rest.wholeNanoseconds / 1_000)
            guard pa_mainloop_prepare(mainloop, microseconds) >= 0, pa_mainloop_poll(mainloop) >= 0,
                pa_mainloop_dispatch(mainloop) >= 0
            else { throw failure() }
        }
    }

    private func failure() -> OutputError { .pulse("pa_context_connect", of: context) }
}

extension OutputError {
    static func pulse(_ operation: String, _ code: Int32, _ text: String) -> OutputError {
        OutputError(operation: operation, code: code, description: "PulseAudio: \(text)")
    }

    /// Creates an error from a context's last error code.
    static func pulse(_ operation: String, of context: OpaquePointer) -> OutputError {
        let code = pa_context_errno(context)
        let text = pa_strerror(code).map { String(cString: $0) } ?? "error \(code)"
        let hint =
            code == Int32(PA_ERR_CONNECTIONREFUSED.rawValue)
            ? "; is a sound server running for this user? (pulseaudio --start)" : ""
        return .pulse(operation, code, text + hint)
    }
}
