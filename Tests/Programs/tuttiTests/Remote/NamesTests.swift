import Testing
import TuttiCommandLineInterface

@testable import tutti

@Suite("Names of commands for the house")
struct NamesTests {
    static let names = ["Kitchen", "Kitchen left", "Bath", "bath 2", "Ölberg"]

    @Test(
        "a name may be shortened while it is unique, whatever its capitals",
        arguments: [
            ("Kitchen", "Kitchen"), ("kitchen", "Kitchen"), ("kitchen l", "Kitchen left"), ("BATH", "Bath"),
            ("bath ", "bath 2"),
            ("öl", "Ölberg"),
        ])
    func found(text: String, name: String) throws {
        #expect(try NameMatch.find(text, kind: "zone", among: Self.names, name: { $0 }) == name)
    }

    @Test("a name that fits several, or none, lists the choices, with status 2")
    func notFound() {
        let several = #expect(throws: RemoteFailure.self) {
            try NameMatch.find("kit", kind: "zone", among: Self.names, name: { $0 })
        }
        #expect(
            several?.description
                == "“kit” could be “Kitchen” or “Kitchen left”. Type more of the zone's name.")
        #expect(several?.status.rawValue == 2)
        let none = #expect(throws: RemoteFailure.self) {
            try NameMatch.find("attic", kind: "zone", among: ["Bath", "Hall"], name: { $0 })
        }
        #expect(none?.description == "There is no zone “attic”. There are “Bath” and “Hall”.")
        let empty = #expect(throws: RemoteFailure.self) {
            try NameMatch.find("", kind: "zone", among: ["Bath"], name: { $0 })
        }
        #expect(empty?.description == "There is no zone “”. The only zone is “Bath”.")
        let nothing = #expect(throws: RemoteFailure.self) {
            try NameMatch.find("x", kind: "zone", among: [String](), hint: "Make one.", name: { $0 })
        }
        #expect(nothing?.description == "There is no zone “x”, nor any other zone. Make one.")
    }

    @Test("things of the same name are told apart by their ids")
    func sameName() throws {
        var house = TestHouse.house
        house.zones[1].name = "Kitchen"
        let error = #expect(throws: RemoteFailure.self) { try house.zone(named: "kitchen") }
        #expect(
            error?.description == "2 have the name “Kitchen”. Type “#1” or “#2” instead of the name.")
        #expect(try house.zone(named: "#2").id == 2)
        #expect(throws: RemoteFailure.self) { try house.target(named: "kitchen") }
        #expect(try house.target(named: "#1") == .zone(house.zones[0]))
        #expect(try house.room(named: "b").name == "Kitchen")
    }

    @Test(
        "rooms of an announcement have commas between them, and may have commas of their own",
        arguments: [
            ("Shelf,Liv", ["a", "c"]), ("alsa:hw:CARD=DAC,DEV=0", ["alsa:hw:CARD=DAC,DEV=0"]),
            ("Bath, upstairs", ["d"]),
            ("Shelf,alsa:hw:CARD=DAC,DEV=0,Bath, upstairs", ["a", "alsa:hw:CARD=DAC,DEV=0", "d"]),
        ] as [(String, [String])])
    func rooms(text: String, ids: [String]) throws {
        var house = TestHouse.house
        house.rooms += [
            TestHouse.room("alsa:hw:CARD=DAC,DEV=0", "DAC"), TestHouse.room("d", "Bath, upstairs"),
        ]
        #expect(try SayCommand.rooms(in: text, of: house) == ids)
        #expect(throws: RemoteFailure.self) { try SayCommand.rooms(in: text + ",attic", of: house) }
    }

    @Test("the query of an announcement names a room whose id has a comma by itself")
    func query() {
        let query = SayCommand.query(of: ["a", "hw:0,1", "b"])
        #expect(query == ["rooms=a%2Cb", "rooms=hw%3A0%2C1"])
        #expect(SayCommand.query(of: []).isEmpty)
    }

    @Test("a list of many names ends with the number of the others")
    func longList() {
        let text = NameMatch.list((1...20).map { "Z\($0)" }, "and")
        #expect(text.hasSuffix("“Z12” and 8 more"))
    }

    @Test("a name of the house cannot move the cursor")
    func harmful() { #expect(NameMatch.quoted("a\u{1B}[2J") == "“a?[2J”") }

    @Test("without a name, the only zone is meant, else the only one that plays, is paused or has entries")
    func meantZone() throws {
        var house = TestHouse.house
        #expect(try house.zone(meantBy: nil).name == "Kitchen")
        house.zones[0].state = "paused"
        #expect(try house.zone(meantBy: nil).name == "Kitchen")
        house.zones[1].state = "waiting"
        #expect(try house.zone(meantBy: nil).name == "Living Room")
        house.zones[0].state = "playing"
        let error = #expect(throws: RemoteFailure.self) { try house.zone(meantBy: nil) }
        #expect(error?.description == "Which zone? Add --zone with “Kitchen” or “Living Room”.")
        #expect(try house.zone(meantBy: "liv").id == 2)
        (house.zones[0].state, house.zones[1].state) = ("stopped", "stopped")
        #expect(try house.zone(meantBy: nil).name == "Kitchen")
        house.zones.removeFirst()
        #expect(try house.zone(meantBy: nil).name == "Living Room")
        house.zones = []
        #expect(throws: RemoteFailure.self) { try house.zone(meantBy: nil) }
    }

    @Test(
        "a volume's name is that of a zone before a room, but an exact room before the beginning of a zone",
        arguments: [
            ("Kitchen", "zone 1"), ("shelf", "room a"), ("living", "zone 2"), ("Liv", "room c"),
            ("kit", "zone 1"),
        ])
    func target(text: String, expected: String) throws {
        let target =
            switch try TestHouse.house.target(named: text) {
            case .zone(let zone): "zone \(zone.id)"
            case .room(let room): "room \(room.id)"
            }
        #expect(target == expected)
    }

    @Test(
        "entries are named by numbers, ranges and titles, each taken once",
        arguments: [
            (["1"], [0]), (["2-4"], [1, 2, 3]), (["3-", "1"], [2, 3, 0]), (["2", "1-3"], [1, 0, 2]),
            (["blue"], [1]),
            (["1999"], [3]),
        ] as [([String], [Int])])
    func entries(words: [String], places: [Int]) throws {
        let titles = ["Red", "Blue Moon", "Green", "1999"]
        // A number is a place, never a title.
        guard words != ["1999"] else {
            #expect(throws: RemoteFailure.self) { try EntryNumbers.places(words, titles: titles) }
            return
        }
        #expect(try EntryNumbers.places(words, titles: titles) == places)
    }

    @Test(
        "entries that are not there are refused",
        arguments: ["0", "5", "3-2", "2-9", "0-1", "-1", "99999999999999999999", "x"])
    func noEntries(word: String) {
        #expect(throws: RemoteFailure.self) { try EntryNumbers.places([word], titles: ["A", "B", "C", "D"]) }
    }

    @Test("an entry moves to the number that it is to have")
    func move() throws {
        let entries = (1...4).map { TestHouse.entry(Int64($0 * 10), "T\($0)") }
        func body(_ from: String, _ to: String) throws -> String {
            JSONLine(try QueueCommand.move(from, to: to, entries)).text
        }
        #expect(try body("1", "3") == #"{"entries":[10],"before":40}"#)
        #expect(try body("1", "4") == #"{"entries":[10],"before":null}"#)
        #expect(try body("4", "1") == #"{"entries":[40],"before":10}"#)
        #expect(try body("2", "2") == #"{"entries":[20],"before":30}"#)
    }
}

