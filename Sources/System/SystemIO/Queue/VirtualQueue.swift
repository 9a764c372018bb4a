import TuttiMediaTime

/// A serial queue in virtual time. All its queues and their blocks run on one thread.
package protocol VirtualQueue: AnyObject, Sendable {
    /// The virtual time of the queue's machine.
    var now: HostTime { get }
    /// Whether one of the queue's blocks runs.
    var isCurrent: Bool { get }
    /// Runs `body` after what was given before.
    func run(_ body: @escaping @Sendable () -> Void)
    /// Runs `body` at a virtual time.
    func run(at time: HostTime, _ body: @escaping @Sendable () -> Void)
    /// Makes a timer, which calls `body` on the queue.
    func makeTimer(_ body: @escaping @Sendable () -> Void) -> any QueueTimer
    /// Runs what was given before, at once, then `body`, as a block of the queue.
    func runAndWait<Value>(_ body: () throws -> Value) rethrows -> Value
}
