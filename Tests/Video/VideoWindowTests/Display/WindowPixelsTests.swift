import Testing

@testable import VideoWindow

@Suite("Pictures in a window", .serialized)
struct WindowPixelsTests {
    typealias Matrix = (matrix: VideoPicture.Matrix, isFullRange: Bool)

    static let colors = [
        YCbCr(16, 128, 128), YCbCr(235, 128, 128), YCbCr(126, 128, 128), YCbCr(81, 90, 240),
        YCbCr(145, 54, 34), YCbCr(41, 240, 110), YCbCr(180, 100, 150), YCbCr(255, 128, 128),
    ]

    @Test(
        "colors of all matrices and ranges are right, in both sizes that SDL distinguishes",
        arguments: ColorConverterTests.table, [VideoPicture.Layout.planar420, .biplanar420])
    func colors(row: Matrix, layout: VideoPicture.Layout) async throws {
        let window = try TestWindow.open()
        // SDL's own choice of a matrix changes at 576 lines.
        for height in [64, 720] {
            let test = TestPicture(
                layout: layout, width: 16, height: height, matrix: row.matrix,
                isFullRange: row.isFullRange)
            for color in Self.colors {
                window.show(try test.make { _, _ in color }, dueAt: 0)
                let exact = color.color(row.matrix, isFullRange: row.isFullRange)
                let snapshot = try await window.snapshot()
                // Hardware converts with the shaders' own precision.
                let tolerance = TestWindow.isSoftware ? 1 : 2
                let x = snapshot.width / 2
                let y = snapshot.height / 2
                #expect(
                    snapshot.isColor(exact, at: x, y, within: tolerance),
                    "\(color) of \(height) lines: \(snapshot.rgb(x, y)), not \(exact)")
            }
        }
    }

    /// The stored corners that are shown at the top left, top right, bottom left and bottom right.
    static let corners: [(orientation: PictureOrientation, corners: String)] = [
        (.up, "ABCD"), (.upMirrored, "BADC"), (.down, "DCBA"), (.downMirrored, "CDAB"),
        (.leftMirrored, "ACBD"), (.right, "CADB"), (.rightMirrored, "DBCA"), (.left, "BDAC"),
    ]

    @Test("all orientations show each corner at its place", arguments: corners, [true, false])
    func orientation(row: (orientation: PictureOrientation, corners: String), isBGRA: Bool) async throws {
        let window = try TestWindow.open(width: 200, height: 200)
        let test = TestPicture(width: 64, height: 32, orientation: row.orientation)
        let picture =
            isBGRA
            ? try test.makePixels { x, y in [x < 32 ? 40 : 200, y < 16 ? 60 : 220, 128] }
            : try test.make { x, y in YCbCr(x < 32 ? 60 : 180, y < 16 ? 100 : 156, 128) }
        window.show(picture, dueAt: 0)
        let snapshot = try await window.snapshot()
        let swaps = row.orientation.swapsAxes
        // Sizes are exact: 200 × 100 or 100 × 200, centered.
        let area = swaps ? (50, 0, 100, 200) : (0, 50, 200, 100)
        let places = [(1, 1), (3, 1), (1, 3), (3, 3)].map {
            (area.0 + area.2 * $0.0 / 4, area.1 + area.3 * $0.1 / 4)
        }
        for (corner, place) in zip(row.corners, places) {
            let (isRight, isLow) = (corner == "B" || corner == "D", corner == "C" || corner == "D")
            let expected =
                isBGRA
                ? [isRight ? 200 : 40, isLow ? 220 : 60, 128]
                : YCbCr(isRight ? 180 : 60, isLow ? 156 : 100, 128).color(.bt709, isFullRange: false)
            #expect(
                snapshot.isColor(expected, at: place.0, place.1, within: 2),
                "\(corner): \(snapshot.rgb(place.0, place.1)), not \(expected)")
        }
        #expect(
            snapshot.litArea == PixelRect(x: area.0, y: area.1, width: area.2, height: area.3))
    }

    private func litArea(
        _ test: TestPicture, in window: VideoWindow
    ) async throws -> PixelRect? {
        window.show(try test.make { _, _ in YCbCr(180, 128, 128) }, dueAt: 0)
        return try await window.snapshot().litArea
    }

    @Test("wide pixels make a picture wide, and high pixels high")
    func pixelAspect() async throws {
        let window = try TestWindow.open(width: 300, height: 200)
        var test = TestPicture(width: 32, height: 32, pixelAspect: PixelAspect(2, 1))
        #expect(try await litArea(test, in: window) == PixelRect(x: 0, y: 25, width: 300, height: 150))
        test.pixelAspect = PixelAspect(1, 2)
        #expect(try await litArea(test, in: window) == PixelRect(x: 100, y: 0, width: 100, height: 200))
        test.orientation = .right
        #expect(try await litArea(test, in: window) == PixelRect(x: 0, y: 25, width: 300, height: 150))
    }

    @Test("the gravity decides between bars, cropping and stretching")
    func gravity() async throws {
        let window = try TestWindow.open(width: 300, height: 200)
        // The outer quarters are dark, so that cropping is visible.
        let picture = try TestPicture(width: 64, height: 32).make { x, _ in
            YCbCr((8..<56).contains(x) ? 180 : 16, 128, 128)
        }
        window.show(picture, dueAt: 0)
        let lit = try await window.snapshot()
        #expect(lit.isColor([0, 0, 0], at: 150, 20))
        window.setGravity(.resizeAspectFill)
        let filled = try await window.snapshot()
        #expect(!filled.isColor([0, 0, 0], at: 150, 2, within: 8))
        #expect(!filled.isColor([0, 0, 0], at: 6, 100, within: 8))
        window.setGravity(.resize)
        let stretched = try await window.snapshot()
        #expect(!stretched.isColor([0, 0, 0], at: 150, 2, within: 8))
        #expect(stretched.isColor([0, 0, 0], at: 20, 100))
        #expect(!stretched.isColor([0, 0, 0], at: 60, 100, within: 8))
    }

    @Test("a layer's gravity counts like the window's own")
    func layerGravity() async throws {
        let window = try TestWindow.open(width: 300, height: 200)
        window.show(try TestPicture(width: 64, height: 32).make { _, _ in YCbCr(180, 128, 128) }, dueAt: 0)
        #expect(try await window.snapshot().litArea == PixelRect(x: 0, y: 25, width: 300, height: 150))
        let whole = PixelRect(x: 0, y: 0, width: 300, height: 200)
        window.setVideoGravity(.resizeAspectFill)
        #expect(try await window.snapshot().litArea == whole)
        window.setVideoGravity(.resizeAspect)
        #expect(try await window.snapshot().litArea == PixelRect(x: 0, y: 25, width: 300, height: 150))
        window.setVideoGravity(.resize)
        #expect(try await window.snapshot().litArea == whole)
    }

    @Test("only the crop is shown, in any orientation", arguments: PictureOrientation.allCases)
    func crop(orientation: PictureOrientation) async throws {
        let window = try TestWindow.open(width: 200, height: 200, gravity: .resize)
        let crop = PixelRect(x: 8, y: 4, width: 32, height: 16)
        let test = TestPicture(width: 64, height: 32, crop: crop, orientation: orientation)
        let picture = try test.makePixels { x, y in
            (8..<40).contains(x) && (4..<20).contains(y) ? [0, 200, 0] : [200, 0, 0]
        }
        window.show(picture, dueAt: 0)
        let snapshot = try await window.snapshot()
        for (x, y) in [(8, 8), (192, 8), (8, 192), (192, 192), (100, 100)] {
            #expect(snapshot.isColor([0, 200, 0], at: x, y, within: 2), "\(x), \(y): \(snapshot.rgb(x, y))")
        }
    }
}
