import Synchronization
import TuttiMediaTime
import TuttiSystemIO

@testable import Playback

/// Virtual host time that jumps from one scheduled event to the next, with the schedule.
final class VirtualWorld: HostClock {
    private struct Wish {
        var due: HostTime
        var order: Int
        var body: @Sendable () -> Void
    }

    private struct State {
        var now: HostTime
        var wishes: [Int: Wish] = [:]
        var slots = 0
        var orders = 0
    }

    let begin: HostTime
    private let state: Mutex<State>

    /// Begins hours ahead of the machine's time: a wait for it on the machine's clock outlasts any test.
    init() {
        begin = SystemClock.now.advanced(by: .seconds(100 * 3600))
        state = Mutex(State(now: begin))
    }

    var now: HostTime { state.withLock { $0.now } }
    /// Seconds since the beginning.
    var seconds: Double { now.since(begin).inSeconds }
    var wishCount: Int { state.withLock { $0.wishes.count } }

    func makeSlot() -> Int {
        state.withLock { state in
            state.slots += 1
            return state.slots
        }
    }

    /// Schedules `body` in the slot, in place of an earlier wish there.
    func set(_ slot: Int, after pause: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.orders += 1
            let due = state.now.advanced(by: max(.zero, pause))
            state.wishes[slot] = Wish(due: due, order: state.orders, body: body)
        }
    }

    func clear(_ slot: Int) { state.withLock { _ = $0.wishes.removeValue(forKey: slot) } }

    /// Runs the next due event, unless it is after `limit`.
    ///
    /// - Returns: `false` if no event was due; then time is at `limit`.
    func step(until limit: Double) -> Bool {
        let end = begin.advanced(by: .nanoseconds(Int64((limit * 1e9).rounded())))
        let body = state.withLock { state -> (@Sendable () -> Void)? in
            let first = state.wishes.min { ($0.value.due, $0.value.order) < ($1.value.due, $1.value.order) }
            guard let first, first.value.due <= end else {
                state.now = max(state.now, end)
                return nil
            }
            state.now = max(state.now, first.value.due)
            state.wishes.removeValue(forKey: first.key)
            return first.value.body
        }
        body?()
        return body != nil
    }
}

/// A wake-up for a player or a route in virtual time, late by a given duration.
final class VirtualAlarm: WakeUp {
    private let world: VirtualWorld
    private let slot: Int
    private let lateness: Duration
    private let place = Mutex<SerialQueue?>(nil)

    init(_ world: VirtualWorld, lateness: Duration = .zero) {
        (self.world, self.lateness) = (world, lateness)
        slot = world.makeSlot()
    }

    /// Makes the calls on `queue`.
    func call(on queue: SerialQueue) { place.withLock { $0 = queue } }

    func set(after pause: Duration, _ body: @escaping @Sendable () -> Void) {
        let queue = place.withLock { $0 }
        world.set(slot, after: pause + lateness) {
            if let queue { queue.sync(execute: body) } else { body() }
        }
    }

    func cancel() { world.clear(slot) }
}
