import Foundation
import Testing
import TuttiDatabase
import TuttiTestSupport

@testable import TuttiMusicLibrary

@Suite("Scans of the library's folders", .timeLimit(.minutes(5)))
struct LibraryScanTests {
    private static let three = [
        "A/One/1.mp3": "title=First\nartist=A\nalbum=One\ntrack=1",
        "A/One/2.mp3": "title=Second\nartist=A\nalbum=One\ntrack=2",
        "loose.mp3": "artist=B",
    ]

    // MARK: What is read

    @Test("the first scan reads each file once, a second one and a restart read none")
    func reads() async throws {
        let house = try LibraryHouse(Self.three)
        try await house.scanned()
        #expect(house.takeReads().sorted() == Self.three.keys.sorted())
        #expect(try await house.titles() == ["First", "loose", "Second"])
        try await house.rescan()
        try house.reopen()
        #expect(try await house.titles() == ["First", "loose", "Second"])
        #expect(house.library.state.tracks == 3)
        try await house.scanned(3)
        #expect(house.takeReads().isEmpty)
        #expect(house.library.state == house.library.state)
    }

    @Test(
        "a changed file is read again and keeps its identity; a new one is read, a removed one is forgotten")
    func changes() async throws {
        let house = try LibraryHouse(Self.three)
        try await house.scanned()
        let before = try await house.library.tracks().items
        _ = house.takeReads()
        try house.folder.add("music/A/One/1.mp3", Array("title=Changed\nartist=A\nalbum=One".utf8))
        try house.folder.add("music/new/n.flac", Array("title=New".utf8))
        try FileManager.default.removeItem(atPath: house.music + "/loose.mp3")
        try await house.rescan()
        #expect(house.takeReads().sorted() == ["A/One/1.mp3", "new/n.flac"])
        let after = try await house.library.tracks().items
        #expect(after.map(\.title) == ["Changed", "New", "Second"])
        #expect(after[0].id == before[0].id && after[0].albumID == before[0].albumID)
        #expect(try await house.library.artists().items.map(\.name) == ["A"])
    }

