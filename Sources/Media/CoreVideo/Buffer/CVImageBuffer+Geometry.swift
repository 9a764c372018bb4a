import Foundation

/// The size of a picture in storage and on a display.
package struct PictureGeometry {
    /// The width in storage, in pixels.
    package let width: Int
    /// The height in storage, in pixels.
    package let height: Int
    private let property: (CFString) -> AnyObject?

    /// Creates a geometry from the size in storage and from properties by key, which may be missing.
    package init(width: Int, height: Int, property: @escaping (CFString) -> AnyObject?) {
        self.width = width
        self.height = height
        self.property = property
    }

    /// The size in storage.
    package var encodedSize: CGSize { CGSize(width: width, height: height) }

    /// The clean aperture with the origin at the upper left; the whole picture if it is unknown or outside.
    package var cleanRect: CGRect {
        let whole = CGRect(origin: .zero, size: encodedSize)
        guard let aperture = property(kCVImageBufferCleanApertureKey) as? NSDictionary,
            let size = size(
                aperture, kCVImageBufferCleanApertureWidthKey, kCVImageBufferCleanApertureHeightKey)
        else { return whole }
        func offset(_ key: CFString) -> Double { (aperture[key] as? NSNumber)?.doubleValue ?? 0 }
        guard
            let x = part(of: whole.width, size.width, offset(kCVImageBufferCleanApertureHorizontalOffsetKey)),
            let y = part(of: whole.height, size.height, offset(kCVImageBufferCleanApertureVerticalOffsetKey))
        else { return whole }
        return CGRect(x: x.start, y: y.start, width: x.length, height: y.length)
    }

    /// Returns the part of a side on which a length lies whose centre is `offset` after that of the side;
    /// `nil` if there is none.
    private func part(of side: Double, _ length: Double, _ offset: Double) -> (start: Double, length: Double)?
    {
        let middle = side / 2 + offset
        let (start, end) = (max(0, middle - length / 2), min(side, middle + length / 2))
        return middle.isFinite && start < end ? (start, end - start) : nil
    }

    /// The width of a pixel divided by its height; 1 if it is unknown.
    package var pixelAspectRatio: CGFloat {
        guard let ratio = property(kCVImageBufferPixelAspectRatioKey) as? NSDictionary,
            let size = size(
                ratio, kCVImageBufferPixelAspectRatioHorizontalSpacingKey,
                kCVImageBufferPixelAspectRatioVerticalSpacingKey)
        else { return 1 }
        return size.width / size.height
    }

    /// Returns the size on a display of square pixels.
    package func presentationSize(usePixelAspectRatio: Bool, useCleanAperture: Bool) -> CGSize {
        var size = useCleanAperture ? cleanRect.size : encodedSize
        if usePixelAspectRatio { size.width *= pixelAspectRatio }
        return size
    }

    /// The size that the picture states for a display of square pixels, if any.
    package var statedDisplaySize: CGSize? {
        guard let stated = property(kCVImageBufferDisplayDimensionsKey) as? NSDictionary else { return nil }
        return size(stated, kCVImageBufferDisplayWidthKey, kCVImageBufferDisplayHeightKey)
    }

    /// Returns two numbers of a dictionary; `nil` unless both are finite and positive.
    private func size(_ dictionary: NSDictionary, _ width: CFString, _ height: CFString) -> CGSize? {
        guard let width = (dictionary[width] as? NSNumber)?.doubleValue,
            let height = (dictionary[height] as? NSNumber)?.doubleValue,
            width > 0, height > 0, width.isFinite, height.isFinite
        else { return nil }
        return CGSize(width: width, height: height)
    }
}

extension CVBuffer {
    /// The size in storage and on a display.
    package var geometry: PictureGeometry {
        let attachments = allAttachments
        return PictureGeometry(width: width, height: height) { attachments[$0 as String]?.value }
    }

    /// The EXIF orientation 1…8 in which the picture must be shown; 1 if it has none or an invalid one.
    package var orientation: Int {
        let number = allAttachments[kTuttiImageBufferOrientationKey as String]?.value as? NSNumber
        return number.map(\.intValue).flatMap { (1...8).contains($0) ? $0 : nil } ?? 1
    }
}

/// Returns the size in storage, in pixels.
@discardableResult
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
    imageBuffer.geometry.encodedSize
}

/// Returns the size on a display of square pixels: the stated size, or the clean aperture with its width
/// multiplied by the pixel aspect ratio.
@discardableResult
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize {
    let geometry = imageBuffer.geometry
    return geometry.statedDisplaySize
        ?? geometry.presentationSize(usePixelAspectRatio: true, useCleanAperture: true)
}

/// Returns the clean aperture in pixels, with the origin at the upper left; the whole picture without one.
@discardableResult
public func CVImageBufferGetCleanRect(_ imageBuffer: CVImageBuffer) -> CGRect {
    imageBuffer.geometry.cleanRect
}

/// Returns whether the first row is the uppermost, which is so here.
@discardableResult
public func CVImageBufferIsFlipped(_ imageBuffer: CVImageBuffer) -> Bool { true }
