import AVFoundation
import Foundation
import TuttiTestSupport

@testable import TuttiMusicLibrary

/// A library over a temporary folder. Its sound files are lines such as `title=T`, read without FFmpeg.
final class LibraryHouse {
    let folder: MusicFolder
    /// The paths that were read, in order.
    let reads = Recorder<[String]>([])
    /// The errors of files that cannot be read, by the files' names.
    let failures = Recorder<[String: AVError.Code]>([:])
    /// The scans that have ended.
    let scans = Recorder(0)
    private(set) var library: MusicLibrary

    var music: String { folder.path + "/music" }
    var database: String { folder.path + "/state/library.sqlite" }

    /// - Parameter files: The music, by path in its folder.
    init(
        _ files: [String: String] = [:], other: [String: [UInt8]] = [:], watches: Bool = false,
        pageLimit: Int? = nil, retryDelay: Duration = .seconds(60)
    ) throws {
        folder = try MusicFolder()
        for (name, text) in files { try folder.add("music/" + name, Array(text.utf8)) }
        for (name, bytes) in other { try folder.add(name, bytes) }
        library = try Self.open(
            folder, reads, failures, scans, watches: watches, pageLimit: pageLimit, retryDelay: retryDelay)
    }

    deinit { library.close() }

    /// Opens the library again, as another start of the program does.
    ///
    /// - Parameter root: The folder of the library, below the temporary one.
    func reopen(root: String = "/music", watches: Bool = false, pageLimit: Int? = nil) throws {
        library.close()
        library = try Self.open(
            folder, reads, failures, scans, root: root, watches: watches, pageLimit: pageLimit)
    }

    private static func open(
        _ folder: MusicFolder, _ reads: Recorder<[String]>, _ failures: Recorder<[String: AVError.Code]>,
        _ scans: Recorder<Int>, root: String = "/music", watches: Bool, pageLimit: Int?,
        retryDelay: Duration = .seconds(60)
    ) throws -> MusicLibrary {
        var environment = ScanEnvironment()
        environment.read = { path throws(AVError) in
            reads.update { $0.append(path) }
            if let code = failures.value[PathText.name(path)] { throw AVError(code) }
            return SoundFacts(text: (try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
        }
        environment.time = { 1000 }
        (environment.pageLimit, environment.retryDelay) = (pageLimit, retryDelay)
        environment.didScan = { scans.update { $0 += 1 } }
        let configuration = LibraryConfiguration(
            databasePath: folder.path + "/state/library.sqlite", folders: [folder.path + root],
            watchesFolders: watches)
        return try MusicLibrary(configuration, environment: environment)
    }

    /// Waits until so many scans have ended since the beginning.
    func scanned(_ count: Int = 1) async throws {
        _ = try await scans.wait(for: "scan \(count)") { $0 >= count ? true : nil }
    }

    /// Scans again, and waits for the end of that scan.
    func rescan() async throws {
        let before = scans.value
        library.rescan()
        try await scanned(before + 1)
    }

    /// Waits until the library has no troubles.
    func withoutTroubles() async {
        for await state in library.changes() where state.troubles.isEmpty { return }
    }

    func move(_ old: String, to new: String) throws {
        try FileManager.default.moveItem(atPath: music + "/" + old, toPath: music + "/" + new)
    }

    /// The names of the files that were read since the last call.
    func takeReads() -> [String] {
        reads.update { paths in
            defer { paths = [] }
            return paths.map { String($0.dropFirst(music.count + 1)) }
        }
    }

    /// The titles of all tracks, sorted.
    func titles() async throws -> [String] { try await library.tracks(count: 1000).items.map(\.title) }
}

extension SoundFacts {
    /// Takes the facts from lines such as `title=T`.
    init(text: String) {
        self.init()
        var values: [Substring: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = String(parts[1]) }
        }
        (title, artist, album, albumArtist) = (
            values["title"], values["artist"], values["album"], values["by"]
        )
        (number, disc, year) = (
            values["track"].flatMap { Int($0) }, values["disc"].flatMap { Int($0) },
            values["year"].flatMap { Int($0) }
        )
        if let gain = values["loudness"].flatMap({ Double($0) }) {
            var tags = TuttiLoudness()
            (tags.trackGain, tags.albumPeak) = (gain, 0.5)
            loudness = tags
        }
        duration = values["duration"].flatMap { Double($0) } ?? 100
        picture = values["picture"].map { [0xFF, 0xD8, 0xFF] + Array($0.utf8) }
    }
}

/// Returns the kind of the library's refusal; `nil` if the call succeeds.
func refusal(_ body: () async throws -> Void) async -> LibraryError.Kind? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? LibraryError)?.kind
    }
}
