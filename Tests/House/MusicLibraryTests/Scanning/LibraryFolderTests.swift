import Foundation
import Testing
import TuttiDatabase
import TuttiTestSupport

@testable import TuttiMusicLibrary

@Suite("Folders of the library that move, vanish or have several names", .timeLimit(.minutes(5)))
struct LibraryFolderTests {
    private static let three = [
        "A/One/1.mp3": "title=First\nartist=A\nalbum=One\ntrack=1",
        "A/One/2.mp3": "title=Second\nartist=A\nalbum=One\ntrack=2",
        "loose.mp3": "title=Loose",
    ]
    private static let sheet = """
        TITLE "Set"
        FILE "set.flac" WAVE
        TRACK 01 AUDIO
        TITLE "One"
        INDEX 01 00:00:00
        TRACK 02 AUDIO
        TITLE "Two"
        INDEX 01 00:40:00
        """

    // MARK: Files that move

    @Test("a file that leaves its cue sheet is a whole track; its parts keep their identity beside the sheet")
    func leftCue() async throws {
        let house = try LibraryHouse(["x/set.flac": "title=Whole", "x/set.cue": Self.sheet, "y/b.mp3": ""])
        try await house.scanned()
        let before = try await house.library.tracks().items.map(\.id)
        try house.move("x", to: "z")
        try await house.rescan()
        #expect(try await house.library.tracks().items.map(\.id) == before)
        try house.move("z/set.flac", to: "y/set.flac")
        try await house.rescan()
        #expect(try await house.titles() == ["b", "Whole"])
    }

    @Test("a file that moves to another disc has that disc's number, and keeps its identity")
    func otherDisc() async throws {
        let house = try LibraryHouse(["CD 1/a.mp3": "title=A", "CD 2/b.mp3": "title=B"])
        try await house.scanned()
        let before = try await house.library.tracks().items
        #expect(before.map(\.disc) == [1, 2])
        try house.move("CD 1/a.mp3", to: "CD 2/a.mp3")
        try await house.rescan()
        let after = try await house.library.tracks().items
        #expect(after.map(\.disc) == [2, 2] && after.map(\.id) == before.map(\.id))
    }

    // MARK: Other folders of the library

    @Test("a root that becomes wider or narrower keeps what is in both, and reads it no second time")
    func otherRoots() async throws {
        let house = try LibraryHouse(Self.three)
        try await house.scanned()
        let before = try await house.library.tracks().items.map(\.id)
        _ = house.takeReads()
        try house.reopen(root: "/music/A")
        try await house.scanned(2)
        #expect(try await house.library.tracks().items.map(\.id) == [before[0], before[2]])
        #expect(house.takeReads().isEmpty)
        try house.reopen(root: "")
        try await house.scanned(3)
        #expect(try await house.library.tracks().items.map(\.title) == ["First", "Loose", "Second"])
        #expect(house.takeReads() == ["loose.mp3"])
        let folders = try await house.library.folder(house.music).folders.map(\.name)
        #expect(folders == ["A"])
        #expect(try await house.library.folder(house.music + "/A").parent == house.music)
    }

    @Test("a former root that the wider one excludes is forgotten")
    func excludedRoot() async throws {
        let house = try LibraryHouse(Self.three)
        try await house.scanned()
        try house.reopen(root: "/music/A")
        try await house.scanned(2)
        try house.folder.add("music/.nomedia")
        try house.reopen()
        try await house.scanned(3)
        #expect(try await house.titles().isEmpty && house.library.state.troubles.isEmpty)
    }

    // MARK: Disks

    /// Marks folders as disks of their own, as a scan marks what is on another device.
    private func setMounts(_ house: LibraryHouse, _ names: String...) throws {
        let index = try Database(path: house.database, migrations: LibrarySchema.index)
        for name in names {
            try index.execute("UPDATE folder SET isMount = 1 WHERE path = ?", house.music + "/" + name)
        }
    }

