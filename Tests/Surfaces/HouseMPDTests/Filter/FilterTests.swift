import Testing
import TuttiTestSupport

@testable import TuttiHouseMPD
@testable import TuttiMusicLibrary

@Suite("Conditions on songs", .timeLimit(.minutes(5)))
struct FilterTests {
    private func catalogue() async throws -> (TestLibrary, SongCatalogue) {
        let library = try await TestLibrary.make()
        return (library, try await CatalogueCache(library.library, SearchWorker(), now: { 0 }).catalogue())
    }

    private func names(_ arguments: [String], isFolded: Bool, _ catalogue: SongCatalogue) throws -> [String] {
        let selection = try SongSelection(arguments, isFolded: isFolded)
        return selection.songs(in: catalogue).map { place in
            String(catalogue.songs[place].uri.split(separator: "/").last ?? "")
        }
    }

    private static let finds: [([String], [String])] = [
        (["artist", "Beta"], ["a.mp3", "b.ogg"]),
        (["Artist", "beta"], []),
        (["artist", "Guest"], ["02.flac"]),
        (["albumartist", "Alpha Band", "title", "First Song"], ["01.flac"]),
        (["albumartist", "Beta"], ["a.mp3", "b.ogg"]),
        (["any", "Rock"], ["01.flac", "02.flac"]),
        (["file", "plain.wav"], ["plain.wav"]),
        (["base", "Alpha"], ["01.flac", "02.flac"]),
        (["base", "Al"], []),
        (["artist", ""], ["plain.wav"]),
        (["composer", ""], ["plain.wav", "01.flac", "02.flac", "a.mp3", "b.ogg"]),
        (["composer", "x"], []),
        (["(Artist == 'Beta')"], ["a.mp3", "b.ogg"]),
        (["((Artist == 'Beta') AND (Title contains 'as'))"], ["b.ogg"]),
        (["(Title == \"Björk's \\\"Tune\\\"\")"], ["a.mp3"]),
        (["(!(Artist == 'Beta'))"], ["plain.wav", "01.flac", "02.flac"]),
        (["(Artist != 'Beta')", "(base 'Alpha')"], ["01.flac", "02.flac"]),
        (["(title starts_with 'Se')"], ["02.flac"]),
        (["(modified-since '1')"], ["plain.wav", "01.flac", "02.flac", "a.mp3", "b.ogg"]),
        (["modified-since", "2999-01-01T00:00:00Z"], []),
        (["(AudioFormat == '44100:16:2')"], []),
        (["(any contains 'Song')", "window", "1:"], ["02.flac"]),
    ]

    @Test("find compares whole texts, and case counts", arguments: finds)
    func find(arguments: [String], wanted: [String]) async throws {
        let (library, catalogue) = try await catalogue()
        #expect(try names(arguments, isFolded: false, catalogue) == wanted)
        withExtendedLifetime(library) {}
    }

    private static let searches: [([String], [String])] = [
        (["any", "song"], ["01.flac", "02.flac"]),
        (["any", "BJORK"], ["a.mp3"]),
        (["any", "alpha band"], ["01.flac", "02.flac"]),
        (["any", "1999"], ["01.flac", "02.flac"]),
        (["any", "nothing"], []),
        (["any", ""], ["plain.wav", "01.flac", "02.flac", "a.mp3", "b.ogg"]),
        (["any", "o", "artist", "bet"], ["a.mp3", "b.ogg"]),
        (["title", "tune"], ["a.mp3"]),
        (["file", "ONE/"], ["01.flac", "02.flac"]),
        (["(artist == 'bEtA')"], ["a.mp3", "b.ogg"]),
        (["(any contains 'guest')"], ["02.flac"]),
        (["artist", "a", "sort", "-Track"], ["02.flac", "b.ogg", "01.flac", "a.mp3"]),
        (["artist", "a", "sort", "Title", "window", "1:3"], ["01.flac", "b.ogg"]),
        (["artist", "a", "sort", "Composer"], ["01.flac", "02.flac", "a.mp3", "b.ogg"]),
        (["artist", "a", "window", "90:99"], []),
    ]

    @Test("search finds parts of texts, without case and accents", arguments: searches)
    func search(arguments: [String], wanted: [String]) async throws {
        let (library, catalogue) = try await catalogue()
        #expect(try names(arguments, isFolded: true, catalogue) == wanted)
        withExtendedLifetime(library) {}
    }

