import Foundation
import Testing
import TuttiViews

@Suite("Pictures")
struct UIImageTests {
    @Test("the size is read from the header, and the bytes are kept")
    func kinds() throws {
        let png = Pictures.png(width: 600, height: 70_000)
        let image = try #require(UIImage(data: png))
        #expect(image.size == CGSize(width: 600, height: 70_000))
        #expect(image.pngData() == png && image.jpegData(compressionQuality: 0.5) == nil)
        for marker: UInt8 in [0xC0, 0xC1, 0xC2, 0xCF] {
            let small = Pictures.jpeg(width: 16, height: 8)
            let jpeg = Pictures.jpeg(width: 1000, height: 300, marker: marker, thumbnail: small)
            let image = try #require(UIImage(data: jpeg))
            #expect(image.size == CGSize(width: 1000, height: 300))
            #expect(image.jpegData(compressionQuality: 1) == jpeg && image.pngData() == nil)
        }
    }

    @Test("a slice of larger data is read")
    func slice() throws {
        let data = Data([1, 2, 3]) + Pictures.png(width: 5, height: 6)
        #expect(UIImage(data: data[3...])?.size == CGSize(width: 5, height: 6))
    }

    @Test("points scale to pixels", arguments: [(2.0, 300.0), (0.5, 1200), (0, nil), (-1, nil), (.nan, nil)])
    func scale(scale: Double, width: Double?) {
        let image = UIImage(data: Pictures.png(width: 600, height: 4), scale: scale)
        #expect((image?.size.width).map { Double($0) } == width)
    }

    @Test(
        "data that is no picture is refused",
        arguments: [[], [1], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF], [0x89, 0x50]])
    func nonsense(bytes: [UInt8]) { #expect(UIImage(data: Data(bytes)) == nil) }

    @Test("every truncation is refused or has the size", arguments: [true, false])
    func truncated(isPNG: Bool) {
        let whole = isPNG ? Pictures.png(width: 9, height: 9) : Pictures.jpeg(width: 9, height: 9)
        for count in 0..<whole.count {
            let size = UIImage(data: whole.prefix(count))?.size
            #expect(size == nil || size == CGSize(width: 9, height: 9))
        }
    }

    @Test("every changed byte is refused or read")
    func changed() {
        for whole in [Pictures.png(width: 9, height: 9), Pictures.jpeg(width: 9, height: 9)] {
            for index in whole.indices {
                for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                    var bytes = whole
                    bytes[index] = value
                    _ = UIImage(data: bytes)
                }
            }
        }
    }

    @Test("a picture needs a size")
    func empty() {
        #expect(UIImage(data: Pictures.png(width: 0, height: 9)) == nil)
        #expect(UIImage(data: Pictures.jpeg(width: 9, height: 0)) == nil)
        #expect(UIImage(contentsOfFile: "/nowhere/at/all") == nil)
    }
}
