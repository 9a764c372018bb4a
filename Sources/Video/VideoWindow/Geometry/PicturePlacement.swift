/// The place of a picture in a window.
struct PicturePlacement: Hashable {
    /// The pixels of the window that the whole shown picture covers; may extend beyond the window.
    let covered: PixelRect
    /// The same place before the rotation around its center, as SDL wants it. Its corner may lie on half pixels.
    let unrotated: FractionalRect
    /// Clockwise degrees.
    let degrees: Int
    /// Whether left and right are exchanged before the rotation.
    let isMirrored: Bool

    struct FractionalRect: Hashable {
        let x: Double
        let y: Double
        let width: Double
        let height: Double
    }

    init(of picture: PictureShape, in window: PixelSize, gravity: VideoGravity) {
        let shown = picture.shownSize
        let width = Double(window.width)
        let height = Double(window.height)
        let scales = (width / shown.width, height / shown.height)
        let size: (width: Double, height: Double)
        switch gravity {
        case .resize: size = (width, height)
        case .resizeAspect:
            let scale = min(scales.0, scales.1)
            size = (shown.width * scale, shown.height * scale)
        case .resizeAspectFill:
            let scale = max(scales.0, scales.1)
            size = (shown.width * scale, shown.height * scale)
        }
        // A thin line stays visible; the upper bound keeps damaged shapes within 32 bits.
        let whole = (max(1, Self.clamped(size.width)), max(1, Self.clamped(size.height)))
        covered = PixelRect(
            x: Self.half(window.width - whole.0), y: Self.half(window.height - whole.1),
            width: whole.0, height: whole.1)
        degrees = picture.orientation.degrees
        isMirrored = picture.orientation.isMirrored
        let turned = picture.orientation.swapsAxes ? (whole.1, whole.0) : whole
        unrotated = FractionalRect(
            x: Double(covered.x) + Double(whole.0 - turned.0) / 2,
            y: Double(covered.y) + Double(whole.1 - turned.1) / 2,
            width: Double(turned.0), height: Double(turned.1))
    }

    private static func clamped(_ length: Double) -> Int { Int(min(length, 1_000_000).rounded()) }

    /// Rounds down also below zero, so that a picture does not jump by a pixel when its window grows.
    private static func half(_ length: Int) -> Int { length >> 1 }
}

/// The properties of a picture that decide its place.
struct PictureShape: Hashable {
    /// The visible stored pixels.
    let width: Int
    let height: Int
    let pixelAspect: PixelAspect
    let orientation: PictureOrientation

    /// The size after the pixel aspect and the rotation, in the shorter side of a pixel.
    var shownSize: (width: Double, height: Double) {
        let ratio = pixelAspect.ratio
        let stored = (Double(width) * max(1, ratio), Double(height) / min(1, ratio))
        return orientation.swapsAxes ? (stored.1, stored.0) : stored
    }

    /// The same picture after its pixels were rotated and mirrored.
    var upright: PictureShape {
        guard orientation.swapsAxes else {
            return PictureShape(width: width, height: height, pixelAspect: pixelAspect, orientation: .up)
        }
        return PictureShape(
            width: height, height: width,
            pixelAspect: PixelAspect(pixelAspect.denominator, pixelAspect.numerator), orientation: .up)
    }

    /// The stored size after the rotation, to which subtitles refer.
    var storageSize: PixelSize {
        orientation.swapsAxes
            ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height)
    }
}

extension VideoPicture {
    var shape: PictureShape {
        PictureShape(
            width: crop.width, height: crop.height, pixelAspect: pixelAspect, orientation: orientation)
    }
}
