import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Server for remote commands", .timeLimit(.minutes(10)), .tags(.machine))
struct DACPServerTests {
    static let identity = SenderIdentity(name: "Phone", clock: FakeClock().identity)

    /// A connection to a server, with all text received on it.
    struct Caller {
        let connection: TCPConnection
        let text = Recorder("")
        let isClosed = Recorder(false)

        init(_ server: DACPServer) async throws {
            connection = try await TCPConnection.connect(
                to: SocketAddress(.loopbackV4, port: server.port), timeout: .seconds(60))
            connection.start(
                onBytes: { [text] bytes in text.update { $0 += String(decoding: bytes, as: UTF8.self) } },
                onClose: { [isClosed] _ in isClosed.update { $0 = true } })
        }

        func send(_ target: String, token: String) {
            connection.send(
                Array("GET \(target) HTTP/1.1\r\nHost: x\r\nActive-Remote: \(token)\r\n\r\n".utf8))
        }

        func answers(_ count: Int) async throws -> [String] {
            try await text.wait(for: "\(count) answers") { text in
                let heads = text.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }
                return heads.count >= count ? heads.map(String.init) : nil
            }
        }
    }

    private static func server(
        _ handler: @escaping DACPServer.Handler
    ) throws -> (server: DACPServer, token: String) {
        (
            try DACPServer(
                identity: identity, at: .loopbackV4, machine: SystemMachine(), admits: { _ in true },
                handler: handler),
            String(identity.activeRemote)
        )
    }

    @Test("the handler gets each command with its speaker, and its answers become status codes")
    func commands() async throws {
        let asked = Recorder<[DACPCommand]>([])
        let (server, token) = try Self.server { command, speaker, answer in
            asked.update { $0.append(command) }
            #expect(speaker == .loopbackV4)
            switch command {
            case .play: answer(.done)
            case .stop: answer(.notThere)
            case .nextItem: answer(.failed)
            default: answer(.unknown)
            }
        }
        let caller = try await Caller(server)
        for word in ["play", "stop", "nextitem", "getspeakers"] {
            caller.send("/ctrl-int/1/\(word)", token: token)
        }
        #expect(
            try await caller.answers(4) == [
                "HTTP/1.1 204 No Content", "HTTP/1.1 404 Not Found", "HTTP/1.1 500 Internal Server Error",
                "HTTP/1.1 400 Bad Request",
            ])
        #expect(asked.value == [.play, .stop, .nextItem, .other("getspeakers")])
        server.close()
        _ = try await caller.isClosed.wait(for: "the end") { $0 ? 1 : nil }
    }

    @Test("answers keep the order of the requests")
    func order() async throws {
        let waiting = Recorder<[@Sendable (DACPAnswer) -> Void]>([])
        let (server, token) = try Self.server { _, _, answer in
            let answers = waiting.update { waiting in
                waiting.append(answer)
                return waiting
            }
            guard answers.count == 2 else { return }
            answers[1](.failed)
            answers[0](.done)
            answers[0](.failed)
        }
        let caller = try await Caller(server)
        for word in ["play", "stop"] { caller.send("/ctrl-int/1/\(word)", token: token) }
        #expect(
            try await caller.answers(2) == ["HTTP/1.1 204 No Content", "HTTP/1.1 500 Internal Server Error"])
    }

    @Test("a request without the right token gets 403, and an unknown path gets 404")
    func strangers() async throws {
        let (server, token) = try Self.server { _, _, answer in
            Issue.record("asked")
            answer(.done)
        }
        let caller = try await Caller(server)
        caller.send("/ctrl-int/1/play", token: "1")
        caller.send("/ctrl-int/1/play", token: "")
        caller.send("/", token: token)
        #expect(
            try await caller.answers(3) == [
                "HTTP/1.1 403 Forbidden", "HTTP/1.1 403 Forbidden", "HTTP/1.1 404 Not Found",
            ])
    }

    @Test("a malformed or endless request ends the connection")
    func nonsense() async throws {
        let (server, _) = try Self.server { _, _, answer in answer(.done) }
        let first = try await Caller(server)
        first.connection.send(Array("what is this\r\n\r\n".utf8))
        _ = try await first.isClosed.wait(for: "the end") { $0 ? 1 : nil }
        let long = try await Caller(server)
        long.connection.send([UInt8](repeating: UInt8(ascii: "a"), count: 10_000))
        _ = try await long.isClosed.wait(for: "the end") { $0 ? 1 : nil }
    }

    @Test("a connection from a host without a session is closed")
    func otherHosts() async throws {
        let server = try DACPServer(
            identity: Self.identity, at: .loopbackV4, machine: SystemMachine(), admits: { _ in false }
        ) {
            _, _, answer in
            Issue.record("asked")
            answer(.done)
        }
        let caller = try await Caller(server)
        caller.send("/ctrl-int/1/play", token: String(Self.identity.activeRemote))
        #expect(try await caller.outcome() == false)
    }

    @Test("a speaker is limited to four connections")
    func limit() async throws {
        let (server, token) = try Self.server { _, _, answer in answer(.done) }
        // All at once, because the server closes a silent connection after a while.
        let many = try await withThrowingTaskGroup(of: Caller.self) { group in
            for _ in 0..<40 { group.addTask { try await Caller(server) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for caller in many { caller.send("/ctrl-int/1/play", token: token) }
        var served = 0
        for caller in many {
            let isServed = try await caller.outcome()
            if isServed { served += 1 }
        }
        #expect(served == DACPGuests.connectionsPerSpeaker)
    }
}

extension DACPServerTests.Caller {
    /// Returns `true` once the server answers, `false` if it closes the connection first.
    func outcome() async throws -> Bool {
        let ended = Task { try await isClosed.wait(for: "the end") { $0 ? false : nil } }
        let answered = Task { try await answers(1).count == 1 }
        defer {
            ended.cancel()
            answered.cancel()
        }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await ended.value }
            group.addTask { try await answered.value }
            let first = try await group.next() ?? false
            group.cancelAll()
            ended.cancel()
            answered.cancel()
            return first
        }
    }
}
