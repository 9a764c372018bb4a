import TuttiMediaTime

/// Punctual work beside all queues: turns, one after another, on a thread of its own or in virtual time.
package protocol Loop: Sendable {
    /// Starts the turns. Call once.
    ///
    /// - Parameters:
    ///   - name: The thread's name for debuggers; the first 15 bytes count.
    ///   - priority: The thread's `SCHED_FIFO` priority to request, 1 ... 99; 0 for an ordinary thread.
    ///   - make: Makes the turns, on the loop's thread; the first follows at once.
    /// - Throws: An error if the system refuses a thread.
    func start(
        _ name: String, priority: Int32, _ make: @escaping @Sendable () -> any LoopTurns
    ) throws(SystemError)

    /// Makes the next turn come now. Thread-safe; wakes coalesce.
    func wake()

    /// Returns once the turns have ended; at once if they never began. Not on the loop's thread.
    func waitForEnd()
}

/// The turns of a ``Loop``, and what they keep from one to the next.
package protocol LoopTurns: AnyObject {
    /// Does what is due.
    ///
    /// - Parameters:
    ///   - ready: The sockets that can be read, by their place in ``LoopWatch``.
    ///   - watch: What may make the next turn come early, besides ``Loop/wake()``; stays as it is until changed.
    func turn(ready: [Int], _ watch: inout LoopWatch) -> LoopTurn

    /// Releases what the turns have; after the last one, on the loop's thread, when the loop watches nothing any more.
    func end()
}

extension LoopTurns {
    package func end() {}
}

/// The consequence of a turn.
package enum LoopTurn: Sendable {
    /// The next turn, at a host time, or only when something happens if there is none.
    case wait(until: HostTime?)
    /// No further turn.
    case end
}

/// The sockets that a loop watches for input. Places count the sockets, then the listener if any, then the channels.
package struct LoopWatch {
    /// Nothing.
    package init() {}

    /// The watched UDP sockets.
    package private(set) var sockets: [UDPSocket] = []
    /// The watched listener of this machine.
    package private(set) var listener: LocalListener?
    /// The watched connections of this machine.
    package private(set) var channels: [LocalChannel] = []
    /// Whether ``set(sockets:listener:channels:)`` was called since the loop has looked.
    package var isChanged = false

    /// Replaces what is watched.
    package mutating func set(sockets: [UDPSocket], listener: LocalListener?, channels: [LocalChannel]) {
        (self.sockets, self.listener, self.channels) = (sockets, listener, channels)
        isChanged = true
    }
}
