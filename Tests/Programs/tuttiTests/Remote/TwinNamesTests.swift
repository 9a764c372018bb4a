import Testing
import TuttiCommandLineInterface

@testable import tutti

@Suite("Names that several things have")
struct TwinNamesTests {
    @Test("things of one name among those that begin so are told apart by what may be typed instead")
    func mixed() throws {
        var house = TestHouse.house
        house.zones[1].name = "Kitchen"
        house.zones.append(TestHouse.zone(3, "Kitchen left"))
        let error = #expect(throws: RemoteFailure.self) { try house.zone(named: "kit") }
        #expect(
            error?.description
                == "“kit” could be “#1” (“Kitchen”), “#2” (“Kitchen”) or “Kitchen left”. Type one of these.")
        #expect(error?.kind == .usage)
        #expect(try house.zone(named: "kitchen l").id == 3)
        #expect(try house.zone(named: "#2").id == 2)
    }

    @Test("entries of one title are told apart by their numbers")
    func entries() throws {
        let titles = ["Blue", "Red", "blue", "Blue Moon", "Blue"]
        let same = #expect(throws: RemoteFailure.self) { try EntryNumbers.places(["Blue"], titles: titles) }
        #expect(same?.description == "2 have the name “Blue”. Type “1” or “5” instead of the name.")
        #expect(try EntryNumbers.places(["blue"], titles: titles) == [2])
        let begun = #expect(throws: RemoteFailure.self) { try EntryNumbers.place("blu", titles: titles) }
        #expect(
            begun?.description
                == "“blu” could be “1” (“Blue”), “blue”, “Blue Moon” or “5” (“Blue”). Type one of these.")
        #expect(try EntryNumbers.place("5", titles: titles) == 4)
    }

    static let mistakes: [(word: String, titles: [String], text: String)] = [
        ("1", [], "The queue is empty."), ("x", [], "The queue is empty."),
        ("2", ["A"], "There is no entry “2”: the queue has one entry."),
        ("0", ["A", "B"], "There is no entry “0”: the queue has 2 entries."),
        ("1-2-3", ["A", "B"], "There is no entry “1-2-3”: the queue has 2 entries."),
        (
            "1-99999999999999999999", ["A"],
            "There is no entry “1-99999999999999999999”: the queue has one entry."
        ),
        ("c", ["A", "B"], "There is no entry “c”. There are “A” and “B”."),
        ("\u{1B}", ["A"], "There is no entry “?”. The only entry is “A”."),
    ]

    @Test("an entry that is not there is named, with what there is", arguments: mistakes)
    func noEntry(word: String, titles: [String], text: String) {
        let error = #expect(throws: RemoteFailure.self) { try EntryNumbers.places([word], titles: titles) }
        #expect(error?.description == text)
        #expect(error?.status.rawValue == 66)
    }

    @Test("a command for one entry takes a range of one, and refuses more")
    func oneEntry() throws {
        #expect(try EntryNumbers.place("2-2", titles: ["A", "B"]) == 1)
        #expect(try EntryNumbers.place("2-", titles: ["A", "B"]) == 1)
        let error = #expect(throws: RemoteFailure.self) { try EntryNumbers.place("1-", titles: ["A", "B"]) }
        #expect(error?.description.hasPrefix("“1-” matches more than one entry.") == true)
        #expect(try EntryNumbers.places(["1-", "2", "b"], titles: ["A", "B"]) == [0, 1])
    }

    @Test("names of any length make a sentence that fits a terminal's screen")
    func longNames() {
        let names = (0..<500).map { "\($0) " + String(repeating: "long ", count: 1_000) }
        let error = #expect(throws: RemoteFailure.self) {
            try NameMatch.find("x", kind: "zone", among: names, name: { $0 })
        }
        #expect(error?.description.hasSuffix("and 488 more.") == true)
        #expect((error?.description.count ?? 0) < 2_000)
    }

    @Test("rooms of an announcement are none where only commas are given, which would mean all of them")
    func noRooms() throws {
        for text in [",", ",,,"] {
            let error = #expect(throws: RemoteFailure.self) {
                try SayCommand.rooms(in: text, of: TestHouse.house)
            }
            #expect(error?.description == "“\(text)” names no room.")
        }
        #expect(try SayCommand.rooms(in: "Shelf,", of: TestHouse.house) == ["a"])
        #expect(try SayCommand.rooms(in: ",Shelf,,Liv", of: TestHouse.house) == ["a", "c"])
    }
}
