import Glibc
import Synchronization
import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import TuttiSystemIO

@Suite("UDP sockets over loopback", .tags(.machine))
struct UDPSocketTests {
    @Test(
        "a datagram arrives whole, with its sender and a timestamp",
        arguments: [IPAddress.loopbackV4, .loopbackV6])
    func exchange(address: IPAddress) throws {
        let receiver = try UDPSocket(at: SocketAddress(address, port: 0))
        let sender = try UDPSocket(at: SocketAddress(address, port: 0))
        let before = SystemClock.now
        #expect(try sender.send([1, 2, 3], to: receiver.address))
        let datagram = try #require(try take(from: receiver))
        #expect(datagram.bytes == [1, 2, 3])
        #expect(datagram.source == sender.address)
        #expect(datagram.receivedAt >= before.advanced(by: .milliseconds(-1)))
        #expect(datagram.receivedAt <= SystemClock.now)
        #expect(try receiver.receive { _, _, _ in Issue.record("nothing waits") } == false)
    }

    @Test(
        "a departure timestamp lies between sending and arrival, and none is left over",
        arguments: [IPAddress.loopbackV4, .loopbackV6])
    func departure(address: IPAddress) throws {
        let receiver = try UDPSocket(at: SocketAddress(address, port: 0))
        let sender = try UDPSocket(at: SocketAddress(address, port: 0))
        sender.stampDepartures()
        // A datagram sent without a request leaves no timestamp for the next one.
        try sender.send([0], to: receiver.address)
        _ = try take(from: receiver)
        var poller = SocketPoller(sockets: [sender], signal: try WakeSignal())
        for _ in 0..<50 {
            let before = SystemClock.now
            let left = try [1, 2, 3].withUnsafeBytes { try sender.sendStamped($0, to: receiver.address) }
            let departure = try #require(left)
            let datagram = try #require(try take(from: receiver))
            #expect(departure >= before)
            // Both timestamps are on the wall clock, read twice.
            #expect(departure <= datagram.receivedAt.advanced(by: .microseconds(50)))
        }
        #expect(try sender.receive { _, _, _ in Issue.record("nothing waits") } == false)
        try poller.wait(until: SystemClock.now) { _ in Issue.record("a stamp keeps the socket awake") }
    }

    @Test("marked datagrams have the mark of their kind, and the highest priority that needs no privilege")
    func marks() throws {
        for (traffic, byte) in [(TrafficClass.clock, Int32(0xB8)), (.sound, 0x88)] {
            let four = try UDPSocket(at: SocketAddress(.loopbackV4, port: 0))
            let six = try UDPSocket(at: SocketAddress(.loopbackV6, port: 0))
            for (socket, level, name) in [
                (four, Int32(IPPROTO_IP), IP_TOS), (six, Int32(IPPROTO_IPV6), IPV6_TCLASS),
            ] {
                let descriptor = try #require(socket.descriptor)
                #expect(try descriptor.option(level, name) == 0)
                socket.mark(as: traffic)
                #expect(try descriptor.option(level, name) == byte)
                #expect(try descriptor.option(SOL_SOCKET, SO_PRIORITY) == 6)
            }
        }
    }

    @Test("a datagram to an unreachable port is an error, with and without timestamps")
    func departureToNowhere() throws {
        let sender = try UDPSocket(at: SocketAddress(.loopbackV6, port: 0))
        sender.stampDepartures()
        #expect(throws: SystemError.self) {
            try [UInt8(1)].withUnsafeBytes {
                try sender.sendStamped($0, to: SocketAddress(IPAddress(192, 0, 2, 1), port: 9))
            }
        }
    }

    @Test("each datagram can choose its source address")
    func chosenSource() throws {
        let receiver = try UDPSocket(at: SocketAddress(.loopbackV4, port: 0))
        let sender = try UDPSocket(at: SocketAddress(.anyV4, port: 0))
        try sender.send([9], to: receiver.address, from: IPAddress(127, 0, 0, 9))
        #expect(try take(from: receiver)?.source.address == IPAddress(127, 0, 0, 9))
        let six = try UDPSocket(at: SocketAddress(.loopbackV6, port: 0))
        let sixSender = try UDPSocket(at: SocketAddress(.anyV6, port: 0))
        try sixSender.send([9], to: six.address, from: .loopbackV6)
        #expect(try take(from: six)?.source.address == .loopbackV6)
    }

    @Test("a datagram longer than the buffer is dropped, the next one is read")
    func tooLong() throws {
        let receiver = try UDPSocket(at: SocketAddress(.loopbackV4, port: 0))
        let sender = try UDPSocket(at: SocketAddress(.loopbackV4, port: 0))
        try sender.send([UInt8](repeating: 1, count: UDPSocket.longestDatagram + 1), to: receiver.address)
        try sender.send([UInt8](repeating: 2, count: UDPSocket.longestDatagram), to: receiver.address)
        #expect(try take(from: receiver)?.bytes.first == 2)
    }

    @Test("a port has one owner")
    func oneOwner() throws {
        let first = try UDPSocket(at: SocketAddress(.loopbackV4, port: 0))
        let error = #expect(throws: SystemError.self) { try UDPSocket(at: first.address) }
        #expect(error?.isAddressInUse == true)
        let port = first.address.port
        _ = try UDPSocket(at: SocketAddress(IPAddress(127, 0, 0, 2), port: port))
        #expect(PortHolder.whoHolds(udpPort: port) != nil)
    }

    @Test("a queue is notified of datagrams")
    func notice() async throws {
        let receiver = try UDPSocket(at: SocketAddress(.loopbackV4, port: 0))
        let (notices, noticesIn) = AsyncStream.makeStream(of: UInt8.self)
        receiver.notifyWhenReadable(on: SerialQueue(label: "test")) { [weak receiver] in
            while (try? receiver?.receive { bytes, _, _ in noticesIn.yield(bytes.first ?? 0) }) == true {}
        }
        try receiver.send([42], to: receiver.address)
        for await notice in notices {
            #expect(notice == 42)
            break
        }
        receiver.stopNotifying()
    }

    private typealias Taken = (bytes: [UInt8], source: SocketAddress, receivedAt: HostTime)

    /// Returns the next datagram; waits two minutes at most, which only a failed test reaches.
    private func take(from socket: UDPSocket) throws -> Taken? {
        var poller = SocketPoller(sockets: [socket], signal: try WakeSignal())
        let deadline = SystemClock.now.advanced(by: .seconds(120))
        var taken: Taken?
        while taken == nil, SystemClock.now < deadline {
            try poller.wait(until: deadline) { _ in }
            while taken == nil, try socket.receive({ taken = (Array($0), $1, $2) }) {}
        }
        return taken
    }
}
