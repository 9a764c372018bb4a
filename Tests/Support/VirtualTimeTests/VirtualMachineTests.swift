import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiVirtualTime

@Suite("Machines in virtual time")
struct VirtualMachineTests {
    let world = VirtualWorld(seed: 1)
    let network: VirtualNetwork
    let here: VirtualMachine
    let there: VirtualMachine

    init() {
        network = VirtualNetwork(in: world)
        here = VirtualMachine(
            "here", in: world, on: network, at: IPAddress(10, 0, 0, 1), crystal: CrystalClock(rate: 40_000))
        there = VirtualMachine(
            "there", in: world, on: network, at: IPAddress(10, 0, 0, 2), crystal: CrystalClock(rate: -25_000))
    }

    @Test(
        "a machine's clock runs at its own rate, and times convert back to the first instant at which they are reached"
    )
    func clock() {
        #expect(here.hostTime(at: 1_000_000_000).nanoseconds == 1_000_000_000_000 + 1_000_040_000)
        for time in [0, 1, 999, 1_000_000_007, 7_200_000_000_000] as [Int64] {
            let host = there.hostTime(at: time)
            let back = there.trueTime(of: host)
            #expect(back <= time && there.hostTime(at: back) >= host)
            #expect(back == 0 || there.hostTime(at: back - 1) < host)
        }
    }

    @Test("blocks of a queue run in order, those of tasks and timers in virtual time")
    func order() {
        let seen = Recorder<[String]>([])
        let (queue, here) = (here.makeQueue("a"), here)
        let start = here.now
        world.run(until: 10_000_000_000) {
            for number in 0..<3 { queue.async { seen.update { $0.append("block \(number)") } } }
            queue.async(after: .seconds(2)) { seen.update { $0.append("later") } }
            Task {
                try await here.sleep(for: .seconds(1))
                seen.update { $0.append("slept \(here.now.since(start) >= .seconds(1))") }
            }
            let sleeper = Task {
                do { try await here.sleep(for: .seconds(9)) } catch { seen.update { $0.append("cancelled") } }
            }
            queue.async(after: .seconds(3)) { sleeper.cancel() }
        }
        #expect(seen.value == ["block 0", "block 1", "block 2", "slept true", "later", "cancelled"])
        #expect(world.time == 10_000_000_000)
    }

    @Test("a connection carries bytes in order through loss and a cut, and ends")
    func connection() throws {
        let peer = Peer(try there.listen(at: SocketAddress(.anyV4, port: 7000)))
        let (here, there) = (here, there)
        network.change(there) { $0.loss = 0.01 }
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        world.run(until: 60_000_000_000) {
            peer.start()
            Task {
                let connection = try await here.connect(to: SocketAddress(there.address, port: 7000))
                connection.send(bytes)
                try await here.sleep(for: .seconds(30))
                connection.close()
            }
            world.schedule(at: 100_000_000) { network.change(there) { $0.isCut = true } }
            world.schedule(at: 5_000_000_000) { network.change(there) { $0.isCut = false } }
        }
        #expect(peer.received.value == bytes)
        #expect(peer.ended.value == [true])
    }

    @Test(
        "last words arrive after a cut, unless a closed socket gets data before",
        arguments: [(true, [7, 7, 7], true), (false, [], false)])
    func lastWords(discards: Bool, words: [UInt8], isOrderly: Bool) throws {
        let peer = Peer(try there.listen(at: SocketAddress(.anyV4, port: 7000)))
        let (here, there) = (here, there)
        world.run(until: 200_000_000_000) {
            peer.start()
            Task {
                var connection: TCPConnection? = try await here.connect(
                    to: SocketAddress(there.address, port: 7000))
                try await here.sleep(for: .seconds(1))
                network.changeInward(there) { $0.isCut = true }
                connection?.send([7, 7, 7])
                if discards { connection?.close(discardingFor: .seconds(600)) } else { connection?.close() }
                connection = nil
                try await here.sleep(for: .seconds(1))
                peer.connections.value.first?.send([1])
                try await here.sleep(for: .seconds(20))
                network.changeInward(there) { $0.isCut = false }
            }
        }
        #expect(peer.received.value == words)
        #expect(peer.ended.value == [isOrderly])
    }

