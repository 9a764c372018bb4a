import Testing
import TuttiCommandLineInterface

@testable import tutti

@Suite("Status of the house")
struct StatusTests {
    static var playing: RemoteHouse {
        var house = TestHouse.house
        house.zones[0].state = "playing"
        house.zones[0].current = TestHouse.entry(7, "A rather long title of a song")
        house.zones[0].position = 60
        house.zones[0].volume = 42.4
        house.zones[0].shuffle = true
        house.rooms[0].depth = RemoteRoom.Depth(seconds: 30.4)
        house.rooms[0].state = "playing"
        house.rooms[1].trouble = RemoteTrouble(message: "Kitchen does not answer.")
        return house
    }

    @Test("the tables show what plays, where, and what is wrong")
    func tables() {
        let lines = StatusText(house: Self.playing, time: 123.9).lines(limit: nil)
        #expect(
            lines == [
                "ZONE         STATE    TITLE                          ARTIST  POSITION     VOLUME  MODE     ROOMS",
                "Kitchen      playing  A rather long title of a song  Artist  1:23 / 3:20  42%     shuffle  Shelf, Kitchen",
                "Living Room  stopped",
                "",
                "ROOM     ZONE     STATE    BUFFER  TROUBLE",
                "Shelf    Kitchen  playing  30 s",
                "Kitchen  Kitchen  idle             Kitchen does not answer.",
                "Liv      -        idle",
                "",
                "Kitchen: Kitchen does not answer.",
            ])
    }

    @Test("the tables fit a terminal of any width", arguments: [20, 40, 60, 80, 120])
    func width(columns: Int) {
        let text = StatusText(house: Self.playing, time: 100)
        for line in text.zones(columns) + text.rooms(columns) { #expect(DisplayWidth.of(line) <= columns) }
    }

    @Test("on a narrow terminal the columns that matter less go")
    func narrow() {
        let text = StatusText(house: Self.playing, time: 100)
        let headers = [120, 72, 60, 50].map { text.zones($0)[0].split(separator: " ").map(String.init) }
        #expect(headers[0] == ["ZONE", "STATE", "TITLE", "ARTIST", "POSITION", "VOLUME", "MODE", "ROOMS"])
        #expect(headers[1] == ["ZONE", "STATE", "TITLE", "ARTIST", "POSITION", "VOLUME", "ROOMS"])
        #expect(headers[2] == ["ZONE", "STATE", "TITLE", "POSITION", "VOLUME", "ROOMS"])
        #expect(headers[3] == ["ZONE", "STATE", "TITLE", "POSITION", "ROOMS"])
    }

    @Test("wide letters keep their columns")
    func wideLetters() {
        var table = FittedTable([.init("A", shrinksTo: 4), .init("B")])
        table.append(["音楽音楽音楽", "1"])
        table.append(["abc", "2"])
        #expect(table.lines(limit: 10) == ["A        B", "音楽音…  1", "abc      2"])
    }

    @Test("control characters of a title do not reach the terminal")
    func harmless() {
        var house = Self.playing
        house.zones[0].streamTitle = "x\u{1B}[2Jy"
        let text = StatusText(house: house, time: 100).lines(limit: nil).joined()
        #expect(!text.contains("\u{1B}") && text.contains("x?[2Jy"))
    }

    @Test("the position advances while a zone plays, at its rate, to the end of the track")
    func position() {
        var zone = Self.playing.zones[0]
        #expect(zone.position(at: 110) == 70)
        zone.rate = 2
        #expect(zone.position(at: 110) == 80)
        #expect(zone.position(at: 1000) == 200)
        #expect(zone.position(at: 50) == 60)
        zone.state = "paused"
        #expect(zone.position(at: 110) == 60)
    }

    @Test("numbers that make no sense are shown as a question mark")
    func strangeNumbers() {
        #expect(StatusText.number(.nan) == "?")
        #expect(StatusText.number(1e300) == "?")
        #expect(TimeText.clock(.nan).isEmpty)
    }

    @Test("a change prints a line for each zone and room that it is about, and for those that are gone")
    func changeLines() {
        var lines = ChangeLines()
        #expect(lines.lines(TestHouse.house).count == 5)
        var house = TestHouse.house
        #expect(lines.lines(house).isEmpty)
        house.zones[0].position = 5
        house.rooms[0].depth = RemoteRoom.Depth(seconds: 3)
        #expect(lines.lines(house).isEmpty)
        house.zones[0].state = "playing"
        #expect(lines.lines(house) == ["zone Kitchen: playing; in Shelf, Kitchen"])
        house.rooms.removeLast()
        #expect(lines.lines(house) == ["room Liv: gone"])
    }

    @Test("the hint names the zone of a wanted speaker that belongs to the house")
    func hint() {
        #expect(
            HousePlayCommand.hints(["shelf", "Liv", "Other"], TestHouse.house)
                == ["Shelf belongs to the house, which can play there: tutti play --zone \"Kitchen\" FILE"])
    }

    @Test(
        "the hint's command is safe to copy, with the whole name or the zone's number",
        arguments: [
            ("Bob's \"den\"; id", #"'Bob'\''s "den"; id'"#), ("$(id)", "'$(id)'"),
            ("K\u{301};id", "'K\u{301};id'"),
            ("K\u{200B}", "'#1'"), ("K\nid", "'#1'"), ("", "'#1'"),
            (String(repeating: "long ", count: 40), "\"" + String(repeating: "long ", count: 40) + "\""),
        ])
    func hintedCommand(name: String, word: String) {
        var house = TestHouse.house
        house.zones[0].name = name
        #expect(
            HousePlayCommand.hints(["shelf"], house)
                == ["Shelf belongs to the house, which can play there: tutti play --zone \(word) FILE"])
    }
}
