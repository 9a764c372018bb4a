/// The form in which a picture reaches the renderer.
struct TexturePlan: Hashable {
    enum Form: Hashable {
        /// Unchanged Y'CbCr planes; the graphics hardware converts them with one of SDL's matrices.
        case planes(VideoPicture.Layout, Conversion)
        /// BGRA pixels.
        case pixels
    }

    /// A conversion that SDL's renderers have. They lack full-range BT.709 and BT.2020.
    enum Conversion: Hashable {
        case bt601
        case bt709
        case fullRange601

        init?(_ matrix: VideoPicture.Matrix, isFullRange: Bool) {
            switch (matrix, isFullRange) {
            case (.bt601, false): self = .bt601
            case (.bt601, true): self = .fullRange601
            case (.bt709, false): self = .bt709
            case (.bt709, true), (.bt2020, _): return nil
            }
        }
    }

    let form: Form
    /// The size of the texture.
    let size: PixelSize
    /// Whether the pixels are rotated on the way into the texture, because the renderer rotates slowly.
    let turnsPixels: Bool

    /// - Parameters:
    ///   - takesPlanes: Whether the renderer converts planes of a layout in hardware.
    ///   - turnsInHardware: Whether the renderer rotates pictures in hardware.
    init(
        for picture: VideoPicture, turnsInHardware: Bool, takesPlanes: (VideoPicture.Layout) -> Bool
    ) {
        turnsPixels = !turnsInHardware && picture.orientation != .up
        let isSwapped = turnsPixels && picture.orientation.swapsAxes
        size =
            isSwapped
            ? PixelSize(width: picture.height, height: picture.width)
            : PixelSize(width: picture.width, height: picture.height)
        let conversion = Conversion(picture.matrix, isFullRange: picture.isFullRange)
        if picture.layout != .bgra, !turnsPixels, let conversion, takesPlanes(picture.layout) {
            form = .planes(picture.layout, conversion)
        } else {
            form = .pixels
        }
    }

    /// The place of the crop in the texture.
    func crop(of picture: VideoPicture) -> PixelRect {
        let crop = picture.crop
        guard turnsPixels else { return crop }
        let corner = PixelTurn(picture.orientation, width: picture.width, height: picture.height)
        let (first, last) = (
            corner.place(x: crop.x, y: crop.y),
            corner.place(x: crop.x + crop.width - 1, y: crop.y + crop.height - 1)
        )
        return PixelRect(
            x: min(first.x, last.x), y: min(first.y, last.y), width: abs(first.x - last.x) + 1,
            height: abs(first.y - last.y) + 1)
    }
}
