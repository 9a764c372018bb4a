/// Blocks that run one after another; each runs when it is due and the world chooses its lane.
final class VirtualLane {
    unowned let world: VirtualWorld
    /// The machine whose stalls the lane shares.
    var machine: VirtualMachine?
    let label: String
    private var blocks: [(due: Int64, body: () -> Void)] = []
    private var first = 0
    private var lastDue: Int64 = 0

    init(_ world: VirtualWorld, of machine: VirtualMachine? = nil, label: String = "beside") {
        (self.world, self.machine, self.label) = (world, machine, label)
    }

    /// Adds a block that runs after the others, but not before `due` in true time.
    func append(due: Int64, _ body: @escaping () -> Void) {
        lastDue = max(lastDue, due)
        blocks.append((lastDue, body))
        if blocks.count - first == 1 { wait(until: lastDue) }
    }

    /// Runs the first block, if it is due and the machine does not stall.
    func runOne() {
        guard first < blocks.count else { return }
        if let machine, machine.isStalled { return wait(until: machine.stallEnd) }
        guard blocks[first].due <= world.time else { return wait(until: blocks[first].due) }
        let body = takeFirst()
        // Before the block runs, which may append another as the first.
        if first < blocks.count { wait(until: blocks[first].due) }
        body()
    }

    /// Runs what is there, at once, due or not. The lane may still be among the ready ones, and have nothing to run then.
    func drain() {
        while first < blocks.count { takeFirst()() }
    }

    private func wait(until due: Int64) {
        if due <= world.time { return world.becameReady(self) }
        world.schedule(at: due) { [self] in world.becameReady(self) }
    }

    private func takeFirst() -> () -> Void {
        let body = blocks[first].body
        blocks[first].body = {}
        first += 1
        if first == blocks.count {
            blocks.removeAll(keepingCapacity: true)
            first = 0
        }
        return body
    }
}
