import Foundation
import Testing

@testable import TuttiMusicLibrary

@Suite("Names, identities and records of the library")
struct NameTests {
    @Test(
        "the ending of a file's name gives its kind, in any case",
        arguments: [
            ("a.mp3", .sound), ("A.FLAC", .sound), ("a.tar.ogg", .sound), ("é.M4A", .sound),
            ("a.m3u8", .playlist),
            ("a.XSPF", .playlist), ("a.Cue", .cue), (".mp3", nil), ("mp3", nil), ("a.", nil),
            ("a.mp3.part", nil),
            ("a.txt", nil), ("", nil), ("a mp3", nil),
        ] as [(String, FileKind?)])
    func kinds(name: String, kind: FileKind?) { #expect(FileKind(name: name) == kind) }

    @Test("parts of a path fit together, at the root too")
    func paths() {
        for path in ["/a/b.mp3", "/b.mp3", "/a b/é.tar.gz"] {
            #expect(PathText.join(PathText.folder(path), PathText.name(path)) == path)
            let (stem, ending) = PathText.split(path)
            #expect(stem + ending == path)
        }
        #expect(PathText.ending("/a.b/c") == "" && PathText.ending("/a/C.MP3") == "mp3")
        #expect(
            PathText.isInside("/a", "/") && PathText.isInside("/a", "/a") && !PathText.isInside("/a", "/a/b"))
        #expect(
            PathText.isAddress("HTTPS://x") && !PathText.isAddress("http:/x")
                && !PathText.isAddress(" http://x"))
        for path in ["/", "/.", "/..", "/a/..", "//"] { #expect(PathText.standard(path) == "/") }
        for path in ["", ".", "a/b", "../a", "\u{0}"] { #expect(PathText.standard(path) == nil) }
    }

    @Test("a library's configuration keeps only the folders that no other one contains")
    func roots() {
        func roots(_ folders: [String]) -> [String] {
            LibraryConfiguration(databasePath: "/s/l.sqlite", folders: folders).roots
        }
        #expect(roots(["/a", "/a/b", "/ab", "/a/"]) == ["/a", "/ab"])
        #expect(roots(["/a/b", "/"]) == ["/"] && roots([]).isEmpty && roots(["", "x"]).isEmpty)
    }

    @Test("playlists of files and own ones share one range of identities")
    func playlistNumbers() {
        for row in [0, 1, 2, 77, Int64.max >> 1] {
            for isOwn in [true, false] {
                let number = PlaylistNumber(row: row, isOwn: isOwn)
                #expect(PlaylistNumber(number.id) == number)
            }
        }
        let ids = (0..<50).flatMap { row in
            [true, false].map { PlaylistNumber(row: Int64(row), isOwn: $0).id }
        }
        #expect(Set(ids).count == 100)
    }

    @Test("an item is one member of JSON, and comes back as it was")
    func items() throws {
        let items: [LibraryItem] = [
            .track(1), .album(.max), .artist(-1), .folder("/é \"x\""), .playlist(3), .station(0),
            .location("http://h.example/?a=1&b=2"),
        ]
        #expect(try JSONDecoder().decode([LibraryItem].self, from: JSONEncoder().encode(items)) == items)
        #expect(
            String(decoding: try JSONEncoder().encode(LibraryItem.album(7)), as: UTF8.self) == #"{"album":7}"#
        )
        for text in [
            "{}", #"{"album":1,"track":2}"#, #"{"album":"x"}"#, #"{"folder":1}"#, #"{"song":1}"#, "7", "null",
            #"{"track":null}"#, #"{"track":1.5}"#,
        ] {
            #expect(throws: DecodingError.self, "\(text)") {
                try JSONDecoder().decode(LibraryItem.self, from: Data(text.utf8))
            }
        }
    }

    @Test("names that users give lose spaces and line ends, and have 1 to 200 characters")
    func ownNames() throws {
        #expect(try OwnListRules.name("  My\nlist \t") == "Mylist")
        let long = String(repeating: "é", count: 200)
        #expect(try OwnListRules.name(long) == long)
        for name in ["", " \t", "\n\r\u{2028}", long + "x"] {
            #expect(throws: LibraryError.self) { try OwnListRules.name(name) }
        }
    }

    @Test("a track that depends on its file's name is another one under a new name")
    func formerFiles() {
        func changes(_ title: String?, _ old: String, _ new: String) -> Bool {
            FormerFile(id: 1, path: old, title: title).changes(at: new)
        }
        #expect(!changes("Song", "/m/a.mp3", "/m/b.mp3") && !changes("a", "/m/a.mp3", "/n/a.flac"))
        #expect(changes("a", "/m/a.mp3", "/m/b.mp3"), "the name is the title")
        #expect(changes(nil, "/m/a.mp3", "/m/a.mp3"), "nothing is known of it")
        #expect(
            changes("Song", "/m/CD1/a.mp3", "/m/CD2/a.mp3")
                && !changes("Song", "/m/CD1/a.mp3", "/n/Disc 1/b.mp3"))
        #expect(changes("Song", "/m/CD1/a.mp3", "/m/a.mp3"))
    }

    @Test("a file's tags make its track, without spaces; its name and folder give what they lack")
    func records() throws {
        var facts = SoundFacts()
        (facts.title, facts.artist, facts.album, facts.genre) = (" \n", " A ; B;A; ", "  Album ", "")
        facts.duration = 90
        let record = try #require(
            TrackRecord.records(of: facts, path: "/m/Set/Disc 2/07 Name.x.mp3", cue: nil, picture: nil).first)
        #expect(record.title == "07 Name.x" && record.artists == ["A", "B"] && record.artist == "A, B")
        #expect(record.album == "Album" && record.genre == nil && record.disc == 2 && record.part == 0)
        facts.disc = 5
        #expect(
            TrackRecord.records(of: facts, path: "/m/CD1/a.mp3", cue: nil, picture: nil).map(\.disc) == [5])
        facts.artist = ";;"
        #expect(TrackRecord.records(of: facts, path: "/a.mp3", cue: nil, picture: nil)[0].artist == nil)
    }

    @Test("a cue sheet's words count before those of its file, track by track, up to the end of the file")
    func cueRecords() throws {
        let sheet = try #require(
            CueSheet(
                """
                REM DATE 2001
                PERFORMER "DJ"
                FILE set.flac WAVE
                TRACK 4 AUDIO
                TITLE Four
                PERFORMER "X;Y"
                INDEX 01 0:10:0
                TRACK 5 AUDIO
                INDEX 01 1:00:0
                TRACK 6 AUDIO
                INDEX 01 1:30:0
                """))
        var facts = SoundFacts()
        (facts.title, facts.artist, facts.album, facts.number, facts.year) = ("Whole", "Z", "Disc", 1, 1990)
        facts.duration = 90
        func records(_ facts: SoundFacts) -> [TrackRecord] {
            let part = CueReferences.Part(sheet: sheet, tracks: sheet.tracks)
            return TrackRecord.records(of: facts, path: "/m/set.flac", cue: part, picture: nil)
        }
        let found = records(facts)
        #expect(found.map(\.title) == ["Four", "Track 5"], "the third one begins where the file ends")
        #expect(
            found.map(\.part) == [1, 2] && found.map(\.number) == [4, 5] && found.map(\.year) == [2001, 2001])
        #expect(found.map(\.artists) == [["X", "Y"], ["DJ"]] && found.map(\.albumArtist) == ["DJ", "DJ"])
        #expect(found.map(\.album) == ["Disc", "Disc"] && found.map(\.duration) == [50, 30])
        facts.duration = nil
        #expect(
            records(facts).map(\.duration) == [50, 30, nil] && records(facts).map(\.stop) == [60, 90, nil])
    }

    @Test("words of a search are those of the index: letters, digits and marks, whatever is between them")
    func words() {
        let rows: [(String, [String])] = [
            ("AC/DC", ["AC", "DC"]), ("don't", ["don", "t"]), ("Sigur Rós – 4", ["Sigur", "Rós", "4"]),
            ("e\u{301}a", ["e\u{301}a"]), ("日本 語", ["日本", "語"]), ("a_b-c", ["a", "b", "c"]),
            ("\t\n", []), ("½ Ⅳ", ["½", "Ⅳ"]),
        ]
        for (text, words) in rows { #expect(SearchWords(text).words == words, "\(text)") }
        #expect(SearchWords("don't").query(column: "title") == "title : (\"don\"* AND \"t\"*)")
        #expect(SearchWords("ros SIG").matches("Sigur Rós") && !SearchWords("ros x").matches("Sigur Rós"))
    }

    @Test("requests to the scan come together, and very many folders are everything")
    func requests() {
        let requests = ScanRequests()
        requests.add(.folders(["/a", "/b"]))
        requests.add(.folders(["/b", "/c"]))
        requests.add(.damaged)
        var pending = requests.take()
        #expect(pending.folders == ["/a", "/b", "/c"] && pending.isDamaged && !pending.isEverythingWanted)
        pending = requests.take()
        #expect(pending.folders.isEmpty && !pending.isDamaged)
        requests.add(.folders(Set((0..<ScanSchedule.folderLimit).map { "/\($0)" })))
        requests.add(.folders(["/0"]))
        pending = requests.take()
        #expect(pending.folders.count == ScanSchedule.folderLimit && !pending.isEverythingWanted)
        requests.add(.folders(Set((0...ScanSchedule.folderLimit).map { "/\($0)" })))
        requests.add(.damaged)
        requests.forgetDamage()
        pending = requests.take()
        #expect(pending.isEverythingWanted && pending.folders.isEmpty && !pending.isDamaged)
        #expect(!requests.isStopped)
        requests.stop()
        #expect(requests.isStopped)
    }

    @Test(
        "one file in place of another is both gone and new, and a sound that was read in part is read again")
    func plans() {
        var listing = FolderListing()
        let stamp = FileStamp(size: 1, modified: 1, inode: 1)
        for name in ["a.flac", "b.mp3", "c.m3u"] {
            listing.add(name, FileKind(name: name) ?? .sound, stamp)
        }
        func known(_ id: Int64, _ name: String, isReadWhole: Bool = true) -> KnownFile {
            KnownFile(
                id: id, name: name, kind: FileKind(name: name) ?? .sound, stamp: stamp, hasParts: false,
                isReadWhole: isReadWhole)
        }
        let partly = FolderPlan(
            listing,
            known: [
                known(1, "a.flac", isReadWhole: false), known(2, "b.mp3"),
                known(3, "c.m3u", isReadWhole: false),
            ],
            coverStamp: nil)
        #expect(partly.sounds == ["a.flac"] && partly.playlists.isEmpty && partly.gone.isEmpty)
        let renamed = FolderPlan(
            listing, known: [known(1, "A.flac"), known(2, "b.mp3"), known(3, "c.m3u")], coverStamp: nil)
        #expect(
            renamed.sounds == ["a.flac"] && renamed.gone.map(\.name) == ["A.flac"] && renamed.isNew("a.flac"))
        let lost = FolderPlan(
            listing, known: [known(1, "a.flac"), known(2, "b.mp3"), known(3, "c.m3u")], coverStamp: "x")
        #expect(lost.changesCover && !lost.isEmpty && lost.sounds.isEmpty)
    }
}
