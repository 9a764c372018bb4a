import TuttiMediaTime
import TuttiSystemIO

/// A loop of a virtual machine.
final class VirtualLoop: Loop, @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    private let machine: VirtualMachine
    private var turns: (any LoopTurns)?
    private var make: (@Sendable () -> any LoopTurns)?
    private var watch = LoopWatch()
    private var watched: [VirtualDatagrams] = []
    private var hasEnded = false
    /// Whether a turn is on its way.
    private var isWoken = false
    /// Counts the deadlines that were set; an event of an earlier one is void.
    private var round = 0

    init(_ machine: VirtualMachine) { self.machine = machine }

    func start(
        _ name: String, priority: Int32, _ make: @escaping @Sendable () -> any LoopTurns
    ) throws(SystemError) {
        self.make = make
        wake()
    }

    func wake() {
        guard !isWoken, !hasEnded else { return }
        isWoken = true
        machine.wakeLoop { [weak self] in
            guard let self, isWoken else { return }
            isWoken = false
            turn()
        }
    }

    func waitForEnd() {
        while !hasEnded, turns != nil || make != nil { turn() }
    }

    private func turn() {
        guard !hasEnded else { return }
        machine.enter {
            if turns == nil { turns = make?() }
            make = nil
            guard let turns else { return }
            let ready = watched.indices.filter { watched[$0].hasDatagrams }
            let next = turns.turn(ready: ready, &watch)
            if watch.isChanged { follow() }
            guard case .wait(let deadline) = next else { return end(turns) }
            wait(until: deadline)
        }
    }

    private func follow() {
        watch.isChanged = false
        precondition(
            watch.listener == nil && watch.channels.isEmpty,
            "no other program shares a virtual machine's clock")
        for socket in watched { socket.loop = nil }
        watched = watch.sockets.compactMap { $0.target as? VirtualDatagrams }
        for socket in watched { socket.loop = self }
    }

    private func wait(until deadline: HostTime?) {
        round += 1
        if watched.contains(where: \.hasDatagrams) { return wake() }
        guard let deadline else { return }
        let round = round
        machine.world.schedule(at: machine.trueTime(of: deadline)) { [weak self] in
            guard let self, round == self.round else { return }
            wake()
        }
    }

    private func end(_ turns: any LoopTurns) {
        hasEnded = true
        (watch, watched) = (LoopWatch(), [])
        self.turns = nil
        turns.end()
    }
}
