import AVFoundation
import Foundation
import Testing
import TuttiDatabase
import TuttiTestSupport

@testable import TuttiMusicLibrary

@Suite("Faults that pass", .timeLimit(.minutes(5)))
struct LibraryFaultTests {
    private static let two = ["a.mp3": "title=A", "b.mp3": "title=B"]

    // MARK: Files

    @Test(
        "a file that cannot be read for a while keeps its tracks, and is read again by each scan",
        arguments: [
            AVError.Code.contentIsUnavailable, .contentIsNotAuthorized, .failedToLoadMediaData,
        ])
    func passingFailure(code: AVError.Code) async throws {
        let house = try LibraryHouse(Self.two)
        try await house.scanned()
        let before = try await house.library.tracks().items.map(\.id)
        house.failures.update { $0 = ["a.mp3": code] }
        try house.folder.add("music/a.mp3", Array("title=Another".utf8))
        try await house.rescan()
        #expect(try await house.titles() == ["A", "B"])
        #expect(house.library.state.troubles.map(\.code) == ["unreadable"])
        house.failures.update { $0 = [:] }
        _ = house.takeReads()
        try await house.rescan()
        #expect(house.takeReads() == ["a.mp3"])
        let after = try await house.library.tracks().items
        #expect(after.map(\.title) == ["Another", "B"] && after.map(\.id) == before)
        #expect(house.library.state.troubles.isEmpty)
    }

    @Test("a file that is no sound loses its tracks, and is not read again")
    func lastingFailure() async throws {
        let house = try LibraryHouse(Self.two)
        try await house.scanned()
        house.failures.update { $0 = ["a.mp3": .fileFormatNotRecognized] }
        try house.folder.add("music/a.mp3", Array("junk".utf8))
        try await house.rescan()
        _ = house.takeReads()
        try await house.rescan()
        #expect(try await house.titles() == ["B"] && house.takeReads().isEmpty)
    }

    @Test("a file that does not exist counts as one that may come back")
    func missingFile() throws {
        let error = #expect(throws: AVError.self) { _ = try SoundFacts(reading: "/nowhere/a.mp3") }
        #expect(error?.code == .contentIsUnavailable)
    }

    private func setMode(_ path: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test(
        "pictures, playlists and cue sheets that cannot be read for a while are read again",
        .enabled(if: geteuid() != 0))
    func smallFiles() async throws {
        let sheet = "FILE \"a.mp3\" MP3\nTRACK 01 AUDIO\nTITLE \"Part\"\nINDEX 01 00:00:00\n"
        let house = try LibraryHouse(["a.mp3": "title=A"])
        try await house.scanned()
        let paths = try [
            house.folder.add("music/a.cue", Array(sheet.utf8)),
            house.folder.add("music/list.xspf", Array("<playlist></playlist>".utf8)),
            house.folder.add("music/cover.jpg", [0xFF, 0xD8, 0xFF, 5]),
        ]
        for path in paths { try setMode(path, 0) }
        try await house.rescan()
        #expect(try await house.titles() == ["A"] && house.library.state.troubles.count == 1)
        for path in paths { try setMode(path, 0o600) }
        try await house.rescan()
        #expect(try await house.library.playlists().count == 1)
        let tracks = try await house.library.tracks().items
        #expect(tracks.map(\.title) == ["Part"] && tracks[0].picture != nil)
        for path in paths { try setMode(path, 0) }
        try house.folder.add("music/b.mp3", Array("title=B".utf8))
        try await house.rescan()
        #expect(try await house.titles() == ["B", "Part"])
    }

    @Test(
        "the trouble of a folder that cannot be read ends when it is readable or gone",
        .enabled(if: geteuid() != 0), arguments: [true, false])
    func readableFolder(isRemoved: Bool) async throws {
        let house = try LibraryHouse(["shut/a.mp3": "title=A", "b.mp3": "title=B"])
        try await house.scanned()
        let path = house.music + "/shut"
        try setMode(path, 0)
        try house.reopen(watches: true)
        try await house.scanned(2)
        #expect(house.library.state.troubles.map(\.code) == ["unreadable"])
        try setMode(path, 0o700)
        if isRemoved { try FileManager.default.removeItem(atPath: path) }
        await house.withoutTroubles()
        #expect(try await house.titles() == (isRemoved ? ["B"] : ["A", "B"]))
    }

    // MARK: The index

    @Test("a library whose index cannot be opened tells a trouble, answers, and works when it can be")
    func unusableIndex() async throws {
        let house = try LibraryHouse(
            Self.two, other: ["state/library.sqlite/x": [1]], retryDelay: .milliseconds(10))
        try await house.scanned()
        #expect(house.library.state.troubles.map(\.code) == ["database"])
        #expect(await refusal { _ = try await house.titles() } == .unavailable)
        #expect(try await house.library.stations().isEmpty)
        try FileManager.default.removeItem(atPath: house.database)
        await house.withoutTroubles()
        #expect(try await house.titles() == ["A", "B"])
    }

    @Test("queries are answered again after a recovery that failed at first")
    func failedRecovery() async throws {
        let house = try LibraryHouse(Self.two, retryDelay: .milliseconds(10))
        try await house.scanned()
        let (state, away) = (house.folder.path + "/state", house.folder.path + "/away")
        try FileManager.default.moveItem(atPath: state, toPath: away)
        try house.folder.add("state")
        house.library.scanner.requests.add(.damaged)
        try await house.scanned(2)
        #expect(house.library.state.troubles.map(\.code) == ["database"])
        #expect(await refusal { _ = try await house.titles() } == .unavailable)
        try FileManager.default.removeItem(atPath: state)
        try FileManager.default.moveItem(atPath: away, toPath: state)
        await house.withoutTroubles()
        #expect(try await house.titles() == ["A", "B"])
    }

    @Test("a query that sees the damage during the recovery sets no second index aside")
    func twoReports() throws {
        let folder = try MusicFolder()
        try folder.add("music/a.mp3")
        let (requests, ended) = (ScanRequests(), Recorder(0))
        var environment = ScanEnvironment()
        environment.read = { _ in SoundFacts() }
        environment.didScan = {
            let count = ended.update { value -> Int in
                value += 1
                return value
            }
            switch count {
            case 1: requests.add(.damaged)
            // The scan after the recovery; another one follows.
            case 3: requests.add(.everything)
            case 4: requests.stop()
            default: break
            }
        }
        let configuration = LibraryConfiguration(
            databasePath: folder.path + "/l.sqlite", folders: [folder.path + "/music"], watchesFolders: false)
        let worker = ScanWorker(
            configuration, requests: requests, publisher: StatePublisher(LibraryState()),
            environment: environment
        ) { isOpen in
            // The recovery waits for the running query.
            if !isOpen { requests.add(.damaged) }
        }
        worker.run()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count { $0.contains(".corrupt-") && $0.last?.isNumber == true } == 1)
    }
}
