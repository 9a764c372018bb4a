import Foundation
import Synchronization
import Testing
import TuttiHouse

@testable import TuttiHouseMPD

/// The bytes that a client was sent.
final class RecordingLink: ClientLink {
    struct State {
        var bytes: [UInt8] = []
        var isClosed = false
        var drains = 0
    }

    let author = "test"
    let state = Mutex(State())

    func send(_ bytes: [UInt8]) { state.withLock { $0.bytes += bytes } }
    func close() { state.withLock { $0.isClosed = true } }

    func drained() async -> Bool {
        state.withLock { state in
            state.drains += 1
            return !state.isClosed
        }
    }

    /// The text since the last call.
    func take() -> String {
        state.withLock { state in
            defer { state.bytes = [] }
            return String(decoding: state.bytes, as: UTF8.self)
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }
}

/// A client without a network.
struct TestClient {
    let session: ClientSession
    let link = RecordingLink()

    init(_ core: ServerCore) {
        session = ClientSession(core, link)
        _ = core.add(session.client)
    }

    /// Sends lines, and returns the answer.
    @discardableResult
    func ask(_ lines: String...) async -> String {
        await session.receive(Array((lines.joined(separator: "\n") + "\n").utf8))
        return link.take()
    }

    /// Returns the values of a name in an answer.
    func values(_ name: String, _ line: String) async -> [String] {
        await ask(line).split(separator: "\n").compactMap { line in
            line.hasPrefix(name + ": ") ? String(line.dropFirst(name.count + 2)) : nil
        }
    }

    func value(_ name: String, _ line: String = "status") async -> String? { await values(name, line).first }
}

/// A surface's state without a network, over a house without sound and a real library.
struct TestServer {
    let core: ServerCore
    let house: FakeHouse
    let library: TestLibrary

    init(_ files: [String: String] = TestLibrary.files, password: String? = nil) async throws {
        library = try await TestLibrary.make(files)
        house = FakeHouse(items: library.library)
        core = ServerCore(house: house, library: library.library, password: password, now: { 1000 })
        house.state.withLock { $0.onChange = { [weak core] in core?.houseDidChange($0) } }
        await core.start()
    }

    func client() -> TestClient { TestClient(core) }
}

extension TestServer {
    /// A client whose zone has four entries, with the ids 1 to 4; the first one is the current one.
    static func filled() async throws -> (TestServer, TestClient) {
        let test = try await TestServer()
        let client = test.client()
        await client.ask("add Beta", "add Alpha")
        try #require(await client.values("Id", "playlistinfo") == ["1", "2", "3", "4"])
        return (test, client)
    }
}
