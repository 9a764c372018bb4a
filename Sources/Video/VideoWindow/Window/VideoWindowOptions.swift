/// The properties of a new window.
public struct VideoWindowOptions: Hashable, Sendable {
    /// A way to draw.
    public enum Renderer: Hashable, Sendable {
        /// The graphics hardware, or the processor where there is none.
        case automatic
        /// The processor.
        case software
        /// The renderer with this name in SDL (`opengl`, `opengles2`), for tests and measurements.
        case named(String)
    }

    /// How pictures fit into the window, unless a layer's program sets `videoGravity`.
    public var gravity = VideoGravity.resizeAspect
    /// Whether the window opens in full screen.
    public var isFullScreen = false
    /// Whether the display stays awake; see ``VideoWindow/setPreventsDisplaySleep(_:)``.
    public var preventsDisplaySleep = true
    /// Whether a double click and the key `f` enter and leave the full screen; then `f` is not reported.
    public var togglesFullScreen = true
    /// How the window draws.
    public var renderer = Renderer.automatic

    /// Creates the default options.
    public init() {}
}
