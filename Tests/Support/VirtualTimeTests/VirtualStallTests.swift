import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiVirtualTime

@Suite("Stalls of virtual machines")
struct VirtualStallTests {
    let world = VirtualWorld(seed: 3)
    let network: VirtualNetwork
    let here: VirtualMachine
    let there: VirtualMachine

    private static let second: Int64 = 1_000_000_000

    init() {
        network = VirtualNetwork(in: world)
        here = VirtualMachine("here", in: world, on: network, at: IPAddress(10, 0, 0, 1))
        there = VirtualMachine("there", in: world, on: network, at: IPAddress(10, 0, 0, 2))
    }

    @Test("blocks, timers, sleeps, tasks and loops wait for the end of a stall, and other machines do not")
    func standstill() throws {
        let seen = Recorder<[String: Double]>([:])
        let (world, here, there) = (world, here, there)
        @Sendable func note(_ name: String) {
            seen.update { $0[name] = Double(world.time / 10_000_000) / 100 }
        }
        let queue = here.makeQueue("a")
        let loop = try here.makeLoop()
        world.run(until: 10 * Self.second) {
            world.schedule(at: Self.second) { here.stall(for: 2 * Self.second) }
            queue.async(after: .milliseconds(1_500)) { note("timer") }
            try? loop.start("test", priority: 1) { TwoTurns(here) { note("loop") } }
            here.enter {
                _ = Task {
                    try await here.sleep(for: .milliseconds(1_700))
                    note("sleep")
                    try await here.sleep(for: .seconds(2))
                    note("later")
                }
            }
            world.schedule(at: 3 * Self.second / 2) {
                queue.async { note("block") }
                here.enter { _ = Task { note("task") } }
                there.enter { _ = Task { note("other") } }
            }
        }
        #expect(
            seen.value == [
                "block": 3, "timer": 3, "sleep": 3, "task": 3, "loop": 3, "other": 1.5, "later": 5,
            ])
        loop.waitForEnd()
    }

    /// A loop that is done at its second turn.
    private final class TwoTurns: LoopTurns {
        private let machine: VirtualMachine
        private let done: @Sendable () -> Void
        private var turns = 0

        init(_ machine: VirtualMachine, _ done: @escaping @Sendable () -> Void) {
            (self.machine, self.done) = (machine, done)
        }

        func turn(ready: [Int], _ watch: inout LoopWatch) -> LoopTurn {
            turns += 1
            if turns == 1 { return .wait(until: machine.now.advanced(by: .milliseconds(1_200))) }
            done()
            return .end
        }
    }

    @Test(
        "datagrams wait for a stalled machine as far as there is room, with the kernel's time of their arrival",
        arguments: [false, true])
    func datagrams(isWhole: Bool) throws {
        let arrivals = Recorder<[(number: UInt8, seconds: Double)]>([])
        let (world, here, there) = (world, here, there)
        let sender = try here.bind(SocketAddress(.anyV4, port: 0))
        let receiver = try there.bind(SocketAddress(.anyV4, port: 319))
        let queue = there.makeQueue("a")
        let start = there.now
        receiver.notifyWhenReadable(on: queue) {
            receiver.receiveAll(upTo: 1_000) { bytes, _, time in
                arrivals.update { $0.append((bytes[bytes.startIndex], time.since(start).inSeconds)) }
            }
        }
        let target = SocketAddress(there.address, port: 319)
        world.run(until: 10 * Self.second) {
            world.schedule(at: Self.second) { there.stall(for: 2 * Self.second, isWhole: isWhole) }
            world.schedule(at: 2 * Self.second) {
                for _ in 0..<400 { _ = try? sender.send([1] + [UInt8](repeating: 0, count: 399), to: target) }
            }
            world.schedule(at: 4 * Self.second) { _ = try? sender.send([2], to: target) }
        }
        // A socket has 212,992 bytes, of which a datagram of 400 bytes takes 2,304.
        let waited = arrivals.value.filter { $0.number == 1 }
        #expect(waited.count == 92)
        #expect(waited.allSatisfy { abs($0.seconds - (isWhole ? 3 : 2)) < 0.1 })
        #expect(arrivals.value.last?.number == 2)
        receiver.stopNotifying()
    }

    @Test("a connection carries on after a stall of either end", arguments: [false, true])
    func connection(isWhole: Bool) throws {
        let (world, here, there) = (world, here, there)
        let received = Recorder<Int>(0)
        let kept = Recorder<[TCPConnection]>([])
        let listener = try there.listen(at: SocketAddress(.anyV4, port: 7000))
        world.run(until: 20 * Self.second) {
            listener.start { connection in
                kept.update { $0.append(connection) }
                connection.start(
                    onBytes: { bytes in received.update { $0 += bytes.count } }, onClose: { _ in })
            }
            world.schedule(at: Self.second) { there.stall(for: 3 * Self.second, isWhole: isWhole) }
            world.schedule(at: 5 * Self.second) { here.stall(for: Self.second, isWhole: isWhole) }
            here.enter {
                _ = Task {
                    let connection = try await here.connect(to: SocketAddress(there.address, port: 7000))
                    kept.update { $0.append(connection) }
                    for _ in 0..<100 {
                        connection.send([UInt8](repeating: 7, count: 10_000))
                        await here.pause(for: .milliseconds(100))
                    }
                }
            }
        }
        #expect(received.value == 1_000_000)
    }

    @Test("one of thirteen delays with a heavy tail is longer than a quarter of the longest")
    func heavyTail() {
        var lateness = VirtualMachine.Lateness()
        (lateness.usual, lateness.rareness, lateness.worst, lateness.isHeavy) = (0, 1, 200_000_000, true)
        var random = world.makeRandom()
        let delays = (0..<10_000).map { _ in lateness.draw(0, &random) }
        #expect(delays.allSatisfy { (1_000_000...200_000_000).contains($0) })
        #expect((650...880).contains(delays.count(where: { $0 > 50_000_000 })))
    }
}
