import CTuttiPulse

/// The name and version that a server with PulseAudio's protocol reports.
package struct PulseIdentity: Hashable, Sendable {
    /// The name, such as `pulseaudio` or `PulseAudio (on PipeWire 1.4.2)`.
    package var name: String
    /// The version, such as `16.1`.
    package var version: String

    /// Whether the server is PipeWire.
    package var isPipeWire: Bool { name.contains("PipeWire") }

    /// Asks a server for its name. Blocks for two seconds at most.
    ///
    /// - Parameter address: An address like in `PULSE_SERVER`; `nil` for the user's own server.
    /// - Throws: An error if no server answers.
    package static func ask(_ address: String?) throws(OutputError) -> PulseIdentity {
        let request = ModuleRequest()
        try request.identify(address)
        guard let identity = request.identity else {
            throw .pulse("pa_context_get_server_info", Int32(PA_ERR_NODATA.rawValue), "it has no name")
        }
        return identity
    }
}

/// A module that this program loaded into a sound server, and the sink that the module made.
package struct PulseModule: Hashable, Sendable {
    /// The sink's volume of each channel, on the scale of a mixer's slider; 65,536 is full volume.
    package var volumes: [UInt32]
    /// Whether the sink is muted.
    package var isMuted: Bool

    /// Loads a module that makes a sink. Blocks for two seconds at most.
    ///
    /// - Parameter address: An address like in `PULSE_SERVER`; `nil` for the user's own server.
    /// - Throws: An error if the server does not load the module, or if the module made no sink.
    package static func load(
        _ name: String, arguments: String, into address: String?
    ) throws(OutputError) -> PulseModule {
        let request = ModuleRequest()
        try request.load(name, arguments: arguments, into: address)
        guard let sink = request.sink else {
            throw .pulse(
                "pa_context_load_module", Int32(PA_ERR_NOENTITY.rawValue), "\(name) made no output")
        }
        return sink
    }
}

/// The questions about a module, and the answers. Confined to one thread.
private final class ModuleRequest {
    private(set) var identity: PulseIdentity?
    private(set) var sink: PulseModule?
    private var module: UInt32?
    private var isComplete = false
    private var areSinksStale = false

    func identify(_ address: String?) throws(OutputError) {
        let exchange = try PulseExchange(address, within: PulseServer.timeout)
        let operation = pa_context_get_server_info(
            exchange.context, { _, info, this in ModuleRequest.of(this)?.take(info) }, this)
        try exchange.finish([operation]) { isComplete }
    }

    func load(_ name: String, arguments: String, into address: String?) throws(OutputError) {
        let exchange = try PulseExchange(address, within: PulseServer.timeout)
        pa_context_set_subscribe_callback(
            exchange.context, { _, _, _, this in ModuleRequest.of(this)?.areSinksStale = true }, this)
        let listening = pa_context_subscribe(exchange.context, PA_SUBSCRIPTION_MASK_SINK, nil, nil)
        let loading = pa_context_load_module(
            exchange.context, name, arguments, { _, index, this in ModuleRequest.of(this)?.take(index) }, this
        )
        try exchange.finish([listening, loading]) { module != nil }
        // `PA_INVALID_INDEX`: the server did not load the module.
        guard module != .max else {
            throw .pulse("pa_context_load_module", of: exchange.context)
        }
        // *Observed* (PulseAudio 16.1): a tunnel's sink may come after the answer that the tunnel is loaded.
        while sink == nil {
            (areSinksStale, isComplete) = (false, false)
            let list = pa_context_get_sink_info_list(
                exchange.context, { _, info, end, this in ModuleRequest.of(this)?.take(info, end: end) }, this
            )
            try exchange.finish([list]) { isComplete }
            guard try exchange.poll(until: { sink != nil || areSinksStale }) else { return }
        }
    }

    private var this: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func of(_ this: UnsafeMutableRawPointer?) -> ModuleRequest? {
        this.map { Unmanaged<ModuleRequest>.fromOpaque($0).takeUnretainedValue() }
    }

    private func take(_ info: UnsafePointer<pa_server_info>?) {
        isComplete = true
        guard let info = info?.pointee else { return }
        identity = PulseIdentity(
            name: info.server_name.map { String(cString: $0) } ?? "",
            version: info.server_version.map { String(cString: $0) } ?? "")
    }

    private func take(_ index: UInt32) { module = index }

    private func take(_ info: UnsafePointer<pa_sink_info>?, end: Int32) {
        guard end == 0, let info = info?.pointee else { return isComplete = true }
        guard info.owner_module == module else { return }
        let volumes = withUnsafeBytes(of: info.volume.values) { raw in
            Array(raw.bindMemory(to: UInt32.self).prefix(Int(info.volume.channels)))
        }
        sink = PulseModule(volumes: volumes, isMuted: info.mute != 0)
    }
}