@Suite("Items for a queue")
struct QueueItemsTests {
    @Test(
        "a word is a web address, a path that is there, or a name of the library",
        arguments: [
            ("https://radio.example/live", .location("https://radio.example/live")),
            ("song.flac", .location("/home/me/song.flac")), ("../music/", .folder("/home/music")),
            ("./gone.flac", .location("/home/me/gone.flac")), ("/srv/a/../b.flac", .location("/srv/b.flac")),
            ("Blue", .search(nil, "Blue")), ("album:Blue", .search(.album, "Blue")),
            ("Album:a:b", .search(.album, "a:b")),
            ("note: x", .search(nil, "note: x")),
        ] as [(String, QueueItems.Word)])
    func words(text: String, word: QueueItems.Word) {
        let found = QueueItems.word(text, in: "/home/me") { path in
            path == "/home/me/song.flac" ? .file : path == "/home/music" ? .folder : .missing
        }
        #expect(found == word)
    }

    static let hits = LibraryHits(
        tracks: [.init(id: 1, title: "Blue", artist: "Joni"), .init(id: nil, title: "Blue", artist: nil)],
        albums: [.init(id: 2, title: "Blue", artist: "Joni"), .init(id: 3, title: "Blue Hour", artist: nil)],
        artists: [.init(id: 4, name: "Blue Nile")], playlists: [], stations: [])

    @Test("a name means the only result that has it; a kind before it decides")
    func hit() throws {
        #expect(try Self.hits.hit(named: "blue hour", nil).id == 3)
        #expect(try Self.hits.hit(named: "Blue", .track).id == 1)
        #expect(try Self.hits.hit(named: "nile", .artist).id == 4)
    }

    @Test("a name that several results have lists them")
    func ambiguous() {
        let error = #expect(throws: RemoteFailure.self) { try Self.hits.hit(named: "blue", nil) }
        #expect(
            error?.description.hasPrefix("“blue” could be album “Blue” by Joni, track “Blue” by Joni. Type")
                == true)
        #expect(throws: RemoteFailure.self) { try Self.hits.hit(named: "red", .playlist) }
    }
}
