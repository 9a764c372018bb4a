import CTuttiPipeWire

/// The callbacks of one output, in memory that the library may keep. Guarded by the loop's lock.
final class PipeWireListeners {
    private let coreHook = UnsafeMutablePointer<spa_hook>.allocate(capacity: 1)
    private let streamHook = UnsafeMutablePointer<spa_hook>.allocate(capacity: 1)
    private let coreEvents = UnsafeMutablePointer<pw_core_events>.allocate(capacity: 1)
    private let streamEvents = UnsafeMutablePointer<pw_stream_events>.allocate(capacity: 1)
    private var hasCore = false
    private var hasStream = false

    init() {
        coreHook.initialize(to: spa_hook())
        streamHook.initialize(to: spa_hook())
        var core = pw_core_events()
        core.version = UInt32(PW_VERSION_CORE_EVENTS)
        core.info = { data, info in
            if let info { PipeWireSink.of(data)?.take(info.pointee) }
        }
        core.error = { data, id, _, result, _ in PipeWireSink.of(data)?.takeError(of: id, result) }
        coreEvents.initialize(to: core)
        var stream = pw_stream_events()
        stream.version = UInt32(PW_VERSION_STREAM_EVENTS)
        stream.state_changed = { data, _, state, _ in PipeWireSink.of(data)?.takeState(state) }
        stream.param_changed = { data, id, parameter in PipeWireSink.of(data)?.takeParameter(id, parameter) }
        stream.process = { data in PipeWireSink.of(data)?.takeCycle() }
        streamEvents.initialize(to: stream)
    }

    // After `remove`, the library knows none of this memory.
    deinit {
        coreHook.deallocate()
        streamHook.deallocate()
        coreEvents.deallocate()
        streamEvents.deallocate()
    }

    func listen(toCore core: OpaquePointer, for sink: PipeWireSink) {
        shim_core_listen(core, coreHook, coreEvents, sink.this)
        hasCore = true
    }

    func listen(toStream stream: OpaquePointer, for sink: PipeWireSink) {
        pw_stream_add_listener(stream, streamHook, streamEvents, sink.this)
        hasStream = true
    }

    func remove() {
        if hasCore { shim_unlisten(coreHook) }
        if hasStream { shim_unlisten(streamHook) }
        (hasCore, hasStream) = (false, false)
    }
}
