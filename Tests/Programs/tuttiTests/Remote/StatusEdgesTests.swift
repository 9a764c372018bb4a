import Testing
import TuttiCommandLineInterface
import TuttiTestSupport

@testable import tutti

@Suite("Status of a house with unusual contents")
struct StatusEdgesTests {
    @Test("each way in which a zone plays is named in its row")
    func modes() {
        var house = TestHouse.house
        (house.zones[0].levelling, house.zones[0].crossfade) = ("album", 4.6)
        (house.zones[0].shuffle, house.zones[0].repeatMode) = (true, "one")
        house.zones[0].sleep = RemoteZone.Sleep(at: 160)
        house.zones[1].input = RemoteZone.Input(name: "Desk", kind: "desktop")
        (house.zones[1].levelling, house.zones[1].crossfade) = ("off", 0)
        house.zones[1].sleep = RemoteZone.Sleep(endOfTrack: true)
        let lines = StatusText(house: house, time: 100).zones(nil)
        #expect(lines[1].contains("  levelling album, crossfade 5 s, shuffle, repeat one, sleep 1:00  "))
        #expect(lines[2].hasPrefix("Living Room  stopped  Desk  "))
        #expect(lines[2].hasSuffix("  from desktop, sleep at end"))
        let late = StatusText(house: house, time: 500).zones(nil)
        #expect(late[1].contains("sleep 0:00"), "a timer that is due has no time left")
    }

    @Test("a zone shows the title of its stream, else its input, else its entry")
    func titles() {
        var zone = TestHouse.zone(1, "Kitchen")
        #expect(zone.title.isEmpty)
        zone.current = TestHouse.entry(1, "Song")
        #expect(zone.title == "Song")
        zone.input = RemoteZone.Input(kind: "pipe")
        #expect(zone.title == "pipe")
        zone.input = RemoteZone.Input(name: "Radio", kind: "pipe")
        #expect(zone.title == "Radio")
        zone.streamTitle = "Band – Song"
        #expect(zone.title == "Band – Song")
    }

    @Test("the sound of a room, its delay and what it needs are named in its row")
    func rooms() {
        var house = TestHouse.house
        house.rooms[0].nightMode = true
        house.rooms[0].equalizer = RemoteRoom.Equalizer(gains: [0])
        (house.rooms[0].maximumVolume, house.rooms[0].delay) = (60, -120)
        (house.rooms[1].maximumVolume, house.rooms[1].delay) = (100, 0)
        house.rooms[1].needsPassword = true
        house.rooms[2].needsPassword = true
        house.rooms[2].trouble = RemoteTrouble(message: "Liv is busy.")
        house.rooms[2].isPresent = false
        let lines = StatusText(house: house, time: 100).rooms(nil)
        #expect(
            lines[0].split(separator: " ").map(String.init) == [
                "ROOM", "ZONE", "STATE", "DELAY", "SOUND", "TROUBLE",
            ])
        #expect(lines[1].hasSuffix("-120 ms  night, equalizer, at most 60%"))
        #expect(lines[2].hasSuffix("needs its password") && !lines[2].contains("ms"))
        #expect(lines[3].contains("absent") && lines[3].hasSuffix("Liv is busy."))
    }

    @Test("a house without zones or rooms says what to do")
    func empty() {
        let house = RemoteHouse(time: 0, zones: [], rooms: [])
        #expect(
            StatusText(house: house, time: 0).lines(limit: 80) == [
                "No zones. Make one with: tutti zone new NAME ROOM...", "",
                "No rooms. 'tutti speakers' lists the speakers on the network.",
            ])
    }

    @Test("announcements name their rooms, and troubles come in the order house, zones, rooms")
    func sentences() {
        var house = TestHouse.house
        house.announcements = [
            RemoteAnnouncement(id: 7, title: "Door\u{1B}bell", rooms: ["b", "gone"], state: "waiting")
        ]
        house.troubles = [RemoteTrouble(message: "The library\nis gone.")]
        house.zones[1].trouble = RemoteTrouble(message: "No rooms.")
        house.rooms[0].trouble = RemoteTrouble(message: "Off.")
        #expect(
            StatusText(house: house, time: 100).lines(limit: nil).suffix(5) == [
                "Announcement 7, waiting: Door?bell, in Kitchen, gone", "", "The library?is gone.",
                "Living Room: No rooms.", "Shelf: Off.",
            ])
    }

    @Test("a name with a colon is whole when it is gone, and a new name is a change")
    func changeLines() {
        var (lines, house) = (ChangeLines(), TestHouse.house)
        house.zones[1].name = "Living: Room"
        house.rooms[2].name = "a\nb: c"
        #expect(lines.lines(house).suffix(1) == ["room a?b: c: idle"])
        house.zones[1].name = "Spa: 2"
        #expect(lines.lines(house) == ["zone Spa: 2: stopped; no rooms"])
        house.zones.removeLast()
        house.rooms.removeLast()
        #expect(lines.lines(house) == ["room a?b: c: gone", "zone Spa: 2: gone"])
        #expect(lines.lines(house).isEmpty)
    }

    @Test("troubles are lines of their own, and the end of one is told")
    func troubles() {
        var (lines, house) = (ChangeLines(), TestHouse.house)
        _ = lines.lines(house)
        house.troubles = ["No disk.", "No port."].map { RemoteTrouble(message: $0) }
        #expect(lines.lines(house) == ["trouble: No disk.", "trouble: No port."])
        house.troubles?.removeLast()
        #expect(lines.lines(house) == ["trouble: gone"])
        house.troubles = nil
        #expect(lines.lines(house) == ["trouble: gone"])
    }

    @Test("a table of any contents is never wider than asked, and leaves out empty columns")
    func tables() {
        var random = SeededGenerator(seed: 9)
        let pieces = ["", "a", "Küche", "客厅", "👨‍👩‍👧", "\u{1B}[31m", "long long words "]
        for _ in 0..<60 {
            var table = FittedTable([
                .init("ONE", shrinksTo: 4), .init("TWO"), .init("THREE", shrinksTo: 3, goes: 1),
                .init("FOUR", goes: 0), .init("NONE"),
            ])
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let cells = (0..<4).map { _ in
                    (0..<Int.random(in: 0...3, using: &random)).map { _ in
                        pieces.randomElement(using: &random) ?? ""
                    }.joined()
                }
                table.append(cells + [""])
            }
            for limit in [0, 1, 5, 12, 20, 40] {
                #expect(table.lines(limit: limit).allSatisfy { DisplayWidth.of($0) <= limit })
            }
            #expect(table.lines(limit: nil).allSatisfy { !$0.contains("NONE") && !$0.contains("\u{1B}") })
        }
    }

    @Test("a queue is a table that marks the current entry and what is wrong")
    func queue() {
        var zone = TestHouse.zone(1, "Kit\u{1B}chen")
        #expect(QueueCommand.table([], of: zone, limit: nil) == ["The queue of Kit?chen is empty."])
        var entries = [TestHouse.entry(7, "One"), TestHouse.entry(8, "Two", duration: nil)]
        entries[1].failure = "It is gone."
        zone.current = entries[0]
        #expect(
            QueueCommand.table(entries, of: zone, limit: nil) == [
                "   NUMBER  TITLE  ARTIST  LENGTH  TROUBLE", ">  1       One    Artist  3:20",
                "   2       Two    Artist          It is gone.",
            ])
    }
}
