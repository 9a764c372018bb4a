import Testing
import TuttiMusicLibrary
import TuttiTestSupport

@testable import TuttiHouseMPD

@Suite("The meaning of conditions")
struct FilterMeaningTests {
    private static func song(
        _ id: Int64, _ uri: String, title: String? = nil, artists: [String] = [], album: String? = nil,
        albumArtist: String? = nil, name: String? = nil, genre: String? = nil, track: Int? = nil,
        modified: Int64? = nil
    ) -> Song {
        Song(
            id: id, uri: uri, title: title, name: name, artists: artists, album: album,
            albumArtist: albumArtist, genre: genre, track: track, disc: nil, date: nil, duration: 1,
            modified: modified, picture: nil)
    }

    /// Songs of a queue, whose numbers are their places: a station and a file without tags among them.
    private static let catalogue = SongCatalogue(songs: [
        song(
            0, "a/one.flac", title: "It's \"One\"", artists: ["Ärzte", "Beta"], album: "First", modified: 100),
        song(1, "a/two.flac", title: "two (live)", artists: ["Beta"], albumArtist: "Various", modified: 200),
        song(2, "http://radio.example/live", name: "Radio Nord"),
        song(3, "ab/bare.wav", modified: 300),
        song(4, "a.flac", title: "back\\slash", artists: ["beta"], genre: "Rock", track: 7),
    ])

    private func places(_ arguments: [String], isFolded: Bool) throws -> [Int] {
        try FilterParser.filter(arguments, isFolded: isFolded).songs(in: Self.catalogue)
    }

    @Test(
        "find has this meaning of a condition",
        arguments: [
            (["artist", "Beta"], [0, 1]), (["(artist == 'Beta')"], [0, 1]),
            (["(Artist != 'Beta')"], [2, 3, 4]), (["(!(Artist == 'Beta'))"], [2, 3, 4]),
            (["(artist contains 'eta')"], [0, 1, 4]), (["(artist !contains 'eta')"], [2, 3]),
            (["(artist starts_with 'B')"], [0, 1]), (["(artist !starts_with 'B')"], [2, 3, 4]),
            // An album's artist that is missing is the artist.
            (["albumartist", "Beta"], [0]), (["(AlbumArtist == 'Various')"], [1]),
            // A missing tag is an empty one.
            (["artist", ""], [2, 3]), (["(Artist != '')"], [0, 1, 4]),
            (["(Title contains '')"], [0, 1, 2, 3, 4]),
            (["(Composer == '')"], [0, 1, 2, 3, 4]), (["(Composer != '')"], []),
            // Quotes, and the backslash before one.
            (["(title == 'It\\'s \"One\"')"], [0]), (["(title == \"It's \\\"One\\\"\")"], [0]),
            (["(title == 'back\\\\slash')"], [4]), (["title", "back\\slash"], [4]),
            (["(title == 'two (live)')"], [1]),
            // Spaces anywhere, and none.
            (["( ( artist  ==  'Beta' )  AND  ( title=='two (live)' ) )  "], [1]),
            (["(artist=='Beta')"], [0, 1]), (["(!(artist=='Beta'))", "(!(name!=''))"], [3, 4]),
            (["name", "Radio Nord"], [2]), (["any", "Radio Nord"], [2]), (["any", "7"], []),
            (["track", "7"], [4]),
            (["((((artist == 'Beta'))))"], [0, 1]),
            (["((artist == 'Beta') AND (artist == 'Ärzte') AND (album == 'First'))"], [0]),
            // A folder is no beginning of a text, and its slash at the end does not count.
            (["base", "a"], [0, 1]), (["base", "a/"], [0, 1]), (["(base 'ab')"], [3]),
            (["base", "a.flac"], [4]),
            (["base", ""], [0, 1, 2, 3, 4]), (["file", "ab/bare.wav"], [3]),
            (["(file contains 'a/')"], [0, 1]),
            // Songs that changed at that moment count; those of unknown time do not.
            (["modified-since", "200"], [1, 3]), (["(modified-since '201')"], [3]),
            (["(!(modified-since '200'))"], [0, 2, 4]), (["modified-since", "1970-01-01"], [0, 1, 3]),
            (["modified-since", "1970-01-02"], []), (["modified-since", "1970-01-01T00:03:20Z"], [1, 3]),
        ] as [([String], [Int])])
    func find(arguments: [String], wanted: [Int]) throws {
        #expect(try places(arguments, isFolded: false) == wanted)
    }

    @Test(
        "search has this meaning of a condition",
        arguments: [
            (["artist", "beta"], [0, 1, 4]), (["artist", "ARZ"], [0]), (["(artist == 'arzte')"], [0]),
            (["(artist != 'BETA')"], [2, 3]), (["(artist starts_with 'b')"], [0, 1, 4]),
            (["(artist !contains 'ä')"], [2, 3]), (["(!(artist contains 'x'))"], [0, 1, 2, 3, 4]),
            // An empty text is in every text, and in a missing one.
            (["artist", ""], [0, 1, 2, 3, 4]), (["(artist == '')"], [2, 3]), (["(artist != '')"], [0, 1, 4]),
            (["(artist starts_with '')"], [0, 1, 2, 3, 4]),
            (["(title contains '')", "artist", "beta"], [0, 1, 4]),
            (["any", "radio"], [2]), (["any", "nord", "name", "RADIO"], [2]), (["any", "various"], [1]),
            (["any", "rock"], [4]), (["any", "live"], [1]), (["file", "LIVE"], [2]), (["any", "zzz"], []),
            (["title", "two", "title", "live"], [1]), (["title", "two", "title", "one"], []),
        ] as [([String], [Int])])
    func search(arguments: [String], wanted: [Int]) throws {
        #expect(try places(arguments, isFolded: true) == wanted)
    }

