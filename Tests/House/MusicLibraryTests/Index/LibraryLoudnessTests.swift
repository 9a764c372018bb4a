import AVFoundation
import Foundation
import Testing
import TuttiDatabase
import TuttiTestSupport

@testable import TuttiMusicLibrary

@Suite("Loudness in the library")
struct LibraryLoudnessTests {
    private static let files = [
        "1.mp3": "title=First\nalbum=A\ntrack=1\nloudness=-7.5",
        "2.mp3": "title=Second\nalbum=A\ntrack=2",
    ]

    private func tracks(_ house: LibraryHouse) async throws -> [PlayableTrack] {
        try await house.library.tracks(of: [.folder(house.music)])
    }

    @Test("a track to play has the loudness of its file, its album and its place there")
    func stored() async throws {
        let house = try LibraryHouse(Self.files)
        try await house.scanned()
        let found = try await tracks(house)
        #expect(found.map(\.loudness?.trackGain) == [-7.5, nil] && found[1].loudness == nil)
        #expect(found[0].loudness?.albumPeak == 0.5 && found[0].loudness?.trackPeak == nil)
        #expect(found.map(\.number) == [1, 2] && found[0].albumID != nil)
        #expect(found[0].albumID == found[1].albumID)
        // Tracks with and without survive a queue's storage.
        let stored = try JSONDecoder().decode([PlayableTrack].self, from: JSONEncoder().encode(found))
        #expect(stored == found)
    }

    @Test("a track stored by an older version is read without loudness")
    func oldQueue() throws {
        let text = #"{"location": "/a.mp3", "title": "A", "isLive": false, "start": 0}"#
        let track = try JSONDecoder().decode(PlayableTrack.self, from: Data(text.utf8))
        #expect(track.loudness == nil && track.albumID == nil)
    }

    /// Makes the database that the version before this one made: without the last migration.
    private func makeOld(_ house: LibraryHouse) throws {
        house.library.close()
        let database = try Database(path: house.database, migrations: LibrarySchema.index)
        for column in ["trackGain", "trackPeak", "albumGain", "albumPeak"] {
            try database.execute("ALTER TABLE track DROP COLUMN \(column)")
        }
        try database.execute("ALTER TABLE file DROP COLUMN reading")
        try database.execute("PRAGMA user_version = 2")
    }

    @Test("an old database is filled in by reading each file once; identities and unreadable files stay")
    func migration() async throws {
        let house = try LibraryHouse(Self.files.merging(["bad.mp3": ""]) { first, _ in first })
        house.failures.update { $0["bad.mp3"] = .fileFormatNotRecognized }
        try await house.scanned()
        let before = try await tracks(house)
        try makeOld(house)
        _ = house.takeReads()
        let scans = house.scans.value
        try house.reopen()
        try await house.scanned(scans + 1)
        #expect(house.takeReads().sorted() == ["1.mp3", "2.mp3", "bad.mp3"])
        let after = try await tracks(house)
        #expect(after.map(\.libraryID) == before.map(\.libraryID))
        #expect(after.map(\.loudness?.trackGain) == [-7.5, nil])
        try await house.rescan()
        try house.reopen()
        try await house.scanned(scans + 3)
        #expect(house.takeReads().isEmpty)
    }

    @Test("a file of an old database that was renamed meanwhile keeps its identity, and is read once")
    func renamed() async throws {
        let house = try LibraryHouse(Self.files)
        try await house.scanned()
        let before = try await tracks(house)
        try makeOld(house)
        _ = house.takeReads()
        try house.move("1.mp3", to: "moved.mp3")
        let scans = house.scans.value
        try house.reopen()
        try await house.scanned(scans + 1)
        try await house.rescan()
        try await house.rescan()
        #expect(house.takeReads().sorted() == ["2.mp3", "moved.mp3"])
        let after = try await tracks(house)
        #expect(Set(after.map(\.libraryID)) == Set(before.map(\.libraryID)))
        #expect(after.first { $0.title == "First" }?.loudness?.trackGain == -7.5)
    }
}
