import Foundation
import Testing
import TuttiTestSupport

@testable import TuttiMusicLibrary

@Suite("A walk over folders")
struct TreeScanTests {
    @Test("folders with contents count as present, and only those that do not exist as missing")
    func presence() throws {
        let folder = try MusicFolder()
        try folder.add("music/below/a.mp3")
        try folder.add("empty/.keep")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/bare", withIntermediateDirectories: false)
        let writer = try IndexWriter(path: folder.path + "/l.sqlite")
        var environment = ScanEnvironment()
        environment.read = { _ in SoundFacts() }
        let scan = TreeScan(
            writer, pictures: PictureStore(path: folder.path + "/pictures"), watch: nil,
            environment: environment,
            requests: ScanRequests(), didRead: { _ in })
        let (music, empty, none) = (folder.path + "/music", folder.path + "/empty", folder.path + "/none")
        let bare = folder.path + "/bare"
        #expect(try scan.scanRoots([music, empty, none, bare]) == [music, empty])
        #expect(scan.missing == [none])
        #expect(scan.found.isSuperset(of: [music, music + "/below", empty, bare]))
    }
}
