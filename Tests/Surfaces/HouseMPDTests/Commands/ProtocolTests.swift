import Testing
import TuttiTestSupport

@testable import TuttiHouse
@testable import TuttiHouseMPD

@Suite("Answers as the protocol documents them", .timeLimit(.minutes(5)), .tags(.machine))
struct ProtocolTests {
    // MARK: Ranges and places

    @Test("ranges and places mean what MPD's mean")
    func edits() async throws {
        let rows: [(String, [String])] = [
            ("delete 1:3", ["1", "4"]), ("delete 2:", ["1", "2"]), ("delete 1:1", ["1", "2", "3", "4"]),
            ("delete 3:9", ["1", "2", "3"]), ("delete 0", ["2", "3", "4"]), ("deleteid 3", ["1", "2", "4"]),
            ("move 1: 0", ["2", "3", "4", "1"]), ("move 0:2 2", ["3", "4", "1", "2"]),
            ("move 1:3 1", ["1", "2", "3", "4"]), ("move 1:1 0", ["1", "2", "3", "4"]),
            ("move 0 3", ["2", "3", "4", "1"]), ("move 3 +0", ["1", "4", "2", "3"]),
            ("move 3 +1", ["1", "2", "4", "3"]), ("move 2:4 -0", ["3", "4", "1", "2"]),
            ("moveid 4 0", ["4", "1", "2", "3"]), ("swap 3 0", ["4", "2", "3", "1"]),
            ("swap 1 1", ["1", "2", "3", "4"]), ("swapid 2 3", ["1", "3", "2", "4"]),
            ("shuffle 2:3", ["1", "2", "3", "4"]), ("addid plain.wav 2", ["1", "2", "5", "3", "4"]),
            ("addid plain.wav -0", ["5", "1", "2", "3", "4"]),
            ("add plain.wav +2", ["1", "2", "3", "5", "4"]),
            ("findadd artist Nobody", ["1", "2", "3", "4"]),
        ]
        let (test, client) = try await TestServer.filled()
        for (line, wanted) in rows {
            let answer = await client.ask(line)
            #expect(!answer.hasPrefix("ACK"), "\(line)")
            #expect(await client.values("Id", "playlistinfo") == wanted, "\(line)")
            test.house.state.withLock { $0.lastEntry = 0 }
            await client.ask("clear", "add Beta", "add Alpha")
        }
    }

