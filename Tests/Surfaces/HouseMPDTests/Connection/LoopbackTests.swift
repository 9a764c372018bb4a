import Foundation
import Glibc
import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiHouseMPD

/// A client on a socket of its own; each wait is on a thread of its own.
private final class SocketClient: Sendable {
    private let socket: Int32

    init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // Ends only a failed test.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw SystemError(operation: "connect", code: errno) }
    }

    deinit { Glibc.close(socket) }

    /// Ends the client's side; answers still come.
    func finish() { shutdown(socket, Int32(SHUT_WR)) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Returns what comes until a text ends with this, or until the end of the connection.
    func receive(until end: String) async -> String {
        await withCheckedContinuation { continuation in
            Thread { [socket] in
                var (bytes, block) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
                while !bytes.suffix(end.utf8.count).elementsEqual(end.utf8) || end.isEmpty {
                    let count = recv(socket, &block, block.count, 0)
                    guard count > 0 else { break }
                    bytes += block[..<count]
                }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }.start()
        }
    }
}

@Suite("The surface over loopback", .timeLimit(.minutes(5)), .tags(.machine))
struct LoopbackTests {
    private func open(_ files: [String: String] = TestLibrary.files) async throws -> (
        surface: MPDSurface, port: UInt16, house: FakeHouse, library: TestLibrary
    ) {
        let library = try await TestLibrary.make(files)
        let house = FakeHouse(items: library.library)
        let configuration = MPDSurface.Configuration(
            addresses: [SocketAddress(.loopbackV4, port: 0)], folders: [library.path + "/music"])
        let surface = MPDSurface(configuration: configuration, library: library.library)
        house.state.withLock { $0.onChange = { [weak surface] in surface?.houseDidChange($0) } }
        try await surface.start(house)
        return (surface, surface.addresses.first?.port ?? 0, house, library)
    }

    @Test("a client is greeted, answered, told of changes, and let go")
    func conversation() async throws {
        let test = try await open()
        let (client, other) = (try SocketClient(port: test.port), try SocketClient(port: test.port))
        #expect(await client.receive(until: "\n") == "OK MPD 0.23.5\n")
        client.send("add Be")
        client.send("ta\nidle playlist\n")
        #expect(await client.receive(until: "playlist\nOK\n") == "OK\nchanged: playlist\nOK\n")
        client.send("idle mixer\n")
        _ = await other.receive(until: "\n")
        other.send("setvol 9\n")
        #expect(await other.receive(until: "OK\n") == "OK\n")
        #expect(await client.receive(until: "OK\n") == "changed: mixer\nOK\n")
        client.send("close\n")
        #expect(await client.receive(until: "") == "")
        await test.surface.stop()
        #expect(await other.receive(until: "") == "")
        #expect(test.surface.addresses.isEmpty)
    }

    @Test("a client that does not read its long answer holds up nobody")
    func deaf() async throws {
        var files: [String: String] = [:]
        for number in 0..<1000 { files["a/\(number).mp3"] = "title=\(String(repeating: "x", count: 2000))" }
        let test = try await open(files)
        let (deaf, other) = (try SocketClient(port: test.port), try SocketClient(port: test.port))
        for _ in 0..<50 { deaf.send("listallinfo\n") }
        _ = await other.receive(until: "\n")
        other.send("getvol\n")
        #expect(await other.receive(until: "OK\n") == "volume: 40\nOK\n")
        await test.surface.stop()
    }

    @Test("more clients than the limit are refused, and one that leaves makes room")
    func limit() async throws {
        let test = try await open()
        var clients: [SocketClient] = []
        for _ in 0..<ServerCore.clientLimit {
            let client = try SocketClient(port: test.port)
            #expect(await client.receive(until: "\n") == ClientSession.greeting)
            clients.append(client)
        }
        #expect(await (try SocketClient(port: test.port)).receive(until: "\n") == "")
        clients[0].send("close\n")
        #expect(await clients[0].receive(until: "") == "")
        let room = Recorder(false)
        while !room.value {
            let answer = await (try SocketClient(port: test.port)).receive(until: "\n")
            room.update { $0 = answer == ClientSession.greeting }
        }
        await test.surface.stop()
    }

