import Foundation
import Testing
import TuttiTestSupport

@testable import TuttiMusicLibrary

@Suite("The pictures of a library")
struct PictureStoreTests {
    private let folder: MusicFolder
    private var store: PictureStore { PictureStore(path: folder.path + "/pictures") }
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 1, 2, 3]
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    init() throws { folder = try MusicFolder() }

    @Test("equal pictures are kept once, and come back with their type")
    func keeping() throws {
        let first = try #require(try store.keep(Self.jpeg))
        #expect(try store.keep(Self.jpeg) == first)
        let second = try #require(try store.keep(Self.png))
        #expect(store.picture(first)?.bytes == Self.jpeg && store.picture(first)?.mimeType == "image/jpeg")
        #expect(store.picture(second)?.mimeType == "image/png" && store.isKept(second))
        store.removeAll { $0 == second }
        #expect(store.picture(first) == nil && !store.isKept(first) && store.isKept(second))
    }

    @Test("other bytes, and too many, are no picture")
    func refusals() throws {
        #expect(try store.keep([1, 2, 3]) == nil && store.keep([]) == nil)
        #expect(try store.keep(Self.jpeg + [UInt8](repeating: 0, count: PictureStore.byteLimit)) == nil)
    }

    @Test("an id from outside is 32 hexadecimal digits, never a path")
    func ids() {
        let id = PictureID(of: Self.jpeg)
        #expect(PictureID(id.description) == id)
        for text in ["", "../../etc/passwd", "ABCDEF0123456789ABCDEF0123456789", id.description + "0"] {
            #expect(PictureID(text) == nil)
        }
    }

    @Test("every byte and the length count in an id")
    func differences() {
        var ids: Set<String> = []
        for length in 0..<40 {
            ids.insert(PictureID(of: [UInt8](repeating: 0, count: length)).description)
            for index in 0..<length {
                var bytes = [UInt8](repeating: 0, count: length)
                bytes[index] = 1
                ids.insert(PictureID(of: bytes).description)
            }
        }
        #expect(ids.count == 40 + 39 * 40 / 2)
    }
}
