/// A way to fit a picture into a window; the names of `AVLayerVideoGravity`.
public enum VideoGravity: Hashable, Sendable {
    /// Stretches the picture to fill the window.
    case resize
    /// Fits the whole picture into the window; black beside it.
    case resizeAspect
    /// Fills the window and crops the picture.
    case resizeAspectFill
}
