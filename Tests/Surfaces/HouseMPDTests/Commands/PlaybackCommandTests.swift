import Testing
import TuttiTestSupport

@testable import TuttiHouse
@testable import TuttiHouseMPD

@Suite("Commands of playback and of the queue", .timeLimit(.minutes(5)), .tags(.machine))
struct PlaybackCommandTests {
    private let zone = FakeHouse.zone

    @Test("an empty zone has the status of a stopped player")
    func emptyStatus() async throws {
        let test = try await TestServer()
        #expect(
            await test.client().ask("status") == """
                volume: 40
                repeat: 0
                random: 0
                single: 0
                consume: 0
                partition: Music
                playlist: 1
                playlistlength: 0
                mixrampdb: 0
                state: stop
                OK

                """)
        let newest = try await test.core.catalogue.catalogue().folders.first?.modified ?? 0
        #expect(
            await test.client().ask("currentsong", "stats") == """
                OK
                uptime: 0
                playtime: 0
                artists: 0
                albums: 0
                songs: 0
                db_playtime: 405
                db_update: \(newest)
                OK

                """)
        // A change of a playlist does not count as one of the database.
        await test.house.libraryDidChange()
        #expect(await test.client().value("db_update", "stats") == "\(newest)")
    }

    @Test("a song that plays is told with its place, its id and its time")
    func playingStatus() async throws {
        let test = try await TestServer()
        let client = test.client()
        #expect(await client.ask("add Beta", "play 0", "seekcur 12.5") == "OK\nOK\nOK\n")
        let status = await client.ask("status")
        #expect(
            status.contains(
                "state: play\nsong: 0\nsongid: 1\ntime: 13:100\nelapsed: 12.500\nduration: 100.000\n"))
        #expect(status.contains("nextsong: 1\nnextsongid: 2\n"))
        let song = await client.ask("currentsong")
        #expect(song.hasPrefix("file: Beta/a.mp3\nLast-Modified: "))
        #expect(
            song.hasSuffix(
                """
                Artist: Beta
                Title: Björk's "Tune"
                Album: Two
                Track: 1
                Date: 2005
                Genre: Pop
                Time: 100
                duration: 100.000
                Pos: 0
                Id: 1
                OK

                """))
        test.house.change { $0.trouble = Trouble(code: "x", message: "Kitchen is silent.") }
        #expect(await client.value("error") == "Kitchen is silent.")
    }

    @Test("a station is told with its name and the title of the moment")
    func station() async throws {
        let test = try await TestServer()
        let client = test.client()
        await client.ask("add http://radio.example/stream")
        test.house.change { $0.streamTitle = "Song of the moment" }
        let song = await client.ask("currentsong")
        #expect(song.hasPrefix("file: http://radio.example/stream\nTitle: Song of the moment\n"))
        await client.ask("add plain.wav 0", "playid 1")
        try test.house.edit { queue throws(HouseError) in
            queue.complete(EntryID(rawValue: 1)) { $0.isLive = true }
        }
        _ = test.house.takeCommands()
        #expect(await client.ask("previous") == "OK\n")
        #expect(test.house.takeCommands() == [.jump(zone, EntryID(rawValue: 2))])
        #expect(await client.ask("add smb://x/y") == "ACK [2@0] {add} Unsupported URI scheme\n")
    }

    @Test("each command of playback becomes one of the house")
    func playback() async throws {
        let test = try await TestServer()
        let client = test.client()
        await client.ask("add Beta")
        _ = test.house.takeCommands()
        func commands(_ line: String) async -> [HouseCommand] {
            #expect(await client.ask(line) == "OK\n", "\(line)")
            return test.house.takeCommands()
        }
        #expect(await commands("pause").isEmpty)
        for line in ["next", "previous"] {
            #expect(await client.ask(line) == "ACK [55@0] {\(line)} Not playing\n")
        }
        #expect(await commands("play") == [.play(zone)])
        #expect(await commands("play 1") == [.jump(zone, EntryID(rawValue: 2))])
        #expect(await commands("playid 1") == [.jump(zone, EntryID(rawValue: 1))])
        #expect(await commands("pause 1") == [.pause(zone)])
        #expect(await commands("pause 0") == [.play(zone)])
        #expect(await commands("pause") == [.toggle(zone)])
        #expect(await commands("next") == [.next(zone)])
        #expect(await commands("seekcur +3") == [.skip(zone, seconds: 3)])
        #expect(await commands("seekcur -3") == [.skip(zone, seconds: -3)])
        #expect(await commands("seekid 2 7.5") == [.seek(zone, seconds: 7.5)])
        #expect(await commands("seek 0 1") == [.jump(zone, EntryID(rawValue: 1)), .seek(zone, seconds: 1)])
        #expect(await commands("previous") == [.previous(zone)])
        await client.ask("play 1")
        _ = test.house.takeCommands()
        #expect(await commands("previous") == [.jump(zone, EntryID(rawValue: 1))])
        await client.ask("repeat 1")
        _ = test.house.takeCommands()
        #expect(await commands("previous") == [.jump(zone, EntryID(rawValue: 2))])
        await client.ask("repeat 0", "random 1")
        _ = test.house.takeCommands()
        #expect(await commands("previous") == [.previous(zone)])
        await client.ask("random 0")
        _ = test.house.takeCommands()
        #expect(await commands("stop") == [.stop(zone)])
        #expect(await commands("setvol 30") == [.setZoneVolume(zone, 30)])
        #expect(await commands("volume -5") == [.setZoneVolume(zone, 25)])
        #expect(await commands("volume -100") == [.setZoneVolume(zone, 0)])
        #expect(await commands("random 1") == [.setShuffle(zone, true)])
        #expect(await client.ask("getvol") == "volume: 0\nOK\n")
        #expect(await client.ask("seekcur 1") == "ACK [55@0] {seekcur} Not playing\n")
    }

    @Test("repeat and single become the house's modes, in any order")
    func modes() async throws {
        let test = try await TestServer()
        let client = test.client()
        func modes() async -> [String?] { [await client.value("repeat"), await client.value("single")] }
        await client.ask("add Beta", "play", "repeat 1")
        #expect(await modes() == ["1", "0"])
        await client.ask("single 1")
        #expect(await modes() == ["1", "1"])
        #expect(await test.house.snapshot().zones[0].repeatMode == .one)
        await client.ask("repeat 0")
        #expect(await modes() == ["0", "1"])
        #expect(await test.house.snapshot().zones[0].sleep == .endOfTrack)
        await client.ask("repeat 1")
        #expect(await modes() == ["1", "1"])
        await client.ask("single 0")
        #expect(await modes() == ["1", "0"])
        await client.ask("repeat 0", "single oneshot")
        #expect(await modes() == ["0", "oneshot"])
        await client.ask("single 0", "consume 1")
        #expect(await modes() == ["0", "0"])
        #expect(await client.value("consume") == "1")
    }

    @Test("a queue that consumes keeps the song that a client leaves by going back")
    func consume() async throws {
        let test = try await TestServer()
        let client = test.client()
        await client.ask("add Beta", "add plain.wav", "consume 1", "play 1", "previous")
        let other = CommandOrigin(surface: "web")
        _ = try await test.house.perform(.jump(zone, EntryID(rawValue: 2)), from: other)
        _ = test.house.takeCommands()
        await client.ask("next")
        while !test.house.state.withLock({ $0.commands.contains(.remove(zone, [EntryID(rawValue: 2)])) }) {
            await Task.yield()
        }
        while await client.value("playlistlength") == "3" { await Task.yield() }
        #expect(await client.values("Id", "playlistinfo") == ["1", "3"])
    }

    @Test("rooms of unknown volume have a low one, from which a client's next step leads; no rooms have none")
    func unknownVolume() async throws {
        let test = try await TestServer()
        let client = test.client()
        test.house.change { $0.volume = nil }
        while await client.ask("getvol") == "volume: 40\nOK\n" { await Task.yield() }
        #expect(await client.ask("getvol") == "volume: 30\nOK\n")
        #expect(await client.value("volume") == "30")
        _ = test.house.takeCommands()
        await client.ask("volume +5")
        #expect(test.house.takeCommands() == [.setZoneVolume(FakeHouse.zone, 35)])
        test.house.change { ($0.volume, $0.rooms) = (nil, []) }
        while await client.ask("getvol") != "OK\n" { await Task.yield() }
        #expect(await client.value("volume") == nil)
        #expect(await client.ask("volume +5").hasPrefix("ACK [52@0] {volume} "))
    }

    @Test("numbers out of any range are told as the nearest possible ones")
    func extremes() async throws {
        let test = try await TestServer()
        let client = test.client()
        await client.ask("add plain.wav", "play")
        for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
            test.house.change { zone in
                (zone.volume, zone.position, zone.positionTime, zone.rate) = (value, value, value, value)
                zone.current?.track.duration = value
            }
            try test.house.edit { queue throws(HouseError) in
                queue.complete(EntryID(rawValue: 1)) { $0.duration = value }
            }
            test.house.tell { state in
                (state.rooms[0].volume, state.rooms[0].delay) = (value, value)
                return .room(state.rooms[0])
            }
            for line in ["status", "outputs", "getvol", "stats", "currentsong"] {
                #expect(await client.ask(line).hasSuffix("OK\n"), "\(line) \(value)")
            }
            await client.ask("volume 1")
        }
        #expect(Int(nearest: 1e300) == 1_000_000_000_000_000 && Int(nearest: .nan) == 0)
    }

    @Test("replay gain and crossfade are the zone's levelling and crossfade")
    func sound() async throws {
        let test = try await TestServer()
        let client = test.client()
        let rows: [(String, HouseCommand)] = [
            ("replay_gain_mode track", .setLevelling(FakeHouse.zone, .track)),
            ("replay_gain_mode album", .setLevelling(FakeHouse.zone, .album)),
            ("replay_gain_mode auto", .setLevelling(FakeHouse.zone, .album)),
            ("replay_gain_mode off", .setLevelling(FakeHouse.zone, .off)),
            ("crossfade 12", .setCrossfade(FakeHouse.zone, seconds: 12)),
            ("crossfade 0", .setCrossfade(FakeHouse.zone, seconds: 0)),
            ("outputset 0 maximum 60", .setRoomMaximumVolume(FakeHouse.bath, 60)),
            ("outputset 0 night 1", .setRoomNightMode(FakeHouse.bath, true)),
        ]
        for (line, command) in rows {
            _ = test.house.takeCommands()
            #expect(await client.ask(line) == "OK\n", "\(line)")
            #expect(test.house.takeCommands() == [command], "\(line)")
        }
        #expect(await client.ask("crossfade 13").contains("at most 12 seconds"))
        test.house.change(FakeHouse.zone) { ($0.levelling, $0.crossfade) = (.track, 4.6) }
        #expect(await client.value("xfade") == "5")
        #expect(await client.value("replay_gain_mode", "replay_gain_status") == "track")
    }

    @Test("an ability that the house lacks is refused in words, unless it is off anyway")
    func refused() async throws {
        let test = try await TestServer()
        let client = test.client()
        for line in ["crossfade 0", "mixrampdb -17", "mixrampdelay nan", "replay_gain_mode off"] {
            #expect(await client.ask(line) == "OK\n", "\(line)")
        }
        for line in [
            "crossfade 13", "crossfade -1", "mixrampdelay 2", "replay_gain_mode loud", "kill", "config",
            "mount a nfs://b",
            "unmount a", "listneighbors", "sticker get song a b",
        ] {
            #expect(await client.ask(line).hasPrefix("ACK ["), "\(line)")
        }
        #expect(
            await client.ask("sticker get song a b") == "ACK [5@0] {sticker} sticker database is disabled\n")
        #expect(await client.ask("foo") == "ACK [5@0] {} unknown command \"foo\"\n")
        #expect(await client.ask("ping x") == "ACK [2@0] {ping} wrong number of arguments for \"ping\"\n")
        #expect(await client.ask("play 1 2") == "ACK [2@0] {play} too many arguments for \"play\"\n")
        #expect(await client.ask("list") == "ACK [2@0] {list} too few arguments for \"list\"\n")
    }

    // MARK: The queue

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
