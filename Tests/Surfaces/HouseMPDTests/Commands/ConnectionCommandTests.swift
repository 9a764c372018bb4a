import Testing
import TuttiHouse
import TuttiMusicLibrary
import TuttiTestSupport

@testable import TuttiHouseMPD

@Suite("Commands of connections, partitions and outputs", .timeLimit(.minutes(5)), .tags(.machine))
struct ConnectionCommandTests {
    @Test("a client waits for events, and is told at once of those that it missed")
    func idle() async throws {
        let test = try await TestServer()
        let (client, other) = (test.client(), test.client())
        #expect(await client.ask("idle") == "")
        await other.ask("add Beta")
        #expect(client.link.take() == "changed: playlist\nOK\n")
        #expect(await client.ask("idle player mixer") == "changed: player\nOK\n")
        #expect(await client.ask("idle player mixer") == "")
        await other.ask("random 1")
        #expect(client.link.take() == "")
        await other.ask("setvol 7")
        #expect(client.link.take() == "changed: mixer\nOK\n")
        #expect(await client.ask("idle mixer") == "")
        #expect(await client.ask("noidle") == "OK\n")
        #expect(await client.ask("noidle") == "")
        #expect(await client.ask("idle") == "changed: options\nOK\n")
        #expect(await client.ask("idle nothing") == "ACK [2@0] {idle} Unrecognized idle event: nothing\n")
    }

    @Test("answers come before the events that follow them")
    func orderOfIdle() async throws {
        let test = try await TestServer()
        let client = test.client()
        #expect(await client.ask("setvol 5", "ping", "idle") == "OK\nOK\nchanged: mixer\nOK\n")
    }

