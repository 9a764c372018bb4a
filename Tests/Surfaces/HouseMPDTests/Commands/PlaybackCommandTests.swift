import Testing
import TuttiTestSupport

@testable import TuttiHouse
@testable import TuttiHouseMPD

@Suite("Commands of playback", .timeLimit(.minutes(5)), .tags(.machine))
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
}
