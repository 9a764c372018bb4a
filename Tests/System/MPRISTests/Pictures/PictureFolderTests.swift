import Foundation
import Testing

@testable import TuttiMPRIS

@Suite final class PictureFolderTests {
    private let path = FileManager.default.temporaryDirectory.path + "/pictures-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private func names(below folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + folder).filter { $0 != "lock" }
    }

    private func file(_ address: String?) throws -> String {
        try #require(address.flatMap(FileAddress.path))
    }

    private func picture(_ number: UInt8) -> [UInt8] { [0x89, 0x50, 0x4E, 0x47, number] }

    @Test("a picture is a file of this user alone, the same for the same bytes")
    func store() throws {
        let folder = try #require(PictureFolder(path: path))
        let address = try #require(folder.store(picture(1)))
        #expect(folder.store(picture(1)) == address)
        let file = try #require(FileAddress.path(of: address))
        #expect(FileManager.default.contents(atPath: file) == Data(picture(1)))
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        folder.removeAll()
        #expect(try names().isEmpty)
    }

    @Test("a second folder leaves the pictures of the first one alone")
    func second() throws {
        let first = try #require(PictureFolder(path: path))
        let address = try #require(first.store(picture(1)))
        let second = try #require(PictureFolder(path: path))
        let other = try #require(second.store(picture(1)))
        #expect(first.renew(address))
        #expect(address != other)
        first.removeAll()
        #expect(second.renew(other))
        second.removeAll()
    }

    @Test("a picture that somebody has removed is stored again, with its folder")
    func removed() throws {
        let folder = try #require(PictureFolder(path: path))
        let address = try #require(folder.store(picture(1)))
        try FileManager.default.removeItem(atPath: try file(address))
        #expect(!folder.renew(address))
        #expect(folder.store(picture(1)) == address)
        try FileManager.default.removeItem(atPath: try file(address))
        #expect(folder.store(picture(1)) == address)
        #expect(FileManager.default.fileExists(atPath: try file(address)))
        try FileManager.default.removeItem(atPath: "\(path)/\(try #require(try names().first))")
        #expect(FileManager.default.fileExists(atPath: try file(folder.store(picture(1)))))
        folder.removeAll()
    }

    @Test("the oldest picture goes when there are too many")
    func limit() throws {
        let folder = try #require(PictureFolder(path: path))
        let all = (0..<20).compactMap { folder.store(picture($0)) }
        #expect(Set(all).count == 20)
        let own = try #require(try names().first)
        #expect(try names(below: "/" + own).count == PictureFolder.fileLimit)
        folder.removeAll()
    }

    @Test("a picture that is still shown outlives later ones")
    func renewal() throws {
        let folder = try #require(PictureFolder(path: path))
        let first = try #require(folder.store(picture(0)))
        for number in 1..<20 {
            _ = folder.store(picture(UInt8(number)))
            #expect(folder.renew(first))
        }
        #expect(!folder.renew("file:///elsewhere.png"))
        folder.removeAll()
        #expect(!folder.renew(first))
    }

    @Test("bytes that are no picture are not stored")
    func refused() throws {
        let folder = try #require(PictureFolder(path: path))
        #expect(folder.store(Array("<script>".utf8)) == nil)
        #expect(folder.store([]) == nil)
    }

    @Test("pictures of a program that is gone are removed, other files are not")
    func orphans() throws {
        let gone = path + "/pictures-12ab"
        try FileManager.default.createDirectory(
            atPath: gone, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        try FileManager.default.createDirectory(atPath: path + "/else", withIntermediateDirectories: true)
        for name in ["pictures-12ab/lock", "pictures-12ab/1.png", "notes.txt", "else/1.png"] {
            try Data().write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        }
        _ = try #require(PictureFolder(path: path))
        #expect(try names().sorted() == ["else", "notes.txt"])
        #expect(try names(below: "/else") == ["1.png"])
    }

    @Test("a folder that others may write is not used")
    func others() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        #expect(PictureFolder(path: path) == nil)
    }
}
