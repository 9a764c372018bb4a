import CTuttiPulse

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
    /// - Parameter address: An address like in `PULSE_SERVER`; `nil` for the user's own server.
    static func sinks(of address: String? = nil) throws(OutputError) -> [PulseSink] {
        let query = PulseQuery()
        try query.run(address, within: timeout)
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
    private(set) var sinks: [PulseSink] = []
    private var defaultName: String?
    private var isComplete = false

    func run(_ address: String?, within timeout: Duration) throws(OutputError) {
        let exchange = try PulseExchange(address, within: timeout)
        let this = Unmanaged.passUnretained(self).toOpaque()
        let server = pa_context_get_server_info(
            exchange.context, { _, info, this in PulseQuery.of(this)?.take(info) }, this)
        // Replies keep the order of the requests, so the end of this list ends the wait.
        let list = pa_context_get_sink_info_list(
            exchange.context, { _, info, end, this in PulseQuery.of(this)?.take(info, end: end) }, this)
        try exchange.finish([server, list]) { isComplete }
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
