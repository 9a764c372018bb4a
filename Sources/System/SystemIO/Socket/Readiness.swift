/// Calls a handler while a socket is ready, on a queue; starts disarmed. Thread-safe.
///
/// The handler may also run while the socket is not ready, so it must accept `EAGAIN`. A hang-up counts as ready.
/// Its release ends the calls.
package protocol Readiness: Sendable {
    /// Starts calls of the handler. Idempotent.
    func arm()

    /// Stops calls of the handler; a call that has begun still finishes. Idempotent.
    func disarm()
}

/// The readiness that is waited for.
package enum ReadinessKind: Sendable {
    /// Input, or a hang-up.
    case readable
    /// Room for output.
    case writable
}