    @Test("tracks of a disk whose folder goes with it stay, and return with it")
    func removedDisk() async throws {
        let house = try LibraryHouse(["usb/below/a.mp3": "title=A", "b.mp3": "title=B", "c/c.mp3": "title=C"])
        try await house.scanned()
        try setMounts(house, "usb")
        let before = try await house.library.tracks().items
        _ = house.takeReads()
        try house.move("usb", to: "../away")
        try FileManager.default.removeItem(atPath: house.music + "/c")
        try await house.rescan()
        #expect(try await house.library.tracks().items.map(\.isMissing) == [true, nil])
        #expect(house.library.state.troubles.map(\.code) == ["folderMissing"])
        try house.move("../away", to: "usb")
        try await house.rescan()
        #expect(try await house.library.tracks().items == Array(before.prefix(2)))
        #expect(house.takeReads().isEmpty && house.library.state.troubles.isEmpty)
    }

    @Test("a missing disk is forgotten with the folder around it, and its trouble too")
    func removedParent() async throws {
        let house = try LibraryHouse(["media/usb/a.mp3": "title=A", "b.mp3": "title=B"])
        try await house.scanned()
        try setMounts(house, "media/usb")
        try FileManager.default.removeItem(atPath: house.music + "/media/usb")
        try await house.rescan()
        #expect(house.library.state.troubles.map(\.code) == ["folderMissing"])
        try FileManager.default.removeItem(atPath: house.music + "/media")
        try await house.rescan()
        #expect(try await house.titles() == ["B"] && house.library.state.troubles.isEmpty)
    }

    @Test("a disk that got a new name is not missing")
    func renamedDisk() async throws {
        let house = try LibraryHouse(["usb/a.mp3": "title=A"], other: ["music/keep.txt": [1]])
        try await house.scanned()
        try setMounts(house, "usb")
        try house.move("usb", to: "disk")
        try await house.rescan()
        let tracks = try await house.library.tracks().items
        #expect(tracks.map(\.location) == [house.music + "/disk/a.mp3"] && tracks[0].isMissing == nil)
        #expect(house.library.state.troubles.isEmpty)
    }

    private static let memory = "/dev/shm"

    @Test(
        "a link to another disk stays with its tracks when the disk goes",
        .enabled(
            if: FolderIdentity(memory)?.device != FolderIdentity(NSTemporaryDirectory())?.device
                && access(memory, W_OK) == 0))
    func linkedDisk() async throws {
        let disk = Self.memory + "/music-\(UUID().uuidString)"
        let files = FileManager.default
        try files.createDirectory(atPath: disk, withIntermediateDirectories: false)
        defer { try? files.removeItem(atPath: disk) }  // What remains is in memory.
        try Data("title=A".utf8).write(to: URL(fileURLWithPath: disk + "/a.mp3"))
        let house = try LibraryHouse(["b.mp3": "title=B"])
        try await house.scanned()
        try files.createSymbolicLink(atPath: house.music + "/disk", withDestinationPath: disk)
        try await house.rescan()
        #expect(try await house.titles() == ["A", "B"])
        try files.removeItem(atPath: disk)
        try await house.rescan()
        #expect(try await house.library.tracks().items.map(\.isMissing) == [true, nil])
    }

    // MARK: Watching

    @Test("a folder with two names, or with a link to itself below it, is watched under its first name")
    func watchedLinks() async throws {
        let house = try LibraryHouse(Self.three)
        try await house.scanned()
        let files = FileManager.default
        try files.createSymbolicLink(atPath: house.music + "/A/loop", withDestinationPath: house.music)
        try files.createSymbolicLink(atPath: house.music + "/Z", withDestinationPath: "A")
        try house.reopen(watches: true)
        try await house.scanned(2)
        for name in ["A/new.mp3", "new.mp3"] {
            let path = try house.folder.add("music/" + name, Array("title=New".utf8))
            _ = try await house.reads.wait(for: name) { $0.contains(path) ? true : nil }
        }
    }
}
