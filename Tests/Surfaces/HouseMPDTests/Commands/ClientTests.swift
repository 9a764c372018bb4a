import Testing
import TuttiTestSupport

@testable import TuttiHouse
@testable import TuttiHouseMPD

@Suite("Clients among each other, and their playlists", .timeLimit(.minutes(5)), .tags(.machine))
struct ClientTests {
    @Test("tags, the size of parts and the zone are each client's own")
    func separation() async throws {
        let (test, client) = try await TestServer.filled()
        let other = test.client()
        await client.ask("tagtypes clear", "binarylimit 64", "newpartition Garden", "partition Garden")
        #expect(await client.values("Title", "lsinfo plain.wav").isEmpty)
        #expect(await other.values("Title", "lsinfo plain.wav") == ["plain"])
        #expect(await client.value("partition") == "Garden")
        #expect(await other.value("partition") == "Music")
        #expect(await client.ask("subscribe news") == "OK\n")
        // Channels are those of a partition.
        #expect(await other.ask("channels") == "OK\n")
        #expect(await other.ask("sendmessage news x").hasPrefix("ACK [50@0]"))
        await other.ask("partition Garden")
        #expect(await other.ask("channels", "sendmessage news x") == "channel: news\nOK\nOK\n")
        #expect(await client.ask("readmessages") == "channel: news\nmessage: x\nOK\n")
    }

    @Test("messages come in their order, with the channel of each, also to their sender")
    func messages() async throws {
        let (test, client) = try await TestServer.filled()
        await client.ask("subscribe a", "subscribe b.c:d-e_F9")
        for text in ["one", "\"two \\\"2\\\"\"", "\"\"", "ünï"] { await client.ask("sendmessage a \(text)") }
        await client.ask("sendmessage b.c:d-e_F9 five", "unsubscribe a")
        let answer = await client.ask("readmessages")
        #expect(
            answer == """
                channel: a
                message: one
                channel: a
                message: two "2"
                channel: a
                message: 
                channel: a
                message: ünï
                channel: b.c:d-e_F9
                message: five
                OK

                """)
        #expect(await client.ask("readmessages") == "OK\n")
        withExtendedLifetime(test) {}
    }

    @Test("a picture that is read in parts of any size is whole", arguments: [64, 100, 303, 8192])
    func picture(size: Int) async throws {
        let (test, client) = try await TestServer.filled()
        await client.ask("binarylimit \(size)")
        var (whole, reads): ([UInt8], Int) = ([], 0)
        while whole.count < 303, reads < 10 {
            reads += 1
            await client.session.receive(Array("readpicture Beta/a.mp3 \(whole.count)\n".utf8))
            let bytes = client.link.state.withLock { state in
                defer { state.bytes = [] }
                return state.bytes
            }
            let count = min(size, 303 - whole.count)
            let head = Array("size: 303\ntype: image/jpeg\nbinary: \(count)\n".utf8)
            try #require(bytes.starts(with: head) && bytes.count == head.count + count + 4)
            whole += bytes[head.count..<head.count + count]
        }
        #expect(whole == [0xFF, 0xD8, 0xFF] + Array(repeating: 7, count: 300))
        #expect(reads == (303 + size - 1) / size)
        // The end of a picture is an empty part.
        #expect(await client.ask("albumart Beta/a.mp3 303") == "size: 303\nbinary: 0\n\nOK\n")
        withExtendedLifetime(test) {}
    }

    // MARK: Playlists

    @Test("a playlist whose name has spaces around it is the same one each time")
    func spacedName() async throws {
        let (test, client) = try await TestServer.filled()
        #expect(await client.ask("save \" mine  \"") == "OK\n")
        #expect(await client.ask("save \" mine  \"") == "ACK [56@0] {save} Playlist already exists\n")
        #expect(await client.ask("playlistadd \" mine  \" plain.wav") == "OK\n")
        #expect(await client.ask("listplaylists") == "playlist: mine\nOK\n")
        #expect(await client.values("file", "listplaylist \" mine  \"").count == 5)
        #expect(await client.ask("rename mine \"ours \"", "rename \" ours\" mine") == "OK\nOK\n")
        #expect(await client.ask("rm \"mine \"", "listplaylists") == "OK\nOK\n")
        withExtendedLifetime(test) {}
    }

    @Test("edits of a playlist beyond its ends are refused, and leave it as it is")
    func playlistEdges() async throws {
        let (test, client) = try await TestServer.filled()
        await client.ask("save list")
        let before = await client.values("file", "listplaylist list")
        for line in [
            "playlistdelete list 4", "playlistdelete list 2:9", "playlistdelete list -1",
            "playlistdelete list x",
            "playlistmove list 4 0", "playlistmove list 0 4", "playlistmove list 0:3 2",
            "playlistadd list plain.wav 5",
            "playlistadd list nope", "playlistadd list plain.wav -1", "playlistadd new plain.wav 1",
            "searchaddpl list artist", "searchaddpl list any song position +1", "rename list \"\"",
            "rename list a/b",
        ] {
            #expect(await client.ask(line).hasPrefix("ACK ["), "\(line)")
        }
        #expect(await client.values("file", "listplaylist list") == before)
        #expect(await client.values("playlist", "listplaylists") == ["list"])
        await client.ask("playlistmove list 0:2 2", "playlistadd list plain.wav 4")
        #expect(
            await client.values("file", "listplaylist list") == Array(before[2...] + before[..<2]) + [
                "plain.wav"
            ])
        await client.ask("playlistdelete list 1:", "load list 7:9", "load list 0:9 0")
        #expect(await client.values("file", "listplaylist list") == [before[2]])
        #expect(await client.values("file", "playlistinfo").first == before[2])
        withExtendedLifetime(test) {}
    }
}
