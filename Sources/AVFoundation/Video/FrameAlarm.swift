import Dispatch

/// Calls back later, one call at a time, in the order of their times: a dispatch queue, or a test's list.
protocol FrameAlarm: Sendable {
    /// - Parameter seconds: of host time from now; 0 for as soon as possible.
    func wake(after seconds: Double, _ body: @escaping @Sendable () -> Void)
}

/// The alarm of a running program.
struct DispatchFrameAlarm: FrameAlarm {
    private let queue = DispatchQueue(label: "tutti.video", qos: .userInteractive)

    func wake(after seconds: Double, _ body: @escaping @Sendable () -> Void) {
        if seconds > 0 {
            queue.asyncAfter(deadline: .now() + seconds, execute: body)
        } else {
            queue.async(execute: body)
        }
    }
}
