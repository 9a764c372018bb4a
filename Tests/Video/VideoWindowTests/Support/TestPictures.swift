import VideoWindow

/// Memory of a test's picture.
final class PixelMemory: @unchecked Sendable {
    let base: UnsafeMutableRawPointer

    init(_ bytes: [UInt8]) {
        base = .allocate(byteCount: max(1, bytes.count), alignment: 16)
        bytes.withUnsafeBytes {
            if let start = $0.baseAddress { base.copyMemory(from: start, byteCount: $0.count) }
        }
    }

    deinit { base.deallocate() }
}

struct YCbCr: Hashable {
    let y: UInt8
    let cb: UInt8
    let cr: UInt8

    init(_ y: UInt8, _ cb: UInt8, _ cr: UInt8) { (self.y, self.cb, self.cr) = (y, cb, cr) }

    /// The exact color by the definition of the matrices, clipped and rounded to 8 bits.
    func color(_ matrix: VideoPicture.Matrix, isFullRange: Bool) -> [Int] {
        let (kr, kb) =
            switch matrix {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        let luma = isFullRange ? Double(y) / 255 : (Double(y) - 16) / 219
        let chroma = isFullRange ? 255.0 : 224.0
        let (blueness, redness) = ((Double(cb) - 128) / chroma, (Double(cr) - 128) / chroma)
        let red = luma + 2 * (1 - kr) * redness
        let blue = luma + 2 * (1 - kb) * blueness
        let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
        return [red, green, blue].map { Int((min(1, max(0, $0)) * 255).rounded()) }
    }
}

/// The properties of a test's picture.
struct TestPicture {
    var layout = VideoPicture.Layout.planar420
    var width = 64
    var height = 32
    var matrix = VideoPicture.Matrix.bt709
    var isFullRange = false
    var pixelAspect = PixelAspect.square
    var crop: PixelRect?
    var orientation = PictureOrientation.up
    /// Bytes after each row.
    var padding = 0

    /// A picture in Y'CbCr; the chroma of four pixels is that of the top left one.
    func make(_ color: (_ x: Int, _ y: Int) -> YCbCr) throws -> VideoPicture {
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        let gap = [UInt8](repeating: 0xA5, count: padding)
        var luma: [UInt8] = []
        for y in 0..<height { luma += (0..<width).map { color($0, y).y } + gap }
        var planes: [[UInt8]] = [luma, []]
        for y in 0..<halfHeight {
            let row = (0..<halfWidth).map { color($0 * 2, y * 2) }
            if layout == .planar420 {
                if planes.count == 2 { planes.append([]) }
                planes[1] += row.map(\.cb) + gap
                planes[2] += row.map(\.cr) + gap
            } else {
                planes[1] += row.flatMap { [$0.cb, $0.cr] } + gap
            }
        }
        let chromaWidth = layout == .planar420 ? halfWidth : halfWidth * 2
        return try make(planes, widths: [width, chromaWidth, chromaWidth])
    }

    /// A picture in BGRA; `layout` does not count.
    func makePixels(_ color: (_ x: Int, _ y: Int) -> [UInt8]) throws -> VideoPicture {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let color = color(x, y)
                bytes += [color[2], color[1], color[0], 0]
            }
            bytes += [UInt8](repeating: 0xA5, count: padding)
        }
        var copy = self
        copy.layout = .bgra
        return try copy.make([bytes], widths: [width * 4])
    }

    private func make(_ planes: [[UInt8]], widths: [Int]) throws -> VideoPicture {
        let memory = PixelMemory(planes.flatMap { $0 })
        var start = memory.base
        var parts: [VideoPicture.Plane] = []
        for (plane, width) in zip(planes, widths) {
            parts.append(VideoPicture.Plane(base: start, bytesPerRow: width + padding))
            start += plane.count
        }
        let picture = VideoPicture(
            layout: layout, width: width, height: height, planes: parts, matrix: matrix,
            isFullRange: isFullRange, pixelAspect: pixelAspect, crop: crop, orientation: orientation,
            owner: memory)
        guard let picture else { throw TestPictureError() }
        return picture
    }
}

struct TestPictureError: Error {}
