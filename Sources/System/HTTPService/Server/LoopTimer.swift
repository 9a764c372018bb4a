import CTuttiEvent
import Glibc

/// A timer, or an event that only code activates. Belongs to the loop's thread, and ends with its owner.
final class LoopTimer {
    let event: OpaquePointer

    /// - Parameter context: Handed to `onFire`; must outlive the timer.
    init?(
        on base: OpaquePointer, context: UnsafeMutableRawPointer,
        _ onFire: @escaping @convention(c) (Int32, Int16, UnsafeMutableRawPointer?) -> Void
    ) {
        guard let event = event_new(base, -1, 0, onFire, context) else { return nil }
        self.event = event
    }

    deinit { event_free(event) }

    /// Fires once after this time; replaces an earlier setting.
    func set(after time: Duration) {
        let nanoseconds = max(0, time.components.attoseconds / 1_000_000_000)
        var interval = timeval(
            tv_sec: Int(max(0, time.components.seconds)), tv_usec: Int(nanoseconds / 1_000))
        event_add(event, &interval)
    }

    /// Fires as soon as the loop is back.
    func fire() { event_active(event, 0, 0) }
}
