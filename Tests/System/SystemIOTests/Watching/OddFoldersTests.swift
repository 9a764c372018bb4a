import Glibc
import Testing

@testable import TuttiSystemIO

@Suite("Watched folders with unusual names")
struct OddFoldersTests {
    private static func event(
        _ number: Int32, _ mask: some BinaryInteger, _ name: String = ""
    ) -> WatchEvent {
        WatchEvent(number: number, mask: UInt32(truncatingIfNeeded: mask), name: name)
    }

    private static let movedAway = UInt32(IN_MOVED_FROM) | UInt32(IN_ISDIR)

    @Test("a folder that leaves takes those below it along, whatever their names begin with")
    func below() {
        var folders = WatchedFolders()
        let paths = [
            "/m", "/m/Jazz", "/m/Jazz/\u{301}x", "/m/Jazz/a/b", "/m/Jazz 2", "/m/Jazz\u{301}", "/m/J",
        ]
        for (index, path) in paths.enumerated() {
            let isNew = folders.insert(Int32(index), path)
            #expect(isNew)
        }
        let effect = folders.handle(Self.event(0, Self.movedAway, "Jazz"))
        #expect(effect == .init(change: .folders(["/m"]), dropped: [1, 2, 3]))
        // The events of their watches mean nothing any more; the others still do.
        for number: Int32 in 1...3 {
            #expect(folders.handle(Self.event(number, IN_CREATE, "x")) == .init())
        }
        #expect(folders.handle(Self.event(4, IN_CREATE, "x")).change == .folders(["/m/Jazz 2"]))
        #expect(folders.handle(Self.event(5, IN_CREATE, "x")).change == .folders(["/m/Jazz\u{301}"]))
    }

    @Test("two folders whose names differ in bytes alone are two")
    func forms() {
        var folders = WatchedFolders()
        let composed = folders.insert(1, "/m/é")
        let decomposed = folders.insert(2, "/m/e\u{301}")
        #expect(composed && decomposed)
        #expect(folders.handle(Self.event(1, IN_CREATE, "x")).change != nil)
        #expect(folders.handle(Self.event(2, IN_CREATE, "x")).change != nil)
        let removed = folders.remove("/m/e\u{301}")
        #expect(removed == [2])
        #expect(folders.handle(Self.event(1, IN_CREATE, "x")).change != nil)
        // A change of the form is a new path of the same folder.
        let renamed = folders.insert(1, "/m/e\u{301}")
        let repeated = folders.insert(1, "/m/e\u{301}")
        #expect(renamed && !repeated)
    }

    @Test("a folder that moves itself is forgotten with those below it")
    func movedItself() {
        var folders = WatchedFolders()
        for (number, path) in [(1, "/m/a"), (2, "/m/a/b"), (3, "/m/ab")] as [(Int32, String)] {
            _ = folders.insert(number, path)
        }
        let effect = folders.handle(Self.event(1, IN_MOVE_SELF))
        #expect(effect == .init(change: .folders(["/m/a"]), dropped: [1, 2]))
        #expect(folders.handle(Self.event(3, IN_CREATE, "x")).change == .folders(["/m/ab"]))
    }

    @Test("a watch that has ended is reported once, and its number may come again")
    func ended() {
        var folders = WatchedFolders()
        _ = folders.insert(1, "/a")
        #expect(folders.handle(Self.event(1, IN_IGNORED)) == .init(change: .folders(["/a"])))
        #expect(folders.handle(Self.event(1, IN_IGNORED)) == .init())
        let again = folders.insert(1, "/b")
        let other = folders.insert(2, "/a")
        #expect(again && other)
        let removed = folders.remove("/a")
        #expect(removed == [2])
    }

    @Test("a file that moves away drops no watch, though a folder once had its name")
    func file() {
        var folders = WatchedFolders()
        _ = folders.insert(1, "/m")
        _ = folders.insert(2, "/m/a")
        #expect(folders.handle(Self.event(1, IN_MOVED_FROM, "a")) == .init(change: .folders(["/m"])))
        #expect(folders.handle(Self.event(2, IN_CREATE, "x")).change == .folders(["/m/a"]))
    }

    @Test("names of any bytes are parsed, up to the first zero")
    func names() {
        func bytes(_ name: [UInt8]) -> [UInt8] {
            let padded = name + [UInt8](repeating: 0, count: 4 - name.count % 4)
            let length = UInt8(padded.count)
            return [7, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, length, 0, 0, 0] + padded
        }
        let names: [([UInt8], String)] = [
            ([], ""), ([0xFF, 0x61], "\u{FFFD}a"), (Array("e\u{301} '\n".utf8), "e\u{301} '\n"),
            ([0x61, 0, 0x62], "a"),
            ([UInt8](repeating: 0x61, count: 200), String(repeating: "a", count: 200)),
        ]
        for (name, expected) in names {
            let found = (bytes(name) + bytes([0x7A])).withUnsafeBytes { WatchEvent.all(in: $0) }
            #expect(found.map(\.name) == [expected, "z"])
            #expect(found.allSatisfy { $0.number == 7 && $0.has(IN_CREATE) })
        }
    }
}
