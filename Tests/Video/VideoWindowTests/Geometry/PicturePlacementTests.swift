import Testing

@testable import VideoWindow

@Suite("Places of pictures in windows")
struct PicturePlacementTests {
    typealias Row = (
        name: String, picture: PixelSize, aspect: PixelAspect, orientation: PictureOrientation,
        gravity: VideoGravity, covered: PixelRect
    )

    static let window = PixelSize(width: 200, height: 100)
    static let hd = PixelSize(width: 160, height: 90)

    static let table: [Row] = [
        ("wide bars", hd, .square, .up, .resizeAspect, PixelRect(x: 11, y: 0, width: 178, height: 100)),
        ("filled", hd, .square, .up, .resizeAspectFill, PixelRect(x: 0, y: -7, width: 200, height: 113)),
        ("stretched", hd, .square, .up, .resize, PixelRect(x: 0, y: 0, width: 200, height: 100)),
        (
            "wide pixels", PixelSize(width: 50, height: 50), PixelAspect(2, 1), .up, .resizeAspect,
            PixelRect(x: 0, y: 0, width: 200, height: 100)
        ),
        (
            "high pixels", PixelSize(width: 100, height: 50), PixelAspect(1, 2), .up, .resizeAspect,
            PixelRect(x: 50, y: 0, width: 100, height: 100)
        ),
        (
            "rotated", PixelSize(width: 100, height: 50), .square, .right, .resizeAspect,
            PixelRect(x: 75, y: 0, width: 50, height: 100)
        ),
        (
            "wide pixels, rotated", PixelSize(width: 50, height: 50), PixelAspect(2, 1), .left, .resizeAspect,
            PixelRect(x: 75, y: 0, width: 50, height: 100)
        ),
        (
            "a line", PixelSize(width: 16_384, height: 1), .square, .up, .resizeAspect,
            PixelRect(x: 0, y: 49, width: 200, height: 1)
        ),
    ]

    @Test("a picture covers its place", arguments: table)
    func covered(row: Row) {
        let shape = PictureShape(
            width: row.picture.width, height: row.picture.height, pixelAspect: row.aspect,
            orientation: row.orientation)
        let placement = PicturePlacement(of: shape, in: Self.window, gravity: row.gravity)
        #expect(placement.covered == row.covered)
    }

    @Test("the place before the rotation has the same center and exchanged sides")
    func unrotated() {
        let shape = PictureShape(width: 100, height: 50, pixelAspect: .square, orientation: .leftMirrored)
        let placement = PicturePlacement(
            of: shape, in: PixelSize(width: 200, height: 101), gravity: .resizeAspect)
        let place = placement.unrotated
        #expect(placement.covered == PixelRect(x: 74, y: 0, width: 51, height: 101))
        #expect((place.width, place.height) == (101, 51))
        #expect(place.x + place.width / 2 == 74 + 25.5)
        #expect(place.y + place.height / 2 == 50.5)
        #expect(placement.degrees == 270)
        #expect(placement.isMirrored)
    }

    @Test(
        "a picture that is turned in memory has the same shown size", arguments: PictureOrientation.allCases)
    func upright(orientation: PictureOrientation) {
        let shape = PictureShape(
            width: 720, height: 576, pixelAspect: PixelAspect(64, 45), orientation: orientation)
        let (a, b) = (shape.shownSize, shape.upright.shownSize)
        #expect(abs(a.width / a.height - b.width / b.height) < 1e-9)
        #expect(shape.storageSize == shape.upright.storageSize)
    }
}
