import Dispatch
import MediaTime

/// The clock and timer of a route detector; tests inject their own.
struct DetectionClock: Sendable {
    var now: @Sendable () -> HostTime
    /// Calls `body` once, at host time `time` or later, on any thread.
    var wake: @Sendable (_ time: HostTime, _ body: @escaping @Sendable () -> Void) -> Void

    static let system = DetectionClock(
        now: { HostTime(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds)) },
        wake: { time, body in
            let deadline = DispatchTime(uptimeNanoseconds: UInt64(max(0, time.nanoseconds)))
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: deadline, execute: body)
        })
}