    @Test("a silent client is closed after a minute, and one that waits for events is not")
    func silent() async throws {
        let test = try await TestServer()
        let start = ContinuousClock.now
        let listener = ClientListener(test.core, now: { start })
        let port = try listener.listen(at: [SocketAddress(.loopbackV4, port: 0)]).first?.port ?? 0
        let (silent, idle) = (try SocketClient(port: port), try SocketClient(port: port))
        for client in [silent, idle] {
            _ = await client.receive(until: "\n")
            client.send("ping\n")
            #expect(await client.receive(until: "OK\n") == "OK\n")
        }
        idle.send("idle mixer\n")
        while !test.core.clients.contains(where: { $0.inbox.withLock { $0.isIdle } }) { await Task.yield() }
        // Before that it counts as one that takes no bytes.
        while !listener.areIdle { await Task.yield() }
        #expect(listener.sweep(at: start + .seconds(59)))
        silent.send("ping\n")
        #expect(await silent.receive(until: "OK\n") == "OK\n")
        while listener.sweep(at: start + .seconds(61)) { await Task.yield() }
        #expect(await silent.receive(until: "") == "")
        #expect(!listener.sweep(at: start + .seconds(1000)))
        await test.client().ask("setvol 3")
        #expect(await idle.receive(until: "OK\n") == "changed: mixer\nOK\n")
        listener.close()
    }

    @Test("a client that was just told of an event has a minute for its next command")
    func told() async throws {
        let test = try await TestServer()
        let start = ContinuousClock.now
        let time = Recorder(start)
        let listener = ClientListener(test.core, now: { time.value })
        let port = try listener.listen(at: [SocketAddress(.loopbackV4, port: 0)]).first?.port ?? 0
        let client = try SocketClient(port: port)
        _ = await client.receive(until: "\n")
        client.send("idle mixer\n")
        while !test.core.clients.contains(where: { $0.inbox.withLock { $0.isIdle } }) { await Task.yield() }
        // The command is answered, so that only the wait is left.
        while !listener.areIdle { await Task.yield() }
        let told = start + .seconds(1000)
        time.update { $0 = told }
        #expect(!listener.sweep(at: told))
        await test.client().ask("setvol 3")
        #expect(await client.receive(until: "OK\n") == "changed: mixer\nOK\n")
        #expect(listener.sweep(at: told + .seconds(1)))
        client.send("ping\n")
        #expect(await client.receive(until: "OK\n") == "OK\n")
        // The service is done with a command a moment after its answer.
        while test.core.clients.count == 2 {
            _ = listener.sweep(at: told + .seconds(61))
            await Task.yield()
        }
        #expect(await client.receive(until: "") == "")
        listener.close()
    }

    @Test("long answers come whole before the end of a connection", arguments: [true, false])
    func ending(closes: Bool) async throws {
        var files: [String: String] = [:]
        for number in 0..<1000 { files["a/\(number).mp3"] = "title=\(String(repeating: "x", count: 2000))" }
        let test = try await open(files)
        let client = try SocketClient(port: test.port)
        client.send(closes ? "listallinfo\nlistallinfo\nclose\n" : "listallinfo\nlistallinfo\n")
        if !closes { client.finish() }
        let answer = await client.receive(until: "")
        #expect(answer.hasSuffix("OK\n") && answer.split(separator: "\n").count { $0 == "OK" } == 2)
        await test.surface.stop()
    }

    @Test("a connection that ends before it is answered frees its place")
    func earlyEnd() async throws {
        let test = try await TestServer()
        let links = Recorder<[ClientConnection]>([])
        let listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        listener.start { connection in links.update { $0.append(ClientConnection(connection)) } }
        let client = try SocketClient(port: listener.address.port)
        let link = try await links.wait(for: "the connection") { $0.first }
        let ends = Recorder(0)
        link.close()
        link.start(ClientSession(test.core, link), onActivity: {}, onClose: { ends.update { $0 += 1 } })
        _ = try await ends.wait(for: "the end") { $0 > 0 ? true : nil }
        link.close()
        #expect(await client.receive(until: "") == "" && ends.value == 1)
        listener.close()
    }

    @Test("a surface that is stopped while it starts does not listen")
    func stoppedStart() async throws {
        let library = try await TestLibrary.make()
        let house = FakeHouse(items: library.library)
        let surface = MPDSurface(
            configuration: MPDSurface.Configuration(
                addresses: [SocketAddress(.loopbackV4, port: 0)], folders: []),
            library: library.library)
        house.state.withLock { $0.onSnapshot = { await surface.stop() } }
        try await surface.start(house)
        #expect(surface.addresses.isEmpty)
        house.state.withLock { $0.onSnapshot = nil }
        try await surface.start(house)
        #expect(surface.addresses.count == 1)
        await surface.stop()
    }

    @Test("a port in use is told in a sentence")
    func portInUse() async throws {
        let test = try await open()
        var configuration = MPDSurface.Configuration(
            addresses: [SocketAddress(.loopbackV4, port: test.port)], folders: [])
        configuration.password = "x"
        let second = MPDSurface(configuration: configuration, library: test.library.library)
        do {
            try await second.start(test.house)
            Issue.record("The port was free.")
        } catch {
            #expect("\(error)".contains("127.0.0.1:\(test.port)"))
        }
        await test.surface.stop()
    }
}