    @Test("a mistake has the code and the words of MPD, and changes nothing")
    func mistakes() async throws {
        let rows: [(String, String)] = [
            ("delete -1", "[2@0] {delete} Number too small: -1"), ("delete 3:1", "[2@0] {delete} Bad range"),
            ("delete x", "[2@0] {delete} Integer or range expected: x"),
            ("delete \"\"", "[2@0] {delete} Integer or range expected: "),
            ("move 0:1:2 0", "[2@0] {move} Integer or range expected: 0:1:2"),
            ("move 0:9 0", "[2@0] {move} Bad song index"),
            ("move 0 +0", "[2@0] {move} Cannot move current song relative to itself"),
            ("moveid 1 -0", "[2@0] {moveid} Cannot move current song relative to itself"),
            ("move 0 x", "[2@0] {move} Integer expected: x"), ("seek 9 1", "[2@0] {seek} Bad song index"),
            ("seekid 9 1", "[50@0] {seekid} No such song"), ("seek 0 x", "[2@0] {seek} Float expected: x"),
            ("seekcur", "[2@0] {seekcur} wrong number of arguments for \"seekcur\""),
            ("volume 101", "[2@0] {volume} Number too large: 101"),
            ("volume -101", "[2@0] {volume} Number too small: -101"),
            ("setvol -1", "[2@0] {setvol} Number too small: -1"),
            ("setvol 9223372036854775808", "[2@0] {setvol} Integer expected: 9223372036854775808"),
            ("consume x", "[2@0] {consume} Boolean (0/1) expected: x"),
            ("single 2", "[2@0] {single} Unrecognized single mode, expected 0, 1, or oneshot"),
            ("mixrampdb x", "[2@0] {mixrampdb} Float expected: x"),
            ("playlistid x", "[2@0] {playlistid} Integer expected: x"),
            ("plchanges x", "[2@0] {plchanges} Integer expected: x"),
            ("prio 1 0:9", "[2@0] {prio} Bad song index"), ("prio -1 0", "[2@0] {prio} Number too small: -1"),
            ("rangeid 1 0:10", "[2@0] {rangeid} Parts of songs are not available"),
            ("rangeid 9 0:10", "[50@0] {rangeid} No such song"),
            ("addtagid 1 foo x", "[2@0] {addtagid} Unknown tag type"),
            ("addid /etc/passwd", "[50@0] {addid} No such song"),
            ("add file:///etc/passwd", "[2@0] {add} Unsupported URI scheme"),
            ("add Beta/../plain.wav", "[50@0] {add} No such directory"),
            ("find", "[2@0] {find} too few arguments for \"find\""),
            ("find artist", "[2@0] {find} Incorrect number of filter arguments"),
            ("search foo bar", "[2@0] {search} Unknown filter type"),
            ("count artist Beta group album group date", "[2@0] {count} Only one group is possible"),
            ("list album group foo", "[2@0] {list} Unknown tag type: foo"),
            ("listall Beta/nope", "[50@0] {listall} No such directory"),
            ("readcomments http://x/", "[50@0] {readcomments} No such song"),
            ("albumart Beta/a.mp3 -1", "[2@0] {albumart} Number too small: -1"),
            ("playlistmove none 0 0", "[50@0] {playlistmove} No such playlist"),
            ("load none 0:1", "[50@0] {load} No such playlist"),
            ("save \"\"", "[2@0] {save} Bad playlist name"),
            ("save \"a/b\"", "[2@0] {save} Bad playlist name"),
            ("toggleoutput 9", "[50@0] {toggleoutput} No such audio output"),
            ("enableoutput x", "[2@0] {enableoutput} Integer expected: x"),
            ("outputset 0 volume 101", "[2@0] {outputset} Number too large: 101"),
            ("outputset 0 night x", "[2@0] {outputset} Boolean (0/1) expected: x"),
            ("subscribe \"\"", "[2@0] {subscribe} invalid channel name"),
            ("sendmessage \"a b\" x", "[2@0] {sendmessage} invalid channel name"),
            ("status x", "[2@0] {status} wrong number of arguments for \"status\""),
            ("playlistinfo 0 1", "[2@0] {playlistinfo} too many arguments for \"playlistinfo\""),
            ("play \"", "[5@0] {} Missing closing '\"'"), ("play 'x'", "[5@0] {} Invalid unquoted character"),
            ("foo \"a b\"", "[5@0] {} unknown command \"foo\""),
        ]
        let (test, client) = try await TestServer.filled()
        let before = await test.house.snapshot()
        for (line, answer) in rows { #expect(await client.ask(line) == "ACK \(answer)\n", "\(line)") }
        let after = await test.house.snapshot()
        #expect(after.zones == before.zones && after.rooms == before.rooms)
    }

    // MARK: Lines

    @Test("quotes and backslashes of a line are taken off once, and those of a condition once more")
    func quoting() async throws {
        let test = try await TestServer([
            "a.mp3": "title=Tune \"one\"", "b \"c\".mp3": "title=back\\slash", "é/ü.mp3": "title=Ünïcode",
        ])
        let client = test.client()
        let rows: [(String, [String])] = [
            (#"find title "Tune \"one\"""#, ["a.mp3"]), (#"find "(Title == 'Tune \"one\"')""#, ["a.mp3"]),
            (#"find "(Title == \"Tune \\\"one\\\"\")""#, ["a.mp3"]),
            (#"find title "back\\slash""#, [#"b "c".mp3"#]), (#"find title back\slash"#, [#"b "c".mp3"#]),
            (#"find "(Title == 'back\\\\slash')""#, [#"b "c".mp3"#]),
            (#"lsinfo "b \"c\".mp3""#, [#"b "c".mp3"#]), ("lsinfo é", ["é/ü.mp3"]),
            ("search title UNICODE", ["é/ü.mp3"]), ("find\ttitle\t Ünïcode \t", ["é/ü.mp3"]),
            (#"listall "é""#, ["é/ü.mp3"]), ("find file \"é/ü.mp3\"", ["é/ü.mp3"]),
        ]
        for (line, wanted) in rows { #expect(await client.values("file", line) == wanted, "\(line)") }
    }

    @Test("an answer is one line for each value, and text, whatever bytes a client sends")
    func strangeBytes() async throws {
        let (test, client) = try await TestServer.filled()
        let lines: [[UInt8]] = [
            Array("play \"a\u{1}b\u{1B}[2J\"".utf8), Array("foo\u{0}bar".utf8),
            [0x61, 0x64, 0x64, 0x20, 0xFF, 0xFE],
            Array("list \"a\u{7}\"".utf8), Array("playlistadd \"x\u{1}y\" plain.wav".utf8),
            Array("listplaylists".utf8),
        ]
        for line in lines {
            await client.session.receive(line + [0x0A])
            let bytes = client.link.state.withLock { state in
                defer { state.bytes = [] }
                return state.bytes
            }
            let text = String(validating: bytes, as: UTF8.self)
            #expect(text != nil && bytes.last == 0x0A && !bytes.contains { $0 < 0x20 && $0 != 0x0A })
            let count = bytes.count { $0 == 0x0A }
            #expect(count == 1 || text?.hasPrefix("playlist: ") == true, "\(line)")
        }
        withExtendedLifetime(test) {}
    }

    @Test("commands come in any pieces, with both ends of lines")
    func pieces() async throws {
        let (test, client) = try await TestServer.filled()
        for piece in ["pi", "ng\r", "\nget", "vol\nping\n\u{70}ing"] {
            await client.session.receive(Array(piece.utf8))
        }
        #expect(client.link.take() == "OK\nvolume: 40\nOK\nOK\n")
        await client.session.receive([0x0A])
        #expect(client.link.take() == "OK\n")
        withExtendedLifetime(test) {}
    }

    // MARK: Command lists

    @Test("a command list counts its commands from 0, stops at the first mistake, and leaves no trace")
    func commandLists() async throws {
        let (test, client) = try await TestServer.filled()
        let rows: [([String], String)] = [
            ([], "OK\n"), (["ping", "ping"], "list_OK\nlist_OK\nOK\n"),
            (["ping", "play \"", "clear"], "list_OK\nACK [5@1] {} Missing closing '\"'\n"),
            (["ping", "ping", "foo", "clear"], "list_OK\nlist_OK\nACK [5@2] {} unknown command \"foo\"\n"),
            (["command_list_begin"], "ACK [5@0] {} unknown command \"command_list_begin\"\n"),
            (["noidle", "getvol"], "volume: 40\nlist_OK\nOK\n"),
            (["getvol", "setvol x"], "volume: 40\nlist_OK\nACK [2@1] {setvol} Integer expected: x\n"),
            (["setvol 41", "getvol", "setvol 40"], "list_OK\nvolume: 41\nlist_OK\nlist_OK\nOK\n"),
            (["tagtypes clear", "tagtypes", "tagtypes all"], "list_OK\nlist_OK\nlist_OK\nOK\n"),
        ]
        for (commands, answer) in rows {
            let lines = ["command_list_ok_begin"] + commands + ["command_list_end"]
            await client.session.receive(Array((lines.joined(separator: "\n") + "\n").utf8))
            #expect(client.link.take() == answer, "\(commands)")
            #expect(await client.ask("ping") == "OK\n", "\(commands)")
        }
        #expect(await test.house.snapshot().zones[0].length == 4)
        #expect(
            await client.ask("command_list_ok_begin", "ping", "close", "ping", "command_list_end")
                == "list_OK\n")
        #expect(client.link.isClosed)
    }

    @Test("a password within a command list counts for the commands after it")
    func passwordInList() async throws {
        let test = try await TestServer(password: "p\"w")
        let client = test.client()
        #expect(
            await client.ask("command_list_ok_begin", "getvol", "password \"p\\\"w\"", "command_list_end")
                == "ACK [4@0] {getvol} you don't have permission for \"getvol\"\n")
        #expect(
            await client.ask("command_list_ok_begin", "password \"p\\\"w\"", "getvol", "command_list_end")
                == "list_OK\nvolume: 40\nlist_OK\nOK\n")
        // A wrong one takes nothing away.
        #expect(
            await client.ask("password x", "getvol")
                == "ACK [3@0] {password} incorrect password\nvolume: 40\nOK\n")
        let open = try await TestServer()
        #expect(await open.client().ask("password x") == "ACK [3@0] {password} incorrect password\n")
    }

    // MARK: Idle

    @Test("each kind of change is told to those who wait for it, at once")
    func idle() async throws {
        let (test, other) = try await TestServer.filled()
        let rows: [(String, String)] = [
            ("save list", "stored_playlist"), ("playlistadd list plain.wav", "stored_playlist"),
            ("playlistdelete list 0", "stored_playlist"), ("rename list new", "stored_playlist"),
            ("rm new", "stored_playlist"), ("add plain.wav", "playlist"), ("move 0 1", "playlist"),
            ("play", "player"), ("seekcur 30", "player"), ("pause 1", "player"), ("setvol 11", "mixer"),
            ("random 1", "options"), ("repeat 1", "options"), ("single oneshot", "options"),
            ("consume 1", "options"), ("disableoutput 1", "output"), ("enableoutput 0", "output"),
            ("newpartition Garden", "partition"), ("delpartition Garden", "partition"),
            ("subscribe c", "subscription"), ("unsubscribe c", "subscription"),
        ]
        for (line, event) in rows {
            let client = test.client()
            #expect(await client.ask("idle \(event)") == "", "\(line)")
            let answer = await other.ask(line)
            #expect(!answer.hasPrefix("ACK"), "\(line)")
            #expect(client.link.take() == "changed: \(event)\nOK\n", "\(line)")
            test.core.remove(client.session.client)
        }
    }

    @Test(
        "several events are told once each, in one answer, and only those that a client named are forgotten")
    func severalEvents() async throws {
        let (test, other) = try await TestServer.filled()
        let client = test.client()
        await other.ask("setvol 1", "setvol 2", "random 1", "add plain.wav")
        #expect(await client.ask("idle options options mixer") == "changed: mixer\nchanged: options\nOK\n")
        #expect(await client.ask("idle options mixer", "noidle") == "OK\n")
        #expect(await client.ask("idle playlist") == "changed: playlist\nOK\n")
        // Words in capitals are no events.
        #expect(await client.ask("idle Player") == "ACK [2@0] {idle} Unrecognized idle event: Player\n")
    }

    @Test("a library that is scanned is an update, and at its end a change of the database")
    func scan() async throws {
        let (test, client) = try await TestServer.filled()
        #expect(await client.ask("idle database update") == "")
        test.house.tell { state in
            state.library.isScanning = true
            return .library(state.library)
        }
        #expect(client.link.take() == "changed: update\nOK\n")
        #expect(await client.value("updating_db") == "1")
        #expect(await client.ask("idle database update") == "")
        test.house.tell { state in
            (state.library.isScanning, state.library.tracks) = (false, 9)
            return .library(state.library)
        }
        #expect(client.link.take() == "changed: database\nchanged: update\nOK\n")
        #expect(await client.value("updating_db") == nil)
    }

    // MARK: State

    @Test("the position goes on with the clock and the rate while a zone plays, within the song")
    func elapsed() async throws {
        let (test, client) = try await TestServer.filled()
        // The clock of the test is at 1000.
        let rows: [(ZoneSnapshot.State, Double, Double, Double, String, String)] = [
            (.playing, 10, 990, 1, "20.000", "play"), (.playing, 10, 990, 2, "30.000", "play"),
            (.playing, 95, 990, 1, "100.000", "play"), (.playing, 10, 1100, 1, "10.000", "play"),
            (.paused, 10, 990, 1, "10.000", "pause"), (.waiting, 10, 990, 1, "10.000", "play"),
            (.playing, -5, 1000, 1, "0.000", "play"), (.paused, 12.3456, 0, 1, "12.346", "pause"),
        ]
        for (state, position, time, rate, elapsed, word) in rows {
            test.house.change { zone in
                (zone.state, zone.position, zone.positionTime, zone.rate) = (state, position, time, rate)
            }
            #expect(await client.value("elapsed") == elapsed)
            #expect(await client.value("state") == word)
        }
        test.house.change { $0.state = .stopped }
        #expect(await client.value("elapsed") == nil)
        #expect(await client.value("songid") == "1")
    }

    @Test("the next song is the one that follows: never one that cannot be played, and none in random order")
    func nextSong() async throws {
        let (test, client) = try await TestServer.filled()
        await client.ask("play 2")
        #expect(await client.values("nextsong", "status") == ["3"])
        try test.house.edit { queue throws(HouseError) in queue.setFailure("no", of: EntryID(rawValue: 4)) }
        #expect(await client.value("nextsong") == nil)
        await client.ask("repeat 1")
        #expect(await client.value("nextsongid") == "1")
        try test.house.edit { queue throws(HouseError) in queue.setFailure("no", of: EntryID(rawValue: 1)) }
        #expect(await client.value("nextsongid") == "2")
        await client.ask("single 1")
        #expect(await client.value("nextsongid") == "3")
        await client.ask("single 0", "random 1")
        #expect(await client.value("nextsongid") == nil)
        // The song before is the last that can be played.
        await client.ask("random 0", "repeat 0")
        _ = test.house.takeCommands()
        await client.ask("previous")
        #expect(test.house.takeCommands() == [.jump(FakeHouse.zone, EntryID(rawValue: 2))])
    }
}
