import Dispatch

/// A timer that makes one call at a time, in the order of deadlines: a dispatch queue, or a test's list.
protocol FrameAlarm: Sendable {
    /// - Parameter seconds: host-clock seconds from now; 0 means as soon as possible.
    func wake(after seconds: Double, _ body: @escaping @Sendable () -> Void)
}

/// The production alarm, on a serial dispatch queue.
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
