import Testing

@testable import VideoWindow

@Suite("Pictures")
struct VideoPictureTests {
    private static let memory = PixelMemory([UInt8](repeating: 0, count: 64))

    private func make(
        _ layout: VideoPicture.Layout = .planar420, width: Int = 3, height: Int = 2,
        rows: [Int] = [3, 2, 2], crop: PixelRect? = nil
    ) -> VideoPicture? {
        let planes = rows.map { VideoPicture.Plane(base: Self.memory.base, bytesPerRow: $0) }
        return VideoPicture(
            layout: layout, width: width, height: height, planes: planes, crop: crop, owner: Self.memory)
    }

    @Test("rows that hold the width, with chroma rounded up, are accepted")
    func accepts() {
        #expect(make() != nil)
        #expect(make(.biplanar420, rows: [3, 4]) != nil)
        #expect(make(.bgra, rows: [12]) != nil)
    }

    @Test("short rows, missing planes and impossible sizes are rejected")
    func rejects() {
        #expect(make(rows: [2, 2, 2]) == nil)
        #expect(make(rows: [3, 1, 2]) == nil)
        #expect(make(rows: [3, 2]) == nil)
        #expect(make(.biplanar420, rows: [3, 3]) == nil)
        #expect(make(.bgra, rows: [-12]) == nil)
        #expect(make(.bgra, rows: [Int(Int32.max) + 1]) == nil)
        #expect(make(width: 0) == nil)
        #expect(make(height: VideoPicture.sizeLimit + 1) == nil)
    }

    @Test("a crop is clipped to the picture, and an empty one is ignored")
    func crop() {
        let all = PixelRect(x: 0, y: 0, width: 3, height: 2)
        #expect(make()?.crop == all)
        #expect(
            make(crop: PixelRect(x: 1, y: -1, width: .max, height: 2))?.crop
                == PixelRect(x: 1, y: 0, width: 2, height: 1))
        #expect(make(crop: PixelRect(x: 3, y: 0, width: 2, height: 2))?.crop == all)
        #expect(make(crop: PixelRect(x: 0, y: 0, width: -1, height: 2))?.crop == all)
    }

    @Test("impossible pixel aspects are square")
    func aspect() {
        #expect(PixelAspect(0, 1) == .square)
        #expect(PixelAspect(1, -1) == .square)
        #expect(PixelAspect(1000, 1) == .square)
        #expect(PixelAspect(64, 45).ratio == 64.0 / 45)
    }
}
