import CTuttiPulse
import Glibc
import TuttiMediaTime
import TuttiSystemIO

/// A connection to a sound server for a few questions, with a deadline. Confined to one thread.
final class PulseExchange {
    private let mainloop: OpaquePointer
    let context: OpaquePointer
    private let deadline: HostTime

    /// Connects. Blocks until the deadline at most.
    ///
    /// - Parameter address: An address like in `PULSE_SERVER`; `nil` for the user's own server.
    init(_ address: String?, within timeout: Duration) throws(OutputError) {
        guard let mainloop = pa_mainloop_new() else {
            throw .pulse("pa_mainloop_new", ENOMEM, "out of memory")
        }
        guard let context = pa_context_new(pa_mainloop_get_api(mainloop), "tutti") else {
            pa_mainloop_free(mainloop)
            throw .pulse("pa_context_new", ENOMEM, "out of memory")
        }
        self.mainloop = mainloop
        self.context = context
        deadline = SystemClock.now.advanced(by: timeout)
        guard pa_context_connect(context, address, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else { throw failure() }
        try wait { pa_context_get_state(context) == PA_CONTEXT_READY }
    }

    deinit {
        pa_context_disconnect(context)
        pa_context_unref(context)
        pa_mainloop_free(mainloop)
    }

    /// Releases operations that the caller started, and waits until `isDone`.
    func finish(_ operations: [OpaquePointer?], when isDone: () -> Bool) throws(OutputError) {
        defer { for operation in operations { operation.map { pa_operation_unref($0) } } }
        guard operations.allSatisfy({ $0 != nil }) else { throw failure() }
        try wait(for: isDone)
    }

    private func wait(for isDone: () -> Bool) throws(OutputError) {
        guard try poll(until: isDone) else {
            throw .pulse("pa_mainloop_poll", ETIMEDOUT, "it does not answer")
        }
    }

    /// Runs the connection until `isDone` or the deadline.
    ///
    /// - Returns: Whether it was done.
    func poll(until isDone: () -> Bool) throws(OutputError) -> Bool {
        while !isDone() {
            let state = pa_context_get_state(context)
            guard state != PA_CONTEXT_FAILED, state != PA_CONTEXT_TERMINATED else { throw failure() }
            let rest = deadline.since(SystemClock.now)
            guard rest > .zero else { return false }
            let microseconds = Int32(clamping: rest.wholeNanoseconds / 1_000)
            guard pa_mainloop_prepare(mainloop, microseconds) >= 0, pa_mainloop_poll(mainloop) >= 0,
                pa_mainloop_dispatch(mainloop) >= 0
            else { throw failure() }
        }
        return true
    }

    func failure() -> OutputError { .pulse("pa_context_connect", of: context) }
}