    @Test("a waiting client that sends a command is closed, as is one that speaks another protocol")
    func closed() async throws {
        let test = try await TestServer()
        for lines in [["idle", "status"], ["GET / HTTP/1.1"], ["\"status\""], [" status"], [""], ["close"]] {
            let client = test.client()
            for line in lines { #expect(await client.ask(line) == "") }
            #expect(client.link.isClosed, "\(lines)")
            #expect(await client.ask("ping") == "")
        }
        let client = test.client()
        await client.session.receive(Array(repeating: 0x61, count: 5000))
        #expect(client.link.isClosed)
    }

    @Test("a command list answers together, and ends at its first mistake")
    func lists() async throws {
        let test = try await TestServer()
        let client = test.client()
        #expect(await client.ask("command_list_begin", "ping", "ping") == "")
        #expect(await client.ask("command_list_end") == "OK\n")
        #expect(
            await client.ask("command_list_ok_begin", "ping", "getvol", "command_list_end")
                == "list_OK\nvolume: 40\nlist_OK\nOK\n")
        #expect(
            await client.ask("command_list_ok_begin", "ping", "play 9", "ping", "command_list_end")
                == "list_OK\nACK [2@1] {play} Bad song index\n")
        #expect(
            await client.ask("command_list_begin", "foo", "command_list_end")
                == "ACK [5@0] {} unknown command \"foo\"\n")
        #expect(await client.ask("command_list_end").hasPrefix("ACK [5@0] {} unknown command"))
        let line = Array((String(repeating: "a", count: 4000) + "\n").utf8)
        await client.session.receive(Array("command_list_begin\n".utf8))
        for _ in 0..<600 { await client.session.receive(line) }
        #expect(client.link.isClosed)
        var list = CommandList(isAcknowledged: false)
        while list.append([]) {}
        #expect(list.count == CommandList.limit / MemoryLayout<Int>.size)
    }

    @Test("without the password a client may do nothing that matters")
    func password() async throws {
        let test = try await TestServer(password: "open sesame")
        let client = test.client()
        #expect(await client.ask("status") == "ACK [4@0] {status} you don't have permission for \"status\"\n")
        #expect(await client.ask("ping") == "OK\n")
        #expect(await client.values("command", "commands").contains("password"))
        #expect(await client.values("command", "notcommands").contains("status"))
        for wrong in ["open", "\"open sesamx\"", "\"\""] {
            #expect(await client.ask("password \(wrong)") == "ACK [3@0] {password} incorrect password\n")
        }
        #expect(
            await client.ask("command_list_begin", "add plain.wav", "add plain.wav", "command_list_end")
                == "ACK [4@0] {add} you don't have permission for \"add\"\n")
        #expect(await client.ask("password \"open sesame\"") == "OK\n")
        #expect(await client.ask("status").hasSuffix("OK\n"))
        #expect(await client.values("command", "notcommands").isEmpty)
        #expect(await test.client().ask("status").hasPrefix("ACK [4@0]"))
    }

    @Test("each answered command is listed, and each listed one is answered")
    func commands() async throws {
        let test = try await TestServer()
        let client = test.client()
        let listed = await client.values("command", "commands")
        #expect(listed == listed.sorted() && listed.count > 95)
        for name in listed {
            let answer = await test.client().ask(name)
            #expect(!answer.contains("unknown command"), "\(name)")
        }
        #expect(await client.values("handler", "urlhandlers") == ["http://", "https://"])
        #expect(await client.values("plugin", "decoders") == ["ffmpeg"])
    }

    // MARK: Partitions and outputs

    @Test("a client controls the zone that it chose, and is told of that one only")
    func partitions() async throws {
        let test = try await TestServer()
        let (client, other) = (test.client(), test.client())
        #expect(await client.ask("newpartition Garden", "partition Garden") == "OK\nOK\n")
        #expect(await client.ask("listpartitions") == "partition: Music\npartition: Garden\nOK\n")
        await client.ask("add plain.wav")
        #expect(await client.value("playlistlength") == "1")
        #expect(await other.value("playlistlength") == "0")
        #expect(await other.ask("idle playlist") == "")
        await client.ask("add plain.wav")
        #expect(other.link.take() == "" && other.link.state.withLock { !$0.isClosed })
        await other.ask("noidle")
        #expect(await other.ask("idle partition") == "changed: partition\nOK\n")
        #expect(
            await other.ask("delpartition Garden") == "ACK [5@0] {delpartition} partition still has clients\n"
        )
        #expect(
            await other.ask("delpartition Music")
                == "ACK [5@0] {delpartition} cannot delete the default partition\n")
        #expect(await other.ask("newpartition Garden") == "ACK [56@0] {newpartition} name already exists\n")
        #expect(await other.ask("partition nope") == "ACK [50@0] {partition} partition does not exist\n")
        await client.ask("moveoutput Kitchen", "partition Music")
        #expect(
            await other.ask("delpartition Garden") == "ACK [5@0] {delpartition} partition still has outputs\n"
        )
        await client.ask("moveoutput Kitchen")
        #expect(await other.ask("delpartition Garden") == "OK\n")
        #expect(await other.ask("delpartition Garden") == "ACK [50@0] {delpartition} no such partition\n")
    }

    @Test("a client whose zone is removed goes to the first one")
    func removed() async throws {
        let test = try await TestServer()
        let client = test.client()
        await client.ask("newpartition Garden", "partition Garden")
        _ = try await test.house.perform(
            .removeZone(ZoneID(rawValue: 2)), from: CommandOrigin(surface: "test"))
        #expect(await client.value("partition") == "Music")
        let told = await client.values("changed", "idle")
        #expect(Set(told).isSuperset(of: ["partition", "playlist", "player", "mixer", "output", "options"]))
        // Events of the new zone count from the removal on.
        await client.ask("newpartition Garden", "partition Garden", "idle partition", "noidle")
        #expect(await client.ask("idle mixer") == "changed: mixer\nOK\n")
        #expect(await client.ask("idle mixer") == "")
        _ = try await test.house.perform(
            .removeZone(ZoneID(rawValue: 2)), from: CommandOrigin(surface: "test"))
        #expect(client.link.take() == "changed: mixer\nOK\n")
        #expect(await client.ask("idle mixer") == "")
        await test.client().ask("setvol 1")
        #expect(client.link.take() == "changed: mixer\nOK\n")
    }

    @Test("a client that goes to another zone is told all of its state by the next idle")
    func movedClient() async throws {
        let test = try await TestServer()
        let client = test.client()
        await client.ask("newpartition Garden", "idle partition")
        #expect(await client.ask("partition Garden") == "OK\n")
        #expect(
            await client.values("changed", "idle playlist player mixer output options")
                == ["playlist", "player", "mixer", "output", "options"])
        #expect(await client.ask("partition Garden", "idle playlist player mixer") == "OK\n")
    }

    @Test("rooms are outputs, enabled in the zone that has them")
    func outputs() async throws {
        let test = try await TestServer()
        let client = test.client()
        #expect(
            await client.ask("outputs") == """
                outputid: 0
                outputname: Bath
                plugin: local
                outputenabled: 0
                attribute: delay=0
                attribute: maximum=100
                attribute: night=0
                outputid: 1
                outputname: Kitchen
                plugin: airplay
                outputenabled: 1
                attribute: volume=40
                attribute: delay=0
                attribute: maximum=100
                attribute: night=0
                OK

                """)
        await client.ask("enableoutput 0", "enableoutput 0", "toggleoutput 1", "disableoutput 1")
        #expect(await client.values("outputenabled", "outputs") == ["1", "0"])
        #expect(
            test.house.takeCommands() == [
                .moveRoom(FakeHouse.bath, to: FakeHouse.zone), .moveRoom(FakeHouse.kitchen, to: nil),
            ])
        await client.ask("outputset 0 volume 12", "outputset 0 delay -30.5")
        #expect(
            test.house.takeCommands() == [
                .setRoomVolume(FakeHouse.bath, 12), .setRoomDelay(FakeHouse.bath, milliseconds: -30.5),
            ])
        #expect(await client.ask("outputset 0 foo bar") == "ACK [2@0] {outputset} Unsupported attribute\n")
        #expect(await client.ask("enableoutput 5") == "ACK [50@0] {enableoutput} No such audio output\n")
        #expect(await client.ask("moveoutput nope") == "ACK [50@0] {moveoutput} No such output\n")
    }

    // MARK: Messages

    @Test("messages reach the clients that subscribed to a channel")
    func messages() async throws {
        let test = try await TestServer()
        let (client, other) = (test.client(), test.client())
        #expect(await client.ask("subscribe news") == "OK\n")
        #expect(
            await client.ask("subscribe news")
                == "ACK [56@0] {subscribe} already subscribed to this channel\n")
        #expect(await client.ask("subscribe \"bad name\"") == "ACK [2@0] {subscribe} invalid channel name\n")
        #expect(await other.ask("channels") == "channel: news\nOK\n")
        #expect(await client.ask("idle message") == "")
        #expect(await other.ask("sendmessage news \"hello there\"") == "OK\n")
        #expect(client.link.take() == "changed: message\nOK\n")
        #expect(
            await client.ask("readmessages", "readmessages")
                == "channel: news\nmessage: hello there\nOK\nOK\n")
        let nobody = "ACK [50@0] {sendmessage} nobody is subscribed to this channel\n"
        #expect(await other.ask("sendmessage none x") == nobody)
        for _ in 0..<ClientInbox.messageLimit { await other.ask("sendmessage news x") }
        #expect(await other.ask("sendmessage news x") == nobody)
        await client.ask("unsubscribe news")
        #expect(
            await client.ask("unsubscribe news")
                == "ACK [50@0] {unsubscribe} not subscribed to this channel\n")
        for number in 0..<ClientInbox.channelLimit { await client.ask("subscribe c\(number)") }
        #expect(await client.ask("subscribe more") == "ACK [56@0] {subscribe} subscription list is full\n")
    }

    // MARK: Robustness

    @Test("random commands with random arguments never trap", arguments: UInt64(1)...6)
    func fuzz(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let test = try await TestServer()
        await test.client().ask("add /", "save list")
        let names = CommandTable.commands.keys.sorted().filter { $0 != "update" && $0 != "rescan" }
        let words = [
            "0", "1", "-1", "+0", "1:", "0:99", "9223372036854775807", "nan", "x", "\"\"", "Beta",
            "Beta/a.mp3", "artist",
            "any", "\"(Artist == 'Beta')\"", "window", "sort", "group", "position", "list", "album",
            "http://x/",
            "-9223372036854775808", "1e308", "Kitchen", "Music", "title", "\"é\"",
        ]
        for _ in 0..<40 {
            let client = test.client()
            for _ in 0..<10 {
                let name = names.randomElement(using: &random) ?? "ping"
                let count = Int.random(in: 0...4, using: &random)
                let arguments = (0..<count).map { _ in words.randomElement(using: &random) ?? "" }
                await client.ask(([name] + arguments).joined(separator: " "))
            }
            await client.session.receive(
                (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) } + [0x0A])
            test.core.remove(client.session.client)
        }
        #expect(await test.client().ask("ping") == "OK\n")
    }

    @Test("a long answer is sent in parts, and ends when the client is gone")
    func parts() async throws {
        var files: [String: String] = [:]
        for number in 0..<1500 { files["a/\(number).mp3"] = "title=\(String(repeating: "x", count: 300))" }
        let test = try await TestServer(files)
        let client = test.client()
        #expect(await client.values("file", "listallinfo").count == 1500)
        #expect(client.link.state.withLock { $0.drains } >= 3)
        client.link.close()
        let answer = await client.ask("listallinfo")
        #expect(answer.utf8.count < 2 * AnswerWriter.partSize && !answer.hasSuffix("OK\n"))
    }
}
