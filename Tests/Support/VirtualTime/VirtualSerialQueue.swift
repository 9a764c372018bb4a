import TuttiMediaTime
import TuttiSystemIO

/// A serial queue of a virtual machine.
final class VirtualSerialQueue: VirtualQueue, @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    private let machine: VirtualMachine
    private let lane: VirtualLane

    init(_ machine: VirtualMachine, label: String) {
        self.machine = machine
        lane = VirtualLane(machine.world, of: machine, label: label)
    }

    var now: HostTime { machine.now }

    var isCurrent: Bool { machine.world.current === lane }

    func run(_ body: @escaping @Sendable () -> Void) {
        machine.append(to: lane, body)
    }

    func run(at time: HostTime, _ body: @escaping @Sendable () -> Void) {
        machine.world.schedule(at: machine.trueTime(of: time)) { [self] in run(body) }
    }

    func makeTimer(_ body: @escaping @Sendable () -> Void) -> any QueueTimer {
        VirtualTimer(machine) { [weak self] in self?.run(body) }
    }

    func runAndWait<Value>(_ body: () throws -> Value) rethrows -> Value {
        try machine.world.enter(lane, of: machine) {
            lane.drain()
            return try body()
        }
    }
}

/// A timer of a virtual machine.
final class VirtualTimer: QueueTimer {
    private let machine: VirtualMachine
    private let body: () -> Void
    /// Counts the times that were set; an event of an earlier one is void.
    private var round = 0
    private var time = HostTime.distantFuture

    init(_ machine: VirtualMachine, _ body: @escaping () -> Void) {
        (self.machine, self.body) = (machine, body)
    }

    func schedule(at time: HostTime) {
        guard time != self.time else { return }
        self.time = time
        round += 1
        guard time != .distantFuture else { return }
        let round = round
        machine.world.schedule(at: machine.trueTime(of: time)) { [weak self] in self?.fire(round) }
    }

    func cancel() { schedule(at: .distantFuture) }

    private func fire(_ round: Int) {
        guard round == self.round else { return }
        time = .distantFuture
        body()
    }
}
