import Foundation
import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import TuttiSystemIO

@Suite("A watch over folders", .timeLimit(.minutes(5)), .tags(.machine))
struct FolderWatchTests {
    private let folder: MusicFolder
    private let changes = Recorder<Set<String>>([])

    init() throws { folder = try MusicFolder() }

    private func makeWatch() throws -> FolderWatch {
        let changes = changes
        return try FolderWatch(on: SerialQueue(label: "test.watch")) { change in
            guard case .folders(let folders) = change else { return }
            changes.update { $0.formUnion(folders) }
        }
    }

    private func isReported(_ path: String) async throws {
        _ = try await changes.wait(for: "a change of \(path)") { $0.contains(path) ? true : nil }
    }

    @Test("a file that is written, renamed or removed is a change of its folder")
    func files() async throws {
        let watch = try makeWatch()
        for name in ["a", "b", "c"] { try folder.add("\(name)/old") }
        for name in ["a", "b", "c"] { #expect(watch.add(folder.path + "/" + name) == .added) }
        try folder.add("a/new")
        try FileManager.default.moveItem(atPath: folder.path + "/b/old", toPath: folder.path + "/other")
        try FileManager.default.removeItem(atPath: folder.path + "/c/old")
        for name in ["a", "b", "c"] { try await isReported(folder.path + "/" + name) }
        #expect(changes.value.count == 3)
    }

    @Test("a new folder is a change of its parent, and is not watched by itself")
    func newFolder() async throws {
        let watch = try makeWatch()
        #expect(watch.add(folder.path) == .added)
        try folder.add("new/file")
        try await isReported(folder.path)
        #expect(watch.add(folder.path + "/new") == .added)
        #expect(watch.add(folder.path + "/new") == .known)
    }

    @Test("a renamed folder is watched no more, nor are those below it")
    func renamedFolder() async throws {
        let watch = try makeWatch()
        try folder.add("a/b/file")
        for path in ["", "/a", "/a/b"] { #expect(watch.add(folder.path + path) == .added) }
        try FileManager.default.moveItem(atPath: folder.path + "/a", toPath: folder.path + "/c")
        try await isReported(folder.path)
        #expect(watch.add(folder.path) == .known)
        for path in ["/c", "/c/b"] { #expect(watch.add(folder.path + path) == .added) }
    }

    @Test("a removed folder is a change")
    func removedFolder() async throws {
        let watch = try makeWatch()
        try folder.add("a/file")
        #expect(watch.add(folder.path + "/a") == .added)
        try FileManager.default.removeItem(atPath: folder.path + "/a")
        try await isReported(folder.path + "/a")
        try folder.add("a/file")
        #expect(watch.add(folder.path + "/a") == .added)
    }

    @Test("a file, and a folder that does not exist, cannot be watched")
    func missing() throws {
        let watch = try makeWatch()
        #expect(watch.add(try folder.add("file")) == .missing)
        #expect(watch.add(folder.path + "/none") == .missing)
    }

    @Test("a folder that is no longer watched reports nothing")
    func removal() async throws {
        let watch = try makeWatch()
        try folder.add("a/b/file")
        for path in ["", "/a", "/a/b"] { #expect(watch.add(folder.path + path) == .added) }
        watch.remove(folder.path + "/a")
        #expect(watch.add(folder.path) == .known)
        try folder.add("a/b/other")
        try folder.add("last")
        try await isReported(folder.path)
        #expect(changes.value == [folder.path])
    }
}
