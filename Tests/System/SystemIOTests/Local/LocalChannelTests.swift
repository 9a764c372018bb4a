import Testing
import TuttiSystemIO
import TuttiTestSupport

@Suite("Connections between programs of one machine", .tags(.machine))
struct LocalChannelTests {
    @Test("messages stay separate and carry open sockets")
    func passing() throws {
        let (here, there) = try LocalChannel.pair()
        let socket = try UDPSocket(at: SocketAddress(IPAddress(127, 0, 0, 1), port: 0))
        #expect(try here.send([1, 2, 3]))
        #expect(try here.send([4], passing: [#require(socket.passed), #require(socket.passed)]))
        guard case .message(let first, let none) = there.receive(),
            case .message(let second, let passed) = there.receive()
        else {
            Issue.record("no two messages")
            return
        }
        #expect(first == [1, 2, 3] && none.isEmpty && second == [4] && passed.count == 2)
        let same = try UDPSocket(adopting: passed[0], stampsDepartures: false)
        #expect(same.address == socket.address)
        // A message is received once, by the first reader.
        try socket.send([7], to: socket.address)
        var taken: [UInt8] = []
        #expect(try same.receive { bytes, _, _ in taken = Array(bytes) })
        #expect(taken == [7])
        #expect(try !socket.receive { _, _, _ in })
        #expect(throws: SystemError.self) { try LocalListener(adopting: passed[1]) }
        guard case .nothing = there.receive() else {
            Issue.record("more than was sent")
            return
        }
    }

    @Test("an overlong message is truncated, an end is seen, a full connection reports so")
    func limits() throws {
        let (here, there) = try LocalChannel.pair()
        #expect(try here.send([UInt8](repeating: 1, count: LocalChannel.longestMessage + 1)))
        guard case .cut = there.receive() else {
            Issue.record("not cut")
            return
        }
        var count = 0
        while try here.send([UInt8](repeating: 1, count: 1000)) { count += 1 }
        #expect(count > 20)
        for _ in 0..<count { _ = there.receive() }
        #expect(try here.send([1]))
    }

    @Test("a closed peer is seen after its messages")
    func end() throws {
        var ends: (LocalChannel, LocalChannel)? = try LocalChannel.pair()
        let left = try #require(ends?.1)
        #expect(try ends?.0.send([1]) == true)
        ends = nil
        guard case .message = left.receive(), case .closed = left.receive() else {
            Issue.record("no message, or no end")
            return
        }
        #expect(throws: SystemError.self) { try left.send([2]) }
    }

    @Test("a listener replaces a stale one at its path, and can be passed on")
    func listener() throws {
        let path = "/tmp/tutti-listener-\(UInt64.random(in: 0 ... .max))"
        defer { RuntimeFolder.removeSocket(at: path) }
        #expect(throws: SystemError.self) { try LocalChannel(to: path) }
        _ = try LocalListener(at: path)
        let error = #expect(throws: SystemError.self) { try LocalChannel(to: path) }
        #expect(error?.isConnectionRefused == true)
        let listener = try LocalListener(at: path)
        let client = try LocalChannel(to: path)
        let passed = try LocalListener(adopting: listener.passed)
        let accepted = try #require(passed.accept())
        #expect(listener.accept() == nil)
        #expect(try client.send([9]))
        guard case .message(let bytes, _) = accepted.receive() else {
            Issue.record("nothing came")
            return
        }
        #expect(bytes == [9] && accepted.peer == client.peer)
        #expect(throws: SystemError.self) { try LocalListener(at: String(repeating: "x", count: 200)) }
    }

    @Test("a lease has one holder for each term, and ends with its last one")
    func lease() throws {
        let first = try SharedLease()
        let second = try SharedLease(adopting: first.passed)
        #expect(first.term == 1 && second.term == 1)
        #expect(second.isHeldElsewhere(1) && !first.isHeldElsewhere(1))
        // The holder of term 1 is not asked.
        #expect(second.take(after: 1))
        #expect(first.term == 2 && first.isHeldElsewhere(2))
        #expect(!first.take(after: 1) && !first.take(after: 3))
        second.letGo(of: 2)
        #expect(!first.isHeldElsewhere(2))
        #expect(first.take(after: 2) && second.term == 3)
        #expect(throws: SystemError.self) {
            try SharedLease(adopting: #require(UDPSocket(at: SocketAddress(.loopbackV4, port: 0)).passed))
        }
    }

    @Test("a world-writable folder is not used, and a missing one is made for its user")
    func folders() throws {
        #expect(RuntimeFolder(path: "/tmp").access == .none)
        #expect(RuntimeFolder(path: "/proc/self/cmdline").access == .none)
        let folder = RuntimeFolder(path: "/tmp/tutti-folder-\(UInt64.random(in: 0 ... .max))")
        #expect(folder.access == .missing)
        #expect(folder.prepare() && folder.access == .make)
        #expect(folder.path(of: "name").hasSuffix("/name"))
        #expect(NetworkNamespace.number() != 0)
    }
}