    @Test(
        "words in other places are mistakes",
        arguments: [
            ["(artist == 'a' 'b')"], ["(artist == 'a') AND (artist == 'b')"], ["(artist == 'a'"],
            ["((artist == 'a') AND)"], ["((artist == 'a') (artist == 'b'))"], ["(AND (artist == 'a'))"],
            ["(! artist == 'a')"], ["(!)"], ["(artist 'a')"], ["(artist contains)"], ["(base == 'a')"],
            ["(modified-since 'soon')"], ["modified-since", "26.11.2026"], ["(artist ~= 'a')"],
            ["(artist !~ 'a')"],
            ["(AudioFormat '44100:16:2')"], ["artist"], ["artist", "a", "title"], ["(artist == 'a\\')"],
            ["foo", "bar"], ["(artist == 'a')", "x"], ["base", "../x"],
        ])
    func mistakes(arguments: [String]) {
        for isFolded in [true, false] {
            #expect(throws: CommandError.self) { try FilterParser.filter(arguments, isFolded: isFolded) }
        }
    }

    @Test("options come after the condition in their order, and a condition may have their names as texts")
    func options() throws {
        let all = try SongSelection(
            ["(artist != '')", "sort", "-Title", "window", "1:2", "position", "+1"], isFolded: false,
            takesPosition: true)
        #expect(all.isDescending && all.window == 1..<2 && all.position == .after(1))
        #expect(all.songs(in: Self.catalogue) == [0])
        for title in ["sort", "window", "position"] {
            let selection = try SongSelection(["title", title], isFolded: false, takesPosition: true)
            #expect(selection.order == nil && selection.window == nil && selection.position == nil)
        }
        let open = try SongSelection(["artist", "", "window", "3:"], isFolded: true)
        #expect(open.songs(in: Self.catalogue) == [3, 4])
        for arguments in [
            ["artist", "a", "window", "1:2", "sort", "title"], ["artist", "a", "window", "2:1"],
            ["artist", "a", "sort", "nothing"], ["artist", "a", "sort", "-"],
            ["artist", "a", "position", "1"],
            ["artist", "a", "window"], ["window", "0:1"],
        ] {
            #expect(throws: CommandError.self, "\(arguments)") {
                try SongSelection(arguments, isFolded: false)
            }
        }
    }

    @Test("songs of equal keys keep their order, also in the reverse one; missing values come first")
    func order() throws {
        func sorted(_ key: String) throws -> [Int] {
            try SongSelection(["(file contains '')", "sort", key], isFolded: true).songs(in: Self.catalogue)
        }
        #expect(try sorted("Artist") == [2, 3, 0, 1, 4])
        #expect(try sorted("-Artist") == [1, 4, 0, 2, 3])
        #expect(try sorted("Last-Modified") == [2, 4, 0, 1, 3])
        #expect(try sorted("-Track") == [4, 0, 1, 2, 3])
        #expect(try sorted("Composer") == [0, 1, 2, 3, 4])
    }

    @Test(
        "a search by the block of all texts finds the songs that a look at each of them finds",
        arguments: UInt64(1)...12)
    func agreement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let texts = ["", "a", "ab", "b a", "Ä", "aä", "ba", "\u{1F600}a", "a\nb", "AB"]
        func text() -> String? { Bool.random(using: &random) ? texts.randomElement(using: &random) : nil }
        let songs = (0..<120).map { place in
            Self.song(
                Int64(place), "\(place)", title: text(), artists: [text(), text()].compactMap(\.self),
                album: text(),
                albumArtist: text(), name: text(), genre: text())
        }
        let catalogue = SongCatalogue(songs: songs)
        let tags = ["any", "title", "artist", "album", "albumartist", "name", "genre", "composer"]
        let signs = ["==", "!=", "contains", "!contains", "starts_with"]
        for _ in 0..<120 {
            let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                let (tag, sign) = (
                    tags.randomElement(using: &random) ?? "", signs.randomElement(using: &random) ?? ""
                )
                let text = ["", "a", "ä", "ab", "b", "B A", "z"].randomElement(using: &random) ?? ""
                let part = "(\(tag) \(sign) '\(text)')"
                return Bool.random(using: &random) ? part : "(!\(part))"
            }
            for isFolded in [true, false] {
                let filter = try FilterParser.filter(parts, isFolded: isFolded)
                let each = songs.indices.filter { filter.matches($0, catalogue) }
                #expect(filter.songs(in: catalogue) == each, "\(parts) \(isFolded)")
            }
            // The negation finds the others.
            let whole = try FilterParser.filter([parts[0]], isFolded: true).songs(in: catalogue)
            let others = try FilterParser.filter(["(!\(parts[0]))"], isFolded: true).songs(in: catalogue)
            #expect(Set(whole).isDisjoint(with: others) && whole.count + others.count == songs.count)
        }
    }
}
