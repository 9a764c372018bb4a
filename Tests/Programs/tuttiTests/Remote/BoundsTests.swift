import Foundation
import Glibc
import Testing
import TuttiServiceHost
import TuttiSystemIO
import TuttiTestSupport

@testable import tutti

@Suite("Commands and services that nobody trusts", .tags(.machine))
struct BoundsTests {
    // MARK: Secrets

    /// The environment of a user whose own service does not run, with a token for the port of another program.
    private static func environment(_ fake: FakeService) throws -> [String: String] {
        let port = try #require(fake.address?.port)
        let environment = [
            "HOME": fake.folder.path, "XDG_STATE_HOME": fake.folder.path + "/state",
            "TUTTI_WEB_PORT": "\(port)",
        ]
        let token = DeviceToken(of: .tcp(host: "127.0.0.1", port: port), environment: environment)
        try #require(token).store("secret")
        return environment
    }

    @Test("a port of this machine gets a token only if --host names it")
    func tokens() async throws {
        let fake = try FakeService([FakeService.answer("{}"), FakeService.answer("{}")], isTCP: true)
        let environment = try Self.environment(fake)
        let port = try #require(fake.address?.port)
        _ = try await RemoteService(host: nil, config: nil, environment: environment).ask("GET", "/house")
        _ = try await RemoteService(host: "127.0.0.1:\(port)", config: nil, environment: environment)
            .ask("GET", "/house")
        let found = fake.requests.update { $0 }.map { $0.contains("\r\nAuthorization: Bearer secret\r\n") }
        #expect(found == [false, true])
    }

    @Test("a secret, and the code of another service, go to no port that --host does not name")
    func secrets() async throws {
        let fake = try FakeService([FakeService.answer("{}")], isTCP: true)
        let environment = try Self.environment(fake)
        let service = try RemoteService(host: nil, config: nil, environment: environment)
        await #expect(throws: RemoteFailure.noOwnServiceHere) {
            try await service.trusted.ask("GET", "/house")
        }
        // Settings that cannot be read leave the port alone.
        let broken = environment.merging(["TUTTI_WEB_PORT": "x"]) { $1 }
        let unread = try RemoteService(host: nil, config: nil, environment: broken)
        await #expect(throws: RemoteFailure.noOwnServiceHere) {
            try await unread.trusted.ask("GET", "/house")
        }
        for service in [service, unread] {
            let error = await #expect(throws: RemoteFailure.self) { try await service.pair(code: "123456") }
            #expect(error?.kind == .usage)
        }
        #expect(fake.requests.update { $0 }.isEmpty)
    }

    @Test("`tutti serve --code` asks at the service's socket, without a token and without the web page")
    func codes() async throws {
        let fake = try FakeService([FakeService.answer(#"{"code":"123456"}"#)])
        var settings = try HouseSettings.read(path: nil, environment: ["HOME": fake.folder.path]).settings
        settings.service.database = fake.folder.path
        settings.web.enabled = false
        let answer = try await ServiceClient.send("POST", "/access/code", settings, config: nil)
        #expect(answer["code"] as? String == "123456")
        let request = try #require(fake.requests.update { $0.first })
        #expect(request.hasPrefix("POST /api/v1/access/code HTTP/1.0\r\nHost: localhost\r\n"))
        #expect(!request.contains("Authorization"))
        settings.service.database = "/nonexistent"
        let other = settings
        await #expect(throws: RemoteFailure.noServiceToAsk) {
            try await ServiceClient.send("DELETE", "/access", other, config: nil)
        }
    }

    // MARK: Bounds

    private static func page(_ count: Int) -> String {
        let entries = (0..<count).map { #"{"id":\#($0),"track":{"title":"a"}}"# }.joined(separator: ",")
        return FakeService.answer(#"{"length":\#(Int.max),"entries":[\#(entries)]}"#)
    }

    @Test("a queue that claims to have no end is read to the limit of a house")
    func endlessQueue() async throws {
        let fake = try FakeService(Array(repeating: Self.page(1_500), count: 16))
        let service = try RemoteService(host: fake.path, config: nil, environment: [:])
        let entries = try await service.queue(of: TestHouse.zone(1, "Kitchen", length: .max))
        #expect(entries.count == RemoteService.entryLimit)
        #expect(fake.requests.update { $0.count } == 14)
    }

    @Test("pages end at the limit of a house, and at the first empty one")
    func endlessPages() async throws {
        let fake = try FakeService(
            Array(repeating: Self.page(1), count: 20) + [Self.page(1), Self.page(0), Self.page(0)])
        let service = try RemoteService(host: fake.path, config: nil, environment: [:])
        var counts: [Int] = []
        for length in [Int.max, .max, .min] {
            var count = 0
            try await service.pages(of: TestHouse.zone(1, "Kitchen", length: length)) { _ in count += 1 }
            counts.append(count)
        }
        #expect(counts == [20, 1, 1])
    }

    @Test("an address that does not answer leaves time for the next one")
    func shares() async throws {
        let fake = try FakeService([], isTCP: true)
        let answering = try #require(fake.address)
        // A full backlog drops further connections without a word.
        let silent = try SocketDescriptor(family: .v4, type: SOCK_STREAM)
        try silent.bind(to: SocketAddress(.loopbackV4, port: 0))
        listen(silent.number, 0)
        let address = try silent.localAddress()
        let waiting = try (0..<4).map { _ in
            let socket = try SocketDescriptor(family: .v4, type: SOCK_STREAM)
            _ = address.withSockaddr { Glibc.connect(socket.number, $0, $1) }
            return socket
        }
        let deadline = ContinuousClock.now + .milliseconds(400)
        #expect(throws: Never.self) {
            try ServiceSocket.connect(to: [address, answering], until: deadline)
        }
        #expect(throws: SystemError.self) {
            try ServiceSocket.connect(to: [address], until: .now + .milliseconds(20))
        }
        withExtendedLifetime((waiting, silent)) {}
    }
}
