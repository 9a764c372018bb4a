import Testing
import TuttiHouse
import TuttiMusicLibrary

@testable import TuttiHouseMPD

@Suite("Arguments, events and errors of the protocol")
struct ArgumentTests {
    @Test(
        "whole numbers are taken in full or not at all",
        arguments: [
            ("0", 0), ("-1", -1), ("+5", 5), ("007", 7), ("9223372036854775807", .max),
            ("-9223372036854775808", .min), ("9223372036854775808", nil), ("", nil), (" 1", nil), ("1 ", nil),
            ("1.0", nil), ("0x1", nil), ("1e3", nil), ("١", nil), ("--1", nil),
        ] as [(String, Int?)])
    func integers(text: String, value: Int?) throws {
        guard let value else {
            #expect(throws: CommandError(.argument, "Integer expected: \(text)")) {
                try Argument.integer(text)
            }
            return
        }
        #expect(try Argument.integer(text) == value)
        if value < 0 {
            #expect(throws: CommandError(.argument, "Number too small: \(text)")) {
                try Argument.natural(text)
            }
        } else {
            #expect(try Argument.natural(text, upTo: value) == value)
        }
    }

    @Test("limits are part of what is allowed, and each kind of value refuses others")
    func limits() throws {
        #expect(try Argument.natural("100", upTo: 100) == 100)
        #expect(throws: CommandError(.argument, "Number too large: 101")) {
            try Argument.natural("101", upTo: 100)
        }
        #expect(try Argument.seconds("0") == 0 && Argument.seconds("1.5e2") == 150)
        for text in ["-0.001", "inf", "nan", "", "1:30", "1,5", "-inf", "1e999"] {
            #expect(throws: CommandError.self, "\(text)") { try Argument.seconds(text) }
        }
        #expect(try Argument.boolean("1") && !Argument.boolean("0"))
        for text in ["", "2", "01", "true", "on", "-1", " 1"] {
            #expect(throws: CommandError.self, "\(text)") { try Argument.boolean(text) }
        }
    }

    @Test(
        "a range is one place, places before an end, or all from a place on",
        arguments: [
            ("0", 0..<1), ("4", 4..<5), ("1:3", 1..<3), ("2:2", 2..<2), ("2:", 2..<5), ("5:", 5..<5),
            ("9:", 9..<9),
            ("0:99", 0..<99), ("9223372036854775807", Int.max..<Int.max),
            ("9223372036854775807:", Int.max..<Int.max),
        ] as [(String, Range<Int>)])
    func ranges(text: String, range: Range<Int>) throws {
        #expect(try Argument.range(text, count: 5) == range)
    }

    @Test("places of a queue are counted from the current song in both directions, up to both ends")
    func positions() throws {
        for current in 0..<4 {
            for offset in 0..<6 {
                let after = try? QueuePosition("+\(offset)").place(current: current, count: 4)
                #expect(after == (current + 1 + offset <= 4 ? current + 1 + offset : nil))
                let before = try? QueuePosition("-\(offset)").place(current: current, count: 4)
                #expect(before == (current - offset >= 0 ? current - offset : nil))
            }
        }
        #expect(try QueuePosition("0").place(current: nil, count: 0) == 0)
        for text in ["+0", "-0"] {
            #expect(throws: CommandError(.notPlaying, "No current song")) {
                try QueuePosition(text).place(current: nil, count: 4)
            }
        }
        for text in ["+ 1", "1+", "-", "+x", "", " 1", "²"] {
            #expect(throws: CommandError.self, "\(text)") { try QueuePosition(text) }
        }
    }

    @Test("the words of events are those of the protocol, and read back")
    func events() throws {
        let words = [
            "database", "update", "stored_playlist", "playlist", "player", "mixer", "output", "options",
            "partition",
            "sticker", "subscription", "message", "neighbor", "mount",
        ]
        #expect(Set(IdleEvents.all.names) == Set(words) && IdleEvents.all.names.count == words.count)
        for word in words { #expect(try IdleEvents(name: word).names == [word]) }
        for word in ["", "Player", "player ", "all", "playlists"] {
            #expect(throws: CommandError(.argument, "Unrecognized idle event: \(word)")) {
                try IdleEvents(name: word)
            }
        }
    }

    @Test("tags have their names in any case, and those that no song has are known, too")
    func tags() {
        for tag in Tag.allCases {
            #expect(Tag.Named("\(tag.name)".uppercased()) == .known(tag))
            #expect(Tag.Named("\(tag.name)".lowercased()) == .known(tag))
        }
        #expect(Tag.Named("musicbrainz_ALBUMID") == .absent("MUSICBRAINZ_ALBUMID"))
        #expect(Tag.Named("composer") == .absent("Composer"))
        for name in ["", "artists", "art ist", "any", "file", "albumartistsort "] {
            #expect(Tag.Named(name) == nil)
        }
        var set: TagSet = []
        for tag in Tag.allCases { set.insert(TagSet(tag)) }
        #expect(set == .all)
        set.subtract(TagSet(.title))
        #expect(!set.contains(.title) && set.contains(.artist))
    }

    @Test("refusals of the house and of the library have the numbers of MPD")
    func codes() {
        let house: [(HouseError.Kind, Int)] = [
            (.notFound, 50), (.invalid, 2), (.conflict, 55), (.limit, 51), (.unavailable, 52),
        ]
        #expect(house.count == HouseError.Kind.allCases.count)
        for (kind, code) in house {
            let error = CommandError(HouseError(kind, "Words."))
            #expect(error.line(index: 3, command: "play") == "ACK [\(code)@3] {play} Words.")
        }
        let library: [(LibraryError.Kind, Int)] = [
            (.notFound, 50), (.invalid, 2), (.limit, 51), (.unavailable, 52),
        ]
        #expect(library.count == LibraryError.Kind.allCases.count)
        for (kind, code) in library {
            #expect(
                CommandError(LibraryError(kind, "Words.")).line(index: 0, command: "")
                    == "ACK [\(code)@0] {} Words.")
        }
    }

    @Test(
        "dates come with a time or without, or are seconds",
        arguments: [
            ("0", 0), ("-1", -1), ("1970-01-01T00:00:00Z", 0), ("1970-01-02", 86_400),
            ("2000-02-29", 951_782_400),
            ("2026-11-26T07:01:09Z", 1_795_676_469), ("", nil), ("yesterday", nil),
            ("26.11.2026", nil), ("2026-11", nil), ("1.5", nil), ("99999999999999999999", nil),
        ] as [(String, Int64?)])
    func dates(text: String, time: Int64?) { #expect(DateText.time(text) == time) }

    @Test(
        "numbers of answers are whole, or have three decimals",
        arguments: [
            (0, "0.000"), (0.0004, "0.000"), (0.0006, "0.001"), (59.9996, "60.000"), (1e9, "1000000000.000"),
            (1e12, "1000000000.000"), (-3, "0.000"), (.nan, "0.000"), (.infinity, "0.000"),
        ] as [(Double, String)])
    func seconds(value: Double, text: String) {
        var response = Response()
        response.add("elapsed", seconds: value)
        #expect(String(decoding: response.take(), as: UTF8.self) == "elapsed: \(text)\n")
    }

    @Test("values of all sizes follow each other in one answer, and taking it empties it")
    func answers() {
        var response = Response()
        let numbers = [0, 9, 10, 999_999_999, 1_000_000_000, -1, .max, .min]
        for number in numbers { response.add("n", number) }
        response.add("b", true)
        response.add("t", "é\t\u{1F600}")
        let long = String(repeating: "x", count: 100_000)
        response.add("l", long)
        response.add(binary: [0, 10, 255])
        let expected = numbers.map { "n: \($0)\n" }.joined() + "b: 1\nt: é \u{1F600}\nl: \(long)\nbinary: 3\n"
        #expect(response.count == expected.utf8.count + 4)
        #expect(response.take() == Array(expected.utf8) + [0, 10, 255, 10])
        #expect(response.count == 0 && response.take().isEmpty)
        response.add("n", 7)
        #expect(response.take() == Array("n: 7\n".utf8))
    }

    @Test("a command list keeps its lines apart, also empty ones")
    func commandList() {
        var list = CommandList(isAcknowledged: true)
        let lines = ["", "play", "", "add é", "x"].map { Array($0.utf8) }
        for line in lines {
            let isTaken = list.append(line)
            #expect(isTaken)
        }
        #expect(list.count == 5 && lines.indices.map { list[$0] } == lines)
    }

    @Test("an inbox keeps events until they are asked for, answers once, and holds so many messages")
    func inbox() {
        var inbox = ClientInbox(zone: ZoneID(rawValue: 1))
        #expect(inbox.add([.player, .mixer]) == nil && !inbox.isIdle)
        #expect(inbox.wait(for: .mixer) == .mixer)
        #expect(inbox.wait(for: [.mixer, .output]) == nil && inbox.isIdle)
        #expect(inbox.add(.options) == nil && inbox.isIdle)
        #expect(inbox.add([.output, .database]) == .output && !inbox.isIdle)
        #expect(inbox.wait(for: .all) == [.player, .options, .database])
        #expect(inbox.wait(for: .all) == nil)
        let (ended, again) = (inbox.endWait(), inbox.endWait())
        #expect(ended && !again)
        // Another zone has another state of everything, the same one has not.
        inbox.move(to: ZoneID(rawValue: 1))
        #expect(inbox.wait(for: .all) == nil)
        inbox.move(to: ZoneID(rawValue: 2))
        #expect(inbox.wait(for: .all) == .ofZone)

        inbox.channels = ["a"]
        var taken = 0
        for number in 0..<100 where inbox.add(message: "\(number)", channel: "a") { taken += 1 }
        let isForeign = inbox.add(message: "x", channel: "b")
        #expect(taken == ClientInbox.messageLimit && !isForeign)
        #expect(inbox.takeMessages().map(\.text) == (0..<taken).map { "\($0)" })
        #expect(inbox.takeMessages().isEmpty)
    }

    @Test("a refused change of a playlist gives its turn to the next one")
    func turns() async throws {
        let turns = EditTurns()
        var values: [Int] = []
        for number in 0..<3 {
            try await turns.run { () async throws(CommandError) in values.append(number) }
        }
        await #expect(throws: CommandError.noSong) {
            try await turns.run { () async throws(CommandError) in throw CommandError.noSong }
        }
        // The refusal has given its turn to the next one.
        let last = try await turns.run { () async throws(CommandError) in values.count }
        #expect(values == [0, 1, 2] && last == 3)
    }
}
