import Dispatch
import MediaTime

/// Time for a route detector: what it is now, and a call later. A test brings its own.
struct DetectionClock: Sendable {
    var now: @Sendable () -> HostTime
    /// Calls the body once, at `time` or after it, on any thread.
    var wake: @Sendable (_ time: HostTime, _ body: @escaping @Sendable () -> Void) -> Void

    static let system = DetectionClock(
        now: { HostTime(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds)) },
        wake: { time, body in
            let deadline = DispatchTime(uptimeNanoseconds: UInt64(max(0, time.nanoseconds)))
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: deadline, execute: body)
        })
}