    @Test(
        "a mistake in a condition is told",
        arguments: [
            ("(Artist == 'Beta'", "')' expected"), ("(Artist = 'Beta')", "'==' or '!=' expected"),
            ("(Foo == 'Beta')", "Unknown filter type: Foo"), ("()", "Word expected"),
            ("(Artist == 'Beta') x", "Unparsed garbage after expression"),
            ("(Artist =~ 'B.*')", "Regular expressions are not available; use 'contains'"),
            ("(Artist == Beta)", "Quoted string expected"), ("(Artist == 'Beta)", "Closing quote not found"),
            ("((Artist == 'a') OR (Artist == 'b'))", "'AND' expected"), ("(!Artist == 'a')", "'(' expected"),
            ("artist", "Incorrect number of filter arguments"), ("", "Incorrect number of filter arguments"),
        ])
    func mistakes(text: String, message: String) {
        #expect(throws: CommandError(.argument, message)) { try FilterParser.filter([text], isFolded: false) }
    }

    @Test("parentheses inside each other have a limit")
    func depth() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "(", count: count) + "Artist == 'a'" + String(repeating: ")", count: count)
        }
        _ = try FilterParser.filter([nested(32)], isFolded: false)
        #expect(throws: CommandError(.argument, "Too many parentheses")) {
            try FilterParser.filter([nested(33)], isFolded: false)
        }
        let open = String(repeating: "(!", count: 2000)
        #expect(throws: CommandError.self) { try FilterParser.filter([open], isFolded: false) }
    }

    @Test("a command has at most 32 conditions, in whatever form they come")
    func conditionLimit() throws {
        let limit = FilterParser.conditionLimit
        let error = CommandError(.argument, "Too many conditions: at most 32 are possible")
        let negated = (0..<limit).map { "(!(any contains '\($0)'))" }
        let whole = "(\(negated.joined(separator: " AND ")))"
        _ = try FilterParser.filter([whole], isFolded: true)
        _ = try FilterParser.filter(negated, isFolded: true)
        for arguments in [[whole, "(Artist == 'a')"], negated + ["artist", "a"]] {
            #expect(throws: error) { try FilterParser.filter(arguments, isFolded: true) }
        }
        let line = "(\((0..<170).map { _ in "(!(any contains 'x'))" }.joined(separator: " AND ")))"
        #expect(line.utf8.count > 4000)
        #expect(throws: error) { try FilterParser.filter([line], isFolded: false) }
        #expect(throws: error) {
            try FilterParser.filter((0..<66).map { _ in "artist" }, isFolded: false)
        }
    }

    @Test("searches of several clients take turns, and one whose client is gone ends")
    func turns() async throws {
        let songs = (0..<(3 * SearchWorker.stepSize)).map { place in
            let song = LibrarySong(
                id: Int64(place), folder: "/m", file: "\(place)", part: 0, title: "\(place)", artists: ["A"],
                album: nil, albumArtist: nil, genre: nil, track: nil, disc: nil, year: nil,
                duration: 1, start: 0, modified: 0, picture: nil)
            return Song(song, folder: "")
        }
        let (catalogue, worker) = (SongCatalogue(songs: songs), SearchWorker())
        let filter = try FilterParser.filter(["(!(Title == 'x'))"], isFolded: false)
        #expect(try await worker.songs(filter, in: catalogue) { true } == Array(songs.indices))
        let steps = Recorder(0)
        await #expect(throws: CommandError.gone) {
            try await worker.songs(filter, in: catalogue) {
                steps.update { $0 += 1 }
                return steps.value < 3
            }
        }
        #expect(steps.value == 3)
    }

    @Test("damaged conditions never trap, and those that parse can be asked", arguments: UInt64(1)...20)
    func fuzz(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "(", ")", "!", " ", "AND", "==", "!=", "=~", "contains", "starts_with", "'", "\"", "\\", "Artist",
            "any", "file", "base", "modified-since", "x", "é", "AudioFormat", "\n",
        ]
        for _ in 0..<400 {
            let text = (0..<Int.random(in: 0...16, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let filter = try? FilterParser.filter(["(" + text], isFolded: Bool.random(using: &random))
            else { continue }
            #expect(filter.songs(in: .empty).isEmpty)
        }
    }
}
