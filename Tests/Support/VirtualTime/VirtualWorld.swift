import CTuttiJobs
import TuttiMediaTime
import TuttiSeeds

/// Everything that happens in a virtual house, on one thread, in an order that follows from one seed.
///
/// True time stands while blocks of queues, turns of loops and jobs of tasks run; it moves on to the next event when nothing is left to run.
package final class VirtualWorld: @unchecked Sendable {
    // Safe to share: used on the thread of `run(_:)` alone, to which it takes over the jobs of all tasks that begin there.

    /// True time in nanoseconds.
    package private(set) var time: Int64 = 0
    /// The source of all chance that belongs to no machine.
    package var random: SeededGenerator
    /// A digest of the order and the times of all that has run.
    package private(set) var trace: UInt64 = 0xcbf2_9ce4_8422_2325

    private var events = EventHeap()
    private var lastEvent: UInt64 = 0
    private var ready: [VirtualLane] = []
    private var spareLanes: [VirtualLane] = []
    private(set) var current: VirtualLane?
    /// The machine whose code runs; `nil` while none's does.
    private var running: VirtualMachine?
    private var stepsAtThisTime = 0

    /// So many steps without a passing nanosecond are a loop without an end.
    private static let mostStepsAtOneTime = 2_000_000

    package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    // MARK: Events

    /// Runs `body` at a true time, or at once if that has passed.
    package func schedule(at time: Int64, _ body: @escaping () -> Void) {
        lastEvent += 1
        events.insert(at: max(time, self.time), number: lastEvent, body)
    }

    /// Runs `body` once a true time has passed.
    package func schedule(after nanoseconds: Int64, _ body: @escaping () -> Void) {
        schedule(at: time + nanoseconds, body)
    }

    /// A machine's random numbers.
    func makeRandom() -> SeededGenerator { SeededGenerator(seed: random.next()) }

    // MARK: Lanes

    func becameReady(_ lane: VirtualLane) { ready.append(lane) }

    /// Runs a block of a machine outside all queues.
    func runBeside(_ machine: VirtualMachine?, _ body: @escaping () -> Void) {
        let lane = spareLanes.popLast() ?? VirtualLane(self)
        lane.machine = machine
        lane.append(due: time) { [self, lane] in
            body()
            lane.machine = nil
            spareLanes.append(lane)
        }
    }

    /// Runs `body` as if on a lane of a machine; the jobs that it begins are the machine's.
    func enter<Result>(
        _ lane: VirtualLane?, of machine: VirtualMachine?, _ body: () throws -> Result
    ) rethrows -> Result {
        let before = (current, running)
        (current, running) = (lane, machine)
        defer { (current, running) = before }
        return try body()
    }

    /// The number of events that are to come.
    package var waitingEvents: Int { events.count }
    /// The true time of the next event; `nil` without one.
    package var nextEventTime: Int64? { events.first }

    // MARK: Running

    /// Runs what `body` begins, and all that follows before the true time `end` in nanoseconds.
    ///
    /// Call on one thread only, which no other world uses meanwhile.
    package func run(until end: Int64, _ body: () -> Void = {}) {
        jobs_take_over(
            { job, context in
                guard let job, let context else { return }
                let world = Unmanaged<VirtualWorld>.fromOpaque(context).takeUnretainedValue()
                world.runBeside(world.running) { jobs_run(job) }
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { jobs_take_over(nil, nil) }
        body()
        while true {
            if !ready.isEmpty {
                step()
            } else if let next = events.first, next < end {
                if next != time { (time, stepsAtThisTime) = (next, 0) }
                note(UInt64(bitPattern: next))
                events.removeFirst()()
            } else {
                time = max(time, end)
                return
            }
        }
    }

    /// Runs one block of a lane that the seed chooses.
    private func step() {
        let index = ready.count == 1 ? 0 : Int(random.next() % UInt64(ready.count))
        ready.swapAt(index, ready.count - 1)
        guard let lane = ready.popLast() else { return }
        stepsAtThisTime += 1
        precondition(stepsAtThisTime < Self.mostStepsAtOneTime, "an endless loop in \(lane.label)")
        note(UInt64(truncatingIfNeeded: time) ^ UInt64(index) << 48)
        enter(lane, of: lane.machine) { lane.runOne() }
    }

    /// Adds something to the trace.
    package func note(_ value: UInt64) { trace = (trace ^ value) &* 0x0000_0100_0000_01b3 }
}

/// Events by time, and at one time in the order of their making.
struct EventHeap {
    /// The part of an event that the heap moves: moving the bodies would count references.
    private struct Entry {
        let time: Int64
        let number: UInt64
        let slot: Int

        func isBefore(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
    }

    private var entries: [Entry] = []
    private var bodies: [(() -> Void)?] = []
    private var spareSlots: [Int] = []

    var count: Int { entries.count }
    var first: Int64? { entries.first?.time }

    mutating func insert(at time: Int64, number: UInt64, _ body: @escaping () -> Void) {
        let slot = spareSlots.popLast() ?? bodies.count
        if slot == bodies.count { bodies.append(body) } else { bodies[slot] = body }
        let entry = Entry(time: time, number: number, slot: slot)
        entries.append(entry)
        var index = entries.count - 1
        while index > 0, entry.isBefore(entries[(index - 1) / 2]) {
            entries[index] = entries[(index - 1) / 2]
            index = (index - 1) / 2
        }
        entries[index] = entry
    }

    /// Removes the first event, and returns its body. Requires an event.
    mutating func removeFirst() -> () -> Void {
        let first = entries[0]
        let last = entries.removeLast()
        if !entries.isEmpty { sink(last) }
        spareSlots.append(first.slot)
        guard let body = bodies[first.slot].take() else { preconditionFailure("an event without a body") }
        return body
    }

    /// Puts an entry into the place of the first, or below entries that come before it.
    private mutating func sink(_ entry: Entry) {
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].isBefore(entries[child]) { child += 1 }
            guard entries[child].isBefore(entry) else { break }
            entries[index] = entries[child]
            index = child
        }
        entries[index] = entry
    }
}
