import Testing
import TuttiTestSupport

@testable import TuttiHouse
@testable import TuttiHouseMPD

@Suite("Commands of the queue", .timeLimit(.minutes(5)), .tags(.machine))
struct QueueCommandTests {
    private let zone = FakeHouse.zone

    private func id(_ uri: String, _ test: TestServer) async throws -> Int64 {
        try await test.core.catalogue.catalogue().song(uri: uri)?.id ?? 0
    }

    private func uris(_ client: TestClient) async -> [String] { await client.values("file", "playlistinfo") }

    @Test("songs are added, moved, swapped and removed where clients say")
    func edits() async throws {
        let test = try await TestServer()
        let client = test.client()
        await client.ask("add Alpha", "addid plain.wav 0")
        #expect(await uris(client) == ["plain.wav", "Alpha/One/01.flac", "Alpha/One/02.flac"])
        #expect(await client.ask("addid Beta/b.ogg +0") == "Id: 4\nOK\n")
        // The first song that was added is the current one.
        #expect(await uris(client) == ["plain.wav", "Alpha/One/01.flac", "Beta/b.ogg", "Alpha/One/02.flac"])
        #expect(
            test.house.takeCommands().last == .add(zone, [.track(try await id("Beta/b.ogg", test))], .next))
        await client.ask("move 0 3")
        #expect(await uris(client) == ["Alpha/One/01.flac", "Beta/b.ogg", "Alpha/One/02.flac", "plain.wav"])
        await client.ask("move 2:4 0")
        #expect(await uris(client) == ["Alpha/One/02.flac", "plain.wav", "Alpha/One/01.flac", "Beta/b.ogg"])
        await client.ask("swap 0 3", "swapid 1 3")
        #expect(await uris(client) == ["Beta/b.ogg", "Alpha/One/01.flac", "plain.wav", "Alpha/One/02.flac"])
        await client.ask("deleteid 3", "delete 0")
        #expect(await uris(client) == ["Alpha/One/01.flac", "Alpha/One/02.flac"])
        await client.ask("shuffle", "shuffle 0:99", "playlistinfo 9:", "delete 9:", "delete 0:99")
        #expect(await uris(client).isEmpty)
        await client.ask("add /", "clear")
        #expect(await client.value("playlistlength") == "0")
    }

    @Test(
        "a place or an id that is not there has the answer of MPD",
        arguments: [
            ("play 9", "ACK [2@0] {play} Bad song index"), ("playid 9", "ACK [50@0] {playid} No such song"),
            ("play x", "ACK [2@0] {play} Integer expected: x"),
            ("playlistinfo 9", "ACK [2@0] {playlistinfo} Bad song index"),
            ("playlistid 9", "ACK [50@0] {playlistid} No such song"),
            ("delete 9", "ACK [2@0] {delete} Bad song index"),
            ("deleteid 9", "ACK [50@0] {deleteid} No such song"),
            ("move 0 9", "ACK [2@0] {move} Number too large: 9"),
            ("moveid 9 0", "ACK [50@0] {moveid} No such song"),
            ("swap 0 9", "ACK [2@0] {swap} Bad song index"),
            ("add nope", "ACK [50@0] {add} No such directory"),
            ("add /etc/passwd", "ACK [4@0] {add} Access denied"),
            ("add ../x", "ACK [50@0] {add} No such directory"),
            ("addid nope", "ACK [50@0] {addid} No such song"),
            ("addid plain.wav 9", "ACK [2@0] {addid} Number too large: 9"),
            ("prio 999 0", "ACK [2@0] {prio} Number too large: 999"),
            ("prioid 5 9", "ACK [50@0] {prioid} No such song"),
            ("addtagid 1 title x", "ACK [4@0] {addtagid} Cannot edit tags of local file"),
            ("setvol 101", "ACK [2@0] {setvol} Number too large: 101"),
            ("repeat 2", "ACK [2@0] {repeat} Boolean (0/1) expected: 2"),
            ("seek 0 -1", "ACK [2@0] {seek} Negative value not allowed: -1"),
            ("seekcur nan", "ACK [2@0] {seekcur} Float expected: nan"),
        ])
    func missing(line: String, answer: String) async throws {
        let test = try await TestServer()
        let client = test.client()
        await client.ask("add Beta")
        #expect(await client.ask(line) == answer + "\n")
    }

    @Test("changes of the queue are told by version, with and without songs")
    func changes() async throws {
        let test = try await TestServer()
        let client = test.client()
        await client.ask("add Beta", "add Alpha")
        let version = await client.value("playlist") ?? ""
        await client.ask("move 3 2")
        #expect(await client.ask("plchangesposid \(version)") == "cpos: 2\nId: 4\ncpos: 3\nId: 3\nOK\n")
        #expect(await client.values("Pos", "plchanges \(version)") == ["2", "3"])
        #expect(await client.values("Pos", "plchanges \(version) 3:") == ["3"])
        #expect(await client.values("Pos", "plchanges 0").count == 4)
        let now = await client.value("playlist") ?? ""
        #expect(await client.ask("plchanges \(now)") == "OK\n")
        #expect(await client.values("Pos", "playlistfind artist Beta") == ["0", "1"])
        #expect(await client.values("Pos", "playlistsearch title SONG") == ["2", "3"])
        #expect(await client.ask("playlist").hasPrefix("0:file: Beta/a.mp3\n1:file: Beta/b.ogg\n"))
    }

    @Test("a station's title is told for the song that had it and for the one that has it")
    func titles() async throws {
        let test = try await TestServer()
        let client = test.client()
        await client.ask("add Beta", "play")
        test.house.change { $0.streamTitle = "Moment" }
        let version = await client.value("playlist") ?? ""
        try test.house.edit { queue throws(HouseError) in queue.setCurrent(EntryID(rawValue: 2)) }
        test.house.change { $0.streamTitle = nil }
        #expect(await client.values("cpos", "plchangesposid \(version)").contains("1"))
        test.house.change { $0.streamTitle = "Other" }
        let later = await client.value("playlist") ?? ""
        let first = test.house.entry(1)
        test.house.change { ($0.streamTitle, $0.current, $0.index) = (nil, first, 0) }
        #expect(await client.values("cpos", "plchangesposid \(later)") == ["0", "1"])
    }

    @Test("clients of a zone share one reading of its queue")
    func sharedQueue() async throws {
        let test = try await TestServer()
        await test.client().ask("add Beta")
        let reads = Recorder(0)
        let gate = Recorder(false)
        test.house.state.withLock { state in
            state.onQueue = {
                reads.update { $0 += 1 }
                _ = try? await gate.wait(for: "the gate") { $0 ? true : nil }
            }
        }
        try test.house.edit { queue throws(HouseError) in queue.remove([EntryID(rawValue: 1)]) }
        let answers = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<5 { group.addTask { await test.client().value("playlistlength") } }
            _ = try? await reads.wait(for: "a reading") { $0 > 0 ? true : nil }
            for _ in 0..<200 { await Task.yield() }
            gate.update { $0 = true }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0 == "1" } && reads.value == 1)
    }

    @Test("songs that a command list adds one by one are added at once")
    func additions() async throws {
        let test = try await TestServer()
        let client = test.client()
        let answer = await client.ask(
            "command_list_ok_begin", "clear", "add plain.wav", "addid Beta/a.mp3", "addid Beta/b.ogg",
            "add nope",
            "add plain.wav", "command_list_end")
        #expect(
            answer == "list_OK\nlist_OK\nId: 2\nlist_OK\nId: 3\nlist_OK\nACK [50@4] {add} No such directory\n"
        )
        #expect(test.house.takeCommands().count == 2)
        #expect(await uris(client) == ["plain.wav", "Beta/a.mp3", "Beta/b.ogg"])
    }
}
