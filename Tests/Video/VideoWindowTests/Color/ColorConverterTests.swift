import Testing

@testable import VideoWindow

@Suite("Conversion of colors")
struct ColorConverterTests {
    typealias Row = (matrix: VideoPicture.Matrix, isFullRange: Bool)

    static let table: [Row] = [
        (.bt601, false), (.bt601, true), (.bt709, false), (.bt709, true), (.bt2020, false), (.bt2020, true),
    ]

    private func convert(_ picture: VideoPicture, bytesPerRow: Int) -> [UInt8] {
        let converter = ColorConverter(ColorCoefficients(picture.matrix, isFullRange: picture.isFullRange))
        var output = [UInt32](repeating: 0x5A5A_5A5A, count: bytesPerRow / 4 * picture.height)
        return output.withUnsafeMutableBytes { buffer in
            if let base = buffer.baseAddress {
                converter.convert(picture, to: base, bytesPerRow: bytesPerRow)
            }
            return Array(buffer)
        }
    }

    /// All luma values, and chroma in steps of 15 with both ends.
    @Test("all values are within 1 of the exact color", arguments: table)
    func exact(row: Row) throws {
        let steps = (0...17).map { UInt8($0 * 15) }
        var worst = 0
        for cb in steps {
            let test = TestPicture(
                width: 256, height: steps.count * 2, matrix: row.matrix, isFullRange: row.isFullRange)
            let picture = try test.make { x, y in YCbCr(UInt8(x), cb, steps[y / 2]) }
            let bytes = convert(picture, bytesPerRow: 1024)
            for (index, cr) in steps.enumerated() {
                for luma in 0..<256 {
                    let exact = YCbCr(UInt8(luma), cb, cr).color(row.matrix, isFullRange: row.isFullRange)
                    let start = index * 2 * 1024 + luma * 4
                    for component in 0..<3 {
                        worst = max(worst, abs(Int(bytes[start + 2 - component]) - exact[component]))
                    }
                }
            }
        }
        #expect(worst <= 1)
    }

    static let sizes = [(1, 1), (2, 2), (3, 3), (5, 4), (17, 7), (33, 2)]

    @Test(
        "both layouts give the same pixels at odd sizes and with padding",
        arguments: sizes, [0, 3])
    func layouts(size: (Int, Int), padding: Int) throws {
        var test = TestPicture(width: size.0, height: size.1, padding: padding)
        func color(x: Int, y: Int) -> YCbCr {
            YCbCr(UInt8(40 + x * 5 + y), UInt8(60 + x / 2 * 7), UInt8(200 - y / 2 * 9))
        }
        let bytesPerRow = (size.0 + 2) * 4
        let planar = convert(try test.make(color), bytesPerRow: bytesPerRow)
        test.layout = .biplanar420
        let biplanar = convert(try test.make(color), bytesPerRow: bytesPerRow)
        #expect(planar == biplanar)
        for y in 0..<size.1 {
            for x in 0..<size.0 {
                let exact = color(x: x, y: y).color(.bt709, isFullRange: false)
                let pixel = planar[(y * bytesPerRow + x * 4)...].prefix(4).map(Int.init)
                #expect(zip([pixel[2], pixel[1], pixel[0]], exact).allSatisfy { abs($0 - $1) <= 1 })
                #expect(pixel[3] == 255)
            }
            // Bytes between rows stay.
            #expect(planar[(y * bytesPerRow + size.0 * 4)...].prefix(8).allSatisfy { $0 == 0x5A })
        }
    }
}
