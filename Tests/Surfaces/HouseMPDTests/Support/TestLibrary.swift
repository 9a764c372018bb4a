import AVFoundation
import Foundation
import TuttiHouse
import TuttiTestSupport

@testable import TuttiMusicLibrary

/// A real library over a temporary folder. Its sound files are lines such as `title=T`, read without FFmpeg.
final class TestLibrary: Sendable {
    let library: MusicLibrary
    let path: String
    private let scans = Recorder(0)

    static let files = [
        "Alpha/One/01.flac":
            "title=First Song\nartist=Alpha\nalbum=One\nby=Alpha Band\ntrack=1\nyear=1999\ngenre=Rock",
        "Alpha/One/02.flac":
            "title=Second Song\nartist=Alpha;Guest\nalbum=One\nby=Alpha Band\ntrack=2\nyear=1999\ngenre=Rock",
        "Beta/a.mp3":
            "title=Björk's \"Tune\"\nartist=Beta\nalbum=Two\ntrack=1\nyear=2005\ngenre=Pop\npicture=1",
        "Beta/b.ogg": "title=Last\nartist=Beta\nalbum=Two\ntrack=2\nyear=2005\ngenre=Pop",
        "plain.wav": "duration=5",
    ]

    /// Makes a library, and returns it when it was scanned.
    static func make(_ files: [String: String] = files) async throws -> TestLibrary {
        let made = try TestLibrary(files)
        _ = try await made.scans.wait(for: "the scan") { $0 > 0 ? true : nil }
        return made
    }

    private init(_ files: [String: String]) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("mpd-\(UUID().uuidString)").path
        for (name, text) in files {
            let url = URL(fileURLWithPath: path + "/music/" + name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        var environment = ScanEnvironment()
        environment.read = { path throws(AVError) in
            var facts = SoundFacts()
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            for line in text.split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { continue }
                switch parts[0] {
                case "title": facts.title = parts[1]
                case "artist": facts.artist = parts[1]
                case "album": facts.album = parts[1]
                case "by": facts.albumArtist = parts[1]
                case "genre": facts.genre = parts[1]
                case "track": facts.number = Int(parts[1])
                case "year": facts.year = Int(parts[1])
                case "duration": facts.duration = Double(parts[1])
                case "picture": facts.picture = [0xFF, 0xD8, 0xFF] + Array(repeating: 7, count: 300)
                default: break
                }
            }
            if facts.duration == nil { facts.duration = 100 }
            return facts
        }
        environment.didScan = { [scans] in scans.update { $0 += 1 } }
        library = try MusicLibrary(
            LibraryConfiguration(
                databasePath: path + "/state/library.db", folders: [path + "/music"], watchesFolders: false),
            environment: environment)
    }

    /// Scans again, and returns at the end of that scan.
    func rescan() async throws {
        let before = scans.value
        library.rescan()
        _ = try await scans.wait(for: "another scan") { $0 > before ? true : nil }
    }

    deinit {
        library.close()
        // The rest is in the temporary folder.
        try? FileManager.default.removeItem(atPath: path)
    }
}