    @Test("a port at which nobody listens refuses, and a machine that is cut off is not reached in time")
    func refusals() {
        let errors = Recorder<[String]>([])
        let (here, there) = (here, there)
        world.run(until: 60_000_000_000) {
            Task {
                do throws(SystemError) {
                    _ = try await here.connect(to: SocketAddress(there.address, port: 7))
                } catch {
                    errors.update { $0.append(error.isConnectionRefused ? "refused" : "\(error)") }
                }
                network.change(there) { $0.isCut = true }
                let before = here.now
                do throws(SystemError) {
                    _ = try await here.connect(to: SocketAddress(there.address, port: 7))
                } catch {
                    errors.update {
                        $0.append(
                            error.isTimeout && here.now.since(before) >= .seconds(5) ? "late" : "\(error)")
                    }
                }
            }
        }
        #expect(errors.value == ["refused", "late"])
    }

    @Test("datagrams reach the loop that watches their socket")
    func loop() throws {
        let seen = Recorder<[UInt8]>([])
        let sender = try here.bind(SocketAddress(.anyV4, port: 0))
        let receiver = try there.bind(SocketAddress(.anyV4, port: 319))
        let loop = try there.makeLoop()
        final class Turns: LoopTurns {
            let (socket, seen): (UDPSocket, Recorder<[UInt8]>)
            var isFirst = true

            init(_ socket: UDPSocket, _ seen: Recorder<[UInt8]>) { (self.socket, self.seen) = (socket, seen) }

            func turn(ready: [Int], _ watch: inout LoopWatch) -> LoopTurn {
                if isFirst { watch.set(sockets: [socket], listener: nil, channels: []) }
                isFirst = false
                socket.receiveAll(upTo: 8) { bytes, _, _ in seen.update { $0 += bytes } }
                return seen.value.count < 3 ? .wait(until: nil) : .end
            }
        }
        let address = there.address
        world.run(until: 1_000_000_000) {
            try? loop.start("test", priority: 1) { Turns(receiver, seen) }
            for byte in 1...3 as ClosedRange<UInt8> {
                _ = try? sender.send([byte], to: SocketAddress(address, port: 319))
            }
        }
        #expect(seen.value.sorted() == [1, 2, 3])
        loop.waitForEnd()
    }

    @Test("one seed gives one order of everything", arguments: [1, 2, 3] as [UInt64])
    func trace(seed: UInt64) {
        func trace(_ seed: UInt64) -> UInt64 {
            let world = VirtualWorld(seed: seed)
            let network = VirtualNetwork(in: world)
            let machine = VirtualMachine("one", in: world, on: network, at: IPAddress(10, 0, 0, 1))
            world.run(until: 1_000_000_000) {
                for number in 0..<20 {
                    let queue = machine.makeQueue("queue \(number)")
                    for _ in 0..<5 { queue.async {} }
                    Task {
                        for _ in 0..<5 { await machine.pause(for: .milliseconds(number)) }
                    }
                }
            }
            return world.trace
        }
        #expect(trace(seed) == trace(seed))
        #expect(trace(seed) != trace(seed + 1))
    }
}

/// A listener that notes what its connections receive, and how they end.
private final class Peer: Sendable {
    private let listener: TCPListener
    let connections = Recorder<[TCPConnection]>([])
    let received = Recorder<[UInt8]>([])
    /// Whether each end was orderly.
    let ended = Recorder<[Bool]>([])

    init(_ listener: TCPListener) { self.listener = listener }

    func start() {
        listener.start { [connections, received, ended] connection in
            connections.update { $0.append(connection) }
            connection.start(
                onBytes: { bytes in received.update { $0 += bytes } },
                onClose: { error in ended.update { $0.append(error == nil) } })
        }
    }
}
