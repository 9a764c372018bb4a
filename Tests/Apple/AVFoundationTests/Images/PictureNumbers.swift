import AVFoundation
import TuttiTestMedia

extension CVPixelBuffer {
    /// The number in a test picture of luma in the first plane, or of four bytes with green in the second or third one.
    var number: Int? {
        let (width, height) = (CVPixelBufferGetWidth(self), CVPixelBufferGetHeight(self))
        CVPixelBufferLockBaseAddress(self, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
        let isPlanar = CVPixelBufferIsPlanar(self)
        let base = isPlanar ? CVPixelBufferGetBaseAddressOfPlane(self, 0) : CVPixelBufferGetBaseAddress(self)
        let step = isPlanar ? CVPixelBufferGetBytesPerRowOfPlane(self, 0) : CVPixelBufferGetBytesPerRow(self)
        guard let base else { return nil }
        let format = CVPixelBufferGetPixelFormatType(self)
        let isWide = format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        let (size, offset) = isPlanar ? (isWide ? 2 : 1, isWide ? 1 : 0) : (4, 1)
        return FilmPattern.number { x, y in
            let place = Int(y * Double(height)) * step + Int(x * Double(width)) * size + offset
            return Double(base.load(fromByteOffset: place, as: UInt8.self)) / 255
        }
    }
}

extension CGImage {
    /// Blue, green and red of a pixel.
    func pixel(x: Int, y: Int) -> [UInt8] {
        guard let data = dataProvider?.data else { return [] }
        return (0..<3).map { data.bytes.load(fromByteOffset: y * bytesPerRow + x * 4 + $0, as: UInt8.self) }
    }

    /// The number in a test picture.
    var number: Int? { number { x, y in (x, y) } }

    /// The number in a test picture that was turned.
    ///
    /// - Parameter place: Returns the place in the image, as parts of its sides, of a place in the upright picture.
    func number(at place: (Double, Double) -> (Double, Double)) -> Int? {
        guard let data = dataProvider?.data else { return nil }
        return FilmPattern.number { x, y in
            let (x, y) = place(x, y)
            let offset = Int(y * Double(height)) * bytesPerRow + Int(x * Double(width)) * 4 + 1
            return Double(data.bytes.load(fromByteOffset: offset, as: UInt8.self)) / 255
        }
    }
}
