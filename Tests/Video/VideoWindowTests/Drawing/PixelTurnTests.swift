import Testing

@testable import VideoWindow

@Suite("Rotation of pixels in memory")
struct PixelTurnTests {
    typealias Row = (orientation: PictureOrientation, shown: [[UInt32]])

    /// Stored: 1 2 3 above 4 5 6.
    static let table: [Row] = [
        (.up, [[1, 2, 3], [4, 5, 6]]), (.upMirrored, [[3, 2, 1], [6, 5, 4]]),
        (.down, [[6, 5, 4], [3, 2, 1]]), (.downMirrored, [[4, 5, 6], [1, 2, 3]]),
        (.leftMirrored, [[1, 4], [2, 5], [3, 6]]), (.right, [[4, 1], [5, 2], [6, 3]]),
        (.rightMirrored, [[6, 3], [5, 2], [4, 1]]), (.left, [[3, 6], [2, 5], [1, 4]]),
    ]

    @Test("pixels go to the places that EXIF defines", arguments: table)
    func copy(row: Row) {
        let pixels: [UInt32] = [1, 2, 3, 9, 4, 5, 6, 9]
        let width = row.shown[0].count
        var output = [UInt32](repeating: 9, count: (width + 1) * row.shown.count)
        let turn = PixelTurn(row.orientation, width: 3, height: 2)
        pixels.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                turn.copy(from: from, bytesPerRow: 16, to: to, outputBytesPerRow: (width + 1) * 4)
            }
        }
        #expect(output == row.shown.flatMap { $0 + [9] })
    }

    @Test("large pictures are turned completely", arguments: PictureOrientation.allCases)
    func large(orientation: PictureOrientation) {
        let (width, height) = (71, 43)
        let pixels = (0..<UInt32(width * height)).map { $0 }
        var output = [UInt32](repeating: .max, count: width * height)
        let turn = PixelTurn(orientation, width: width, height: height)
        let shownWidth = orientation.swapsAxes ? height : width
        pixels.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                turn.copy(from: from, bytesPerRow: width * 4, to: to, outputBytesPerRow: shownWidth * 4)
            }
        }
        #expect(output.sorted() == pixels)
        for (x, y) in [(0, 0), (70, 0), (0, 42), (35, 33)] {
            let place = turn.place(x: x, y: y)
            #expect(output[place.y * shownWidth + place.x] == UInt32(y * width + x))
        }
    }
}
