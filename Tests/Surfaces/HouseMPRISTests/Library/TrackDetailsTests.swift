import Foundation
import Synchronization
import Testing
import TuttiMPRIS
import TuttiMusicLibrary

@testable import TuttiHouseMPRIS

/// A library of one folder, which counts the questions.
private final class FakeLibrary: MPRISLibrary {
    let questions = Mutex<[String]>([])

    func folder(_ path: String?) async throws(LibraryError) -> LibraryFolder {
        questions.withLock { $0.append("folder \(path ?? "")") }
        guard path == "/music" else { throw LibraryError(.notFound, "There is no such folder.") }
        var track = LibraryTrack(title: "Song", location: "/music/a.flac")
        (track.id, track.track, track.disc, track.year, track.genre) = (7, 3, 1, 1999, "Jazz")
        do {
            let json = try JSONEncoder().encode(FolderJSON(path: "/music", folders: [], tracks: [track]))
            return try JSONDecoder().decode(LibraryFolder.self, from: json)
        } catch {
            throw LibraryError(.unavailable, "\(error)")
        }
    }

    private struct FolderJSON: Encodable {
        let path: String
        let folders: [String]
        let tracks: [LibraryTrack]
    }

    func album(_ id: Int64) async throws(LibraryError) -> LibraryAlbumContents {
        throw LibraryError(.notFound, "There is no such album.")
    }

    func picture(_ id: String) async -> (bytes: [UInt8], mimeType: String)? {
        questions.withLock { $0.append("picture \(id)") }
        return id == "p" ? ([0x89, 0x50, 0x4E, 0x47, 1], "image/png") : nil
    }
}

@Suite struct TrackDetailsTests {
    private let library = FakeLibrary()

    private func track(_ change: (inout PlayableTrack) -> Void = { _ in }) -> PlayableTrack {
        var track = PlayableTrack(location: "/music/a.flac", title: "Song", duration: 100)
        (track.libraryID, track.picture) = (7, "p")
        change(&track)
        return track
    }

    @Test("details are those of the library's track, and asked for once")
    func facts() async {
        let cache = TrackDetailCache(library, pictures: nil)
        for _ in 0..<3 {
            let details = await cache.details(of: track())
            #expect(details == TrackDetails(track: 3, disc: 1, year: 1999, genre: "Jazz"))
        }
        #expect(library.questions.withLock { $0 } == ["folder /music"])
    }

    @Test("a track that the library does not have has no details")
    func unknown() async {
        let cache = TrackDetailCache(library, pictures: nil)
        #expect(await cache.details(of: track { $0.libraryID = nil }) == TrackDetails())
        #expect(await cache.details(of: track { $0.libraryID = 8 }) == TrackDetails())
        #expect(await cache.details(of: track { $0.location = "/other/a.flac" }) == TrackDetails())
    }

    @Test("a picture is a file of this machine, stored again only when it is gone")
    func picture() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/pictures-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try #require(PictureFolder(path: path))
        let cache = TrackDetailCache(library, pictures: folder)
        let address = try #require(await cache.details(of: track()).picture)
        #expect(address.hasPrefix("file://"))
        #expect(await cache.details(of: track()).picture == address)
        #expect(library.questions.withLock { $0 } == ["folder /music", "picture p"])
        folder.removeAll()
        let second = try #require(await cache.details(of: track()).picture)
        #expect(folder.renew(second))
        #expect(library.questions.withLock { $0.count } == 3)
        #expect(await cache.details(of: track { $0.picture = "q" }).picture == nil)
        folder.removeAll()
    }
}
