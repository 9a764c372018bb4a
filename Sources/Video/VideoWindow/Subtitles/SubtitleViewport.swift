/// The place of subtitles: a window, and the picture in it to which their positions refer.
struct SubtitleViewport: Hashable, Sendable {
    /// The window's size in pixels.
    let window: PixelSize
    /// The picture's place; may extend beyond the window.
    let picture: PixelRect
    /// The picture's stored size in pixels, rotated as shown.
    let storage: PixelSize

    init(window: PixelSize, picture: PixelRect, storage: PixelSize) {
        (self.window, self.picture, self.storage) = (window, picture, storage)
    }

    /// A window without a picture.
    init(window: PixelSize) {
        self.init(
            window: window, picture: PixelRect(x: 0, y: 0, width: window.width, height: window.height),
            storage: window)
    }
}
