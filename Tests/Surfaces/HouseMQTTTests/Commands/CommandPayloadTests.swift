import Testing
import TuttiHouse
import TuttiMQTT
import TuttiMusicLibrary

@testable import TuttiHouseMQTT

@Suite("Payloads of commands")
struct CommandPayloadTests {
    private func payload(_ text: String) -> CommandPayload { CommandPayload(Array(text.utf8)) }

    @Test(
        "a number stands alone, or is a member of an object of numbers",
        arguments: [
            ("12", 12), (" -0.5\r\n", -0.5), ("1e2", 100), (#"{"percent":12}"#, 12),
            (#" {"percent": 1.5, "x": 2} "#, 1.5),
            ("12%", nil), ("1,5", nil), ("", nil), ("[12]", nil), (#"{"other":12}"#, nil),
            (#"{"percent":"12"}"#, nil),
            (#"{"percent":12,"x":"y"}"#, nil), (#"{"percent":null}"#, nil), ("inf", nil), ("-nan", nil),
            ("1e999", nil),
            ("1 2", nil), ("{12}", nil),
        ] as [(String, Double?)])
    func numbers(text: String, number: Double?) { #expect(payload(text).number("percent") == number) }

    @Test(
        "a choice has the words of programs, in any case",
        arguments: [
            ("on", true), ("TRUE", true), (" Yes\n", true), ("1", true), ("off", false), ("No", false),
            ("0", false),
            (#"{"on":false}"#, false), ("2", nil), ("", nil), (#"{"on":"true"}"#, nil),
            (#"{"off":true}"#, nil), ("o n", nil),
        ] as [(String, Bool?)])
    func flags(text: String, flag: Bool?) { #expect(payload(text).flag("on") == flag) }

    @Test("words are plain or in an object, and values have at most 1024 bytes")
    func words() {
        #expect(payload(" Küche \"2\" ").word("name") == "Küche \"2\"")
        #expect(payload(#"{"name":"a \"b\" é"}"#).word("name") == "a \"b\" é")
        #expect(payload("{").word("name") == nil && payload(#"{"name":1}"#).word("name") == nil)
        #expect(payload(String(repeating: "x", count: 1024)).word("name")?.count == 1024)
        let padded = payload(String(repeating: " ", count: 1024) + "1")
        #expect(padded.word("name") == nil && padded.number("percent") == nil && padded.flag("on") == nil)
    }

    @Test("an excerpt has sixty scalars without control characters, and says if there are more")
    func excerpts() {
        let whole = String(repeating: "é", count: 60)
        #expect(payload(whole).excerpt == whole && payload(whole + "x").excerpt == whole + "…")
        #expect(payload("a\u{0}\u{7F}\u{85}\u{2028}b").excerpt == "a    b" && payload("").excerpt.isEmpty)
        #expect(CommandPayload([0xFF, 0x61]).excerpt == "\u{FFFD}a")
    }

    private func command(_ topic: String, _ text: String) throws(CommandProblem) -> HouseCommand {
        let publisher = TestState.publisher()
        let reader = CommandReader(scheme: publisher.scheme, house: publisher.house)
        return try reader.read(MQTTMessage(topic: "tutti/my_house/\(topic)/set", text: text)).command
    }

    @Test("paths and addresses are taken with their spaces and quotes, up to 8192 bytes")
    func locations() throws {
        let zone = TestState.zone
        for location in [
            "/m/é \"x\" [1].mp3", "a b.mp3", "https://h.example/?a=%20&b=\"c\"", "[1, 2]", "\"quoted\"",
        ] {
            #expect(try command("zone/1/queue", " \(location)\n") == .add(zone, [.location(location)], .end))
            #expect(
                try command("room/bath/announce", location)
                    == .announce(AnnouncementRequest(location: location, rooms: [TestState.bath])))
        }
        let long = "/" + String(repeating: "x", count: 8191)
        #expect(try command("zone/1/queue", long) == .add(zone, [.location(long)], .end))
        for topic in ["zone/1/queue", "room/bath/announce", "announce"] {
            #expect(throws: CommandProblem.self) { try command(topic, long + "x") }
        }
    }

    @Test("items come in any number and kind, at any place")
    func items() throws {
        let zone = TestState.zone
        let all =
            #"{"items":[{"track":1},{"album":2},{"artist":3},{"folder":"/é"},{"playlist":4},{"station":5},"#
            + #"{"location":"http://x/"}],"place":"next"}"#
        #expect(
            try command("zone/1/queue", all)
                == .add(
                    zone,
                    [
                        .track(1), .album(2), .artist(3), .folder("/é"), .playlist(4), .station(5),
                        .location("http://x/"),
                    ], .next))
        let places: [(String, QueuePlace)] = [
            (#""end""#, .end), (#""next""#, .next), (#""now""#, .now), (#""replace""#, .replace),
            (#"{"before":7}"#, .before(EntryID(rawValue: 7))),
        ]
        for (text, place) in places {
            #expect(
                try command("zone/1/add", #"{"track":9,"place":\#(text)}"#) == .add(zone, [.track(9)], place),
                "\(text)")
        }
        for text in [#""NEXT""#, #"["end"]"#, "null", "true", #"{"before":"7"}"#, #"{"after":7}"#] {
            #expect(throws: CommandProblem.self, "\(text)") {
                try command("zone/1/add", #"{"track":9,"place":\#(text)}"#)
            }
        }
    }

    @Test("a number beyond its limits is left to the house, which knows them; a zone has a whole one")
    func limits() throws {
        let (zone, kitchen) = (TestState.zone, TestState.kitchen)
        #expect(try command("zone/1/volume", "101") == .setZoneVolume(zone, 101))
        #expect(try command("zone/1/sleep", "-1") == .sleep(zone, afterSeconds: -1))
        #expect(try command("zone/1/rate", "0") == .setRate(zone, 0))
        #expect(
            try command("room/aabbccddeeff/delay", "1e5") == .setRoomDelay(kitchen, milliseconds: 100_000))
        for text in ["1.5", "-", "1e300", #"{"to":2.5}"#, ""] {
            #expect(throws: CommandProblem.self, "\(text)") { try command("zone/1/transfer", text) }
        }
    }
}

@Suite("Positions that subscribers can calculate")
struct PublishedPositionTests {
    private let time = TestTime()

    @Test(
        "a position goes on with the clock and the rate, within the track, and not with a clock that was set")
    func positions() {
        func position(_ zone: ZoneSnapshot, unix: Double) -> [Double] {
            let found = PublishedPosition(zone, at: Moment(unix: unix, instant: time.begin))
            return [found.position, found.time]
        }
        var zone = TestState.playing(position: 10, time: 1000)
        #expect(position(zone, unix: 1005) == [15, 1005])
        #expect(position(zone, unix: 900) == [10, 1000], "set back")
        #expect(position(zone, unix: 5000)[0] == 200, "beyond the end")
        zone.rate = 2
        #expect(position(zone, unix: 1005) == [20, 1005])
        zone.state = .waiting
        #expect(position(zone, unix: 1005) == [10, 1000])
        (zone.state, zone.position) = (.paused, -3)
        #expect(position(zone, unix: 1005)[0] == 0)
    }

    @Test(
        "an expected position is due after ten seconds, a jump or another speed after one, a pause never again"
    )
    func deadlines() {
        let zone = TestState.playing(position: 10, time: 1000)
        let published = PublishedPosition(zone, at: time.at(0))
        func deadline(_ zone: ZoneSnapshot, _ seconds: Double) -> ContinuousClock.Instant? {
            published.deadline(for: zone, at: time.at(seconds))
        }
        #expect(deadline(zone, 5) == time.at(10).instant)
        // The same line, told anew.
        #expect(deadline(TestState.playing(position: 14.5, time: 1005), 5) == time.at(10).instant)
        #expect(deadline(TestState.playing(position: 17, time: 1005), 5) == time.at(1).instant)
        var changed = zone
        changed.rate = 1.5
        #expect(deadline(changed, 0.5) == time.at(1).instant)
        changed = zone
        changed.state = .paused
        #expect(deadline(changed, 0.5) == time.at(1).instant)
        let still = PublishedPosition(changed, at: time.at(0))
        #expect(still.deadline(for: changed, at: time.at(100)) == nil)
        // At its end a track stands still for subscribers, too.
        #expect(deadline(zone, 500) == time.at(10).instant)
    }
}

@Suite("Messages that were dropped, numbers, and states that come again")
struct SurfaceValueTests {
    private let time = TestTime()

    @Test("dropped messages are told at once, and then together after the interval")
    func drops() {
        var counter = DropCounter(interval: .seconds(60))
        let told = [0, 1, 59.9, 60, 61, 200].map { counter.add(at: time.at($0).instant) }
        #expect(told == [1, nil, nil, 3, nil, 2])
    }

    @Test("numbers are rounded to their decimals, and the largest ones stay numbers")
    func numbers() {
        let rows: [(Double, Int, String)] = [
            (0.05, 1, "0.1"), (-0.05, 1, "-0.1"), (99.99, 1, "100"), (-0.0, 2, "0"),
            (1e15, 2, "1000000000000000"),
            (0.1 + 0.2, 3, "0.3"), (7, 9, "7"), (2.5, -1, "3"),
        ]
        for (number, decimals, text) in rows { #expect(Decimals.text(number, decimals) == text, "\(number)") }
        for number in [Double.greatestFiniteMagnitude, -.greatestFiniteMagnitude] {
            #expect(Double(Decimals.text(number, 3)) == number)
            #expect(JSONTree.number(number, decimals: 3) == .number(number))
        }
    }

    @Test("a broker that lost everything gets everything again, with what changed meanwhile")
    func everythingAgain() {
        var publisher = TestState.publisher()
        let first = publisher.everything(at: time.at(0))
        publisher.note(.zone(TestState.playing("Garden")))
        publisher.note(.roomRemoved(TestState.bath))
        #expect(publisher.tick(at: time.at(1)).isEmpty)
        let second = publisher.everything(at: time.at(1))
        #expect(second.byTopic["tutti/my_house/zone/1/name"] == "Garden")
        #expect(!second.contains { $0.topic.contains("/room/bath/") })
        let kept = first.map(\.topic).filter { !$0.contains("bath") }
        #expect(Set(second.map(\.topic)).isSuperset(of: kept))
    }

    @Test("a room that is removed takes its topics with it, and comes back whole")
    func removedRoom() {
        var publisher = TestState.publisher()
        let before = publisher.everything(at: time.at(0)).map(\.topic).filter { $0.contains("bath") }
        let gone = publisher.apply(.roomRemoved(TestState.bath), at: time.at(1))
        #expect(Set(gone.filter(\.payload.isEmpty).map(\.topic)) == Set(before))
        #expect(gone.allSatisfy { $0.isRetained } && !publisher.owns("tutti/my_house/room/bath/name"))
        #expect(gone.byTopic["tutti/my_house/state"]?.contains("Bath") == false)
        #expect(publisher.apply(.roomRemoved(TestState.bath), at: time.at(2)).isEmpty)
        let room = TestState.room(TestState.bath, "Bath", zone: nil)
        let back = publisher.apply(.room(room), at: time.at(3))
        #expect(Set(back.map(\.topic)).isSuperset(of: before))
    }

    @Test("a room's new name is published in the zone that has it")
    func renamedRoom() {
        var publisher = TestState.publisher()
        _ = publisher.everything(at: time.at(0))
        let found = publisher.apply(.room(TestState.room(TestState.kitchen, "Küche \"1\"")), at: time.at(1))
            .byTopic
        #expect(found["tutti/my_house/room/aabbccddeeff/name"] == "Küche \"1\"")
        #expect(found["tutti/my_house/zone/1/state"]?.contains(#""roomNames":["Küche \"1\""]"#) == true)
        #expect(found["tutti/my_house/zone/1/name"] == nil, "unchanged")
    }
}
