import Foundation
import Testing
import TuttiTestMedia

@testable import TuttiCodecs

@Suite("Artwork in a file's folder")
struct FolderArtworkTests {
    let folder: TestFolder
    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 9]

    init() throws { folder = try TestFolder() }

    private func find() -> Artwork? { FolderArtwork(beside: folder.file("song.flac")).find() }

    @Test("artwork is found in any capitalisation; a cover is preferred to folder artwork")
    func names() throws {
        #expect(find() == nil)
        _ = try folder.write(Self.png, to: "Folder.PNG")
        #expect(find() == Artwork(bytes: Self.png, mimeType: "image/png"))
        _ = try folder.write(Self.jpeg, to: "COVER.jpeg")
        #expect(find() == Artwork(bytes: Self.jpeg, mimeType: "image/jpeg"))
    }

    @Test("the type is recognized by the bytes; other data, too large files and non-files are skipped")
    func contents() throws {
        _ = try folder.write(Array("<html>".utf8), to: "cover.jpg")
        try FileManager.default.createDirectory(
            atPath: folder.file("cover.png"), withIntermediateDirectories: true)
        _ = try folder.write(Self.jpeg + [UInt8](repeating: 0, count: Artwork.byteLimit), to: "folder.jpg")
        #expect(find() == nil)
        _ = try folder.write(Self.png, to: "front.jpg")
        #expect(find()?.mimeType == "image/png")
    }

    @Test("folder artwork applies to files without their own, and only to paths")
    func reader() throws {
        let path = folder.file("song.wav")
        try MediaFile.kind("a.wav").write(Signal.sweep(frameCount: 1000), to: path)
        #expect(try MediaReader(path).info.artwork == nil)
        _ = try folder.write(Self.jpeg, to: "cover.jpg")
        #expect(try MediaReader(path).info.artwork?.bytes == Self.jpeg)
        #expect(try MediaReader(path).info.withoutArtwork.artwork == nil)
    }
}
