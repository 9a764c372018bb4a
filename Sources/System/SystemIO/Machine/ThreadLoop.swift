import Dispatch

/// A loop on a thread of its own.
final class ThreadLoop: Loop {
    private let signal: WakeSignal
    private let running = DispatchGroup()

    init() throws(SystemError) { signal = try WakeSignal() }

    func start(
        _ name: String, priority: Int32, _ make: @escaping @Sendable () -> any LoopTurns
    ) throws(SystemError) {
        running.enter()
        do throws(SystemError) {
            try RealtimeThread.start(name: name, priority: priority) { [signal, running] _ in
                Self.run(make(), signal)
                running.leave()
            }
        } catch {
            running.leave()
            throw error
        }
    }

    func wake() { signal.wake() }

    func waitForEnd() { running.wait() }

    private static func run(_ turns: any LoopTurns, _ signal: WakeSignal) {
        takeTurns(turns, signal)
        // Nothing is watched any more: the turns have the last references to their sockets, and may close them.
        turns.end()
    }

    private static func takeTurns(_ turns: any LoopTurns, _ signal: WakeSignal) {
        var watch = LoopWatch()
        var poller = SocketPoller(sockets: [], signal: signal)
        var ready: [Int] = []
        while case .wait(let deadline) = turns.turn(ready: ready, &watch) {
            if watch.isChanged {
                poller.watch(sockets: watch.sockets, listener: watch.listener, channels: watch.channels)
                watch.isChanged = false
            }
            ready.removeAll(keepingCapacity: true)
            // Fails only for an invalid descriptor; all of them live as long as the watch.
            guard (try? poller.wait(until: deadline, onReadable: { ready.append($0) })) != nil else { return }
        }
    }
}