    @Test("a renamed file or folder keeps its identity, and is read again only if its name was its title")
    func renames() async throws {
        let house = try LibraryHouse(Self.three)
        try await house.scanned()
        let before = try await house.library.tracks().items
        _ = house.takeReads()
        try house.move("A", to: "Z")
        try house.move("loose.mp3", to: "Z/other.mp3")
        try await house.rescan()
        #expect(house.takeReads() == ["Z/other.mp3"])
        let after = try await house.library.tracks().items
        #expect(after.map(\.title) == ["First", "other", "Second"])
        #expect(after.map(\.id) == before.map(\.id))
        #expect(
            after.map(\.location).sorted()
                == ["/Z/One/1.mp3", "/Z/One/2.mp3", "/Z/other.mp3"].map { house.music + $0 })
    }

    @Test("hidden files, folders with .nomedia and other files are skipped")
    func skipped() async throws {
        let house = try LibraryHouse([
            ".hidden.mp3": "", ".git/a.mp3": "", "no/.nomedia": "", "no/a.mp3": "", "no/below/b.mp3": "",
            "a.txt": "",
            "yes/a.MP3": "title=Yes",
        ])
        try await house.scanned()
        #expect(try await house.titles() == ["Yes"] && house.takeReads() == ["yes/a.MP3"])
    }

    @Test("a link to a folder above ends no scan, and a folder with two names is scanned once")
    func links() async throws {
        let house = try LibraryHouse(Self.three)
        try await house.scanned()
        let files = FileManager.default
        try files.createSymbolicLink(atPath: house.music + "/A/loop", withDestinationPath: house.music)
        try files.createSymbolicLink(atPath: house.music + "/B", withDestinationPath: "A")
        try files.createSymbolicLink(atPath: house.music + "/dangling.mp3", withDestinationPath: "nowhere")
        try await house.rescan()
        #expect(try await house.titles().count == 3 && house.takeReads().count == 3)
    }

    @Test("a file that is no sound is a trouble that names it")
    func unreadable() async throws {
        let folder = try MusicFolder()
        let path = try folder.add("music/bad.mp3", Array("no sound".utf8))
        let ended = Recorder(0)
        var environment = ScanEnvironment()
        environment.didScan = { ended.update { $0 += 1 } }
        let configuration = LibraryConfiguration(
            databasePath: folder.path + "/l.sqlite", folders: [folder.path + "/music"], watchesFolders: false)
        let library = try MusicLibrary(configuration, environment: environment)
        _ = try await ended.wait(for: "the scan") { $0 > 0 ? true : nil }
        #expect(library.state.troubles.map(\.code) == ["unreadable"])
        #expect(library.state.troubles.first?.message.hasPrefix("\(path) cannot be read: bad.mp3 ") == true)
        library.close()
    }

    // MARK: Folders that vanish

    @Test("tracks of a folder that is empty or missing stay, and return with it", arguments: [true, false])
    func vanishedRoot(isEmpty: Bool) async throws {
        let house = try LibraryHouse(Self.three)
        try await house.scanned()
        _ = house.takeReads()
        let files = FileManager.default
        try files.moveItem(atPath: house.music, toPath: house.folder.path + "/away")
        if isEmpty { try files.createDirectory(atPath: house.music, withIntermediateDirectories: false) }
        try await house.rescan()
        let missing = try await house.library.tracks().items
        #expect(missing.count == 3 && missing.allSatisfy { $0.isMissing == true })
        #expect(house.library.state.troubles.map(\.code) == ["folderMissing"])
        #expect(
            house.library.state.troubles.first?.message.hasPrefix("\(house.music) is missing or empty")
                == true)
        if isEmpty { try files.removeItem(atPath: house.music) }
        try files.moveItem(atPath: house.folder.path + "/away", toPath: house.music)
        try await house.rescan()
        let back = try await house.library.tracks().items
        #expect(back.count == 3 && back.allSatisfy { $0.isMissing == nil } && house.takeReads().isEmpty)
        #expect(house.library.state.troubles.isEmpty)
    }

    @Test("a folder that never was there is a trouble; the library works")
    func neverThere() async throws {
        let house = try LibraryHouse()
        try await house.scanned()
        #expect(house.library.state.troubles.map(\.code) == ["folderMissing"])
        #expect(try await house.titles().isEmpty)
    }

    @Test("a folder that is no longer configured is forgotten")
    func otherFolders() async throws {
        let house = try LibraryHouse(Self.three)
        try await house.scanned()
        house.library.close()
        let ended = Recorder(0)
        var environment = ScanEnvironment()
        environment.didScan = { ended.update { $0 += 1 } }
        let configuration = LibraryConfiguration(
            databasePath: house.database, folders: [house.music + "/A"], watchesFolders: false)
        environment.read = { _ in SoundFacts(text: "title=Again\nartist=C") }
        let library = try MusicLibrary(configuration, environment: environment)
        _ = try await ended.wait(for: "the scan") { $0 > 0 ? true : nil }
        #expect(
            try await library.tracks().items.map(\.location).allSatisfy { $0.hasPrefix(house.music + "/A/") })
        #expect(try await library.tracks().total == 2)
        library.close()
    }

    // MARK: Faults

    @Test("a database of junk is set aside with a trouble, and the library is scanned again")
    func junkDatabase() async throws {
        let house = try LibraryHouse(
            Self.three, other: ["state/library.sqlite": Array("junk, not SQLite".utf8)])
        try await house.scanned()
        #expect(try await house.titles().count == 3)
        let trouble = try #require(house.library.state.troubles.first)
        #expect(trouble.code == "setAside" && trouble.message.contains("/library.sqlite.corrupt-"))
    }

    @Test("a database that is damaged while it is used is replaced; own playlists survive")
    func damagedDatabase() async throws {
        let house = try LibraryHouse(Self.three)
        try await house.scanned()
        let tracks = try await house.library.tracks().items.compactMap(\.id)
        let list = try await house.library.makePlaylist(name: "Mine", tracks: tracks)
        _ = house.takeReads()
        house.library.scanner.requests.add(.damaged)
        _ = try await house.scans.wait(for: "two more scans") { $0 >= 3 ? true : nil }
        #expect(house.takeReads().count == 3)
        #expect(try await house.library.playlist(list).tracks.map(\.title) == ["First", "loose", "Second"])
        #expect(house.library.state.troubles.map(\.code) == ["setAside"])
    }

    @Test("a full disk stops the scan with a trouble, and reads go on")
    func fullDisk() async throws {
        var files: [String: String] = [:]
        for number in 0..<600 {
            files["\(number % 20)/\(number).mp3"] = "title=\(String(repeating: "word\(number) ", count: 20))"
        }
        let house = try LibraryHouse(files, pageLimit: 150)
        try await house.scanned()
        #expect(house.library.state.troubles.map(\.code) == ["diskFull"])
        #expect(!house.library.state.isScanning)
        let some = try await house.library.tracks().total
        #expect(some > 0 && some < 600)
        try house.reopen()
        try await house.scanned(2)
        #expect(try await house.library.tracks().total == 600 && house.library.state.troubles.isEmpty)
    }

    @Test("a picture that was lost is read again at the next start")
    func lostPicture() async throws {
        let house = try LibraryHouse(
            ["a.mp3": "title=A\npicture=x"], other: ["music/b/cover.png": [0xFF, 0xD8, 0xFF, 7]])
        try await house.scanned()
        let id = try #require(try await house.library.tracks().items.first?.picture)
        #expect(await house.library.picture(id)?.bytes == [0xFF, 0xD8, 0xFF] + Array("x".utf8))
        try FileManager.default.removeItem(atPath: house.folder.path + "/state/library.pictures")
        _ = house.takeReads()
        try house.reopen()
        try await house.scanned(2)
        #expect(house.takeReads() == ["a.mp3"])
        #expect(await house.library.picture(id)?.mimeType == "image/jpeg")
    }

    // MARK: Watching

    @Test("changes are found without a scan of everything")
    func watching() async throws {
        let house = try LibraryHouse(Self.three, watches: true)
        try await house.scanned()
        _ = house.takeReads()
        try house.folder.add("music/new/below/n.mp3", Array("title=New".utf8))
        _ = try await house.reads.wait(for: "the new file") {
            $0.contains { $0.hasSuffix("n.mp3") } ? true : nil
        }
        try await house.scanned(2)
        #expect(try await house.library.search("New").tracks.map(\.title) == ["New"])
        // A folder that was found by a change is watched too.
        try house.folder.add("music/new/below/m.mp3", Array("title=More".utf8))
        _ = try await house.reads.wait(for: "the next file") {
            $0.contains { $0.hasSuffix("m.mp3") } ? true : nil
        }
        #expect(house.takeReads().sorted() == ["new/below/m.mp3", "new/below/n.mp3"])
    }
}
